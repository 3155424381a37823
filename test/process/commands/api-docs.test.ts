/** The description by the built program, whose documentation files lie beside its bundles. */
import { cpSync, rmSync, symlinkSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { parse } from "yaml";
import { builtCommand, launchHearth } from "../../support/process/launch.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";

const built = dirname(builtCommand);
const copy = temporaryFolder();
const dist = join(copy.path, "dist");
beforeAll(() => {
  cpSync(built, dist, { recursive: true, filter: (file) => !file.endsWith(".map") });
  symlinkSync(join(built, "..", "node_modules"), join(copy.path, "node_modules"), "junction");
});
afterAll(() => copy[Symbol.dispose]());

const launch = (env: Record<string, string> = {}) =>
  launchHearth({ command: [process.execPath, join(dist, "cli.js"), "serve"], env });

describe("the built program", () => {
  it("describes itself as JSON and as YAML, with a text for every operation", async () => {
    await using hearth = launch();
    const { app } = await hearth.ready();
    const json = (await (await fetch(`${app}/swagger/docs/v1`)).json()) as {
      paths: Record<string, Record<string, object>>;
    };
    for (const operation of Object.values(json.paths).flatMap((path) => Object.values(path)))
      expect(operation).toHaveProperty("description");
    const yaml = await fetch(`${app}/swagger/docs/v1?format=yaml`);
    expect([yaml.status, parse(await yaml.text())]).toEqual([200, json]);
  });

  it("is Release unless configured as Debug, and needs the documentation file of its configuration", async () => {
    rmSync(join(dist, "api-docs", "Release"), { recursive: true });
    await using release = launch();
    const refused = await fetch(`${(await release.ready()).app}/swagger/docs/v1`);
    const Message = expect.stringContaining(join("dist", "api-docs", "Release", "hearth.xml")) as string;
    expect([refused.status, await refused.json()]).toEqual([500, { Message }]);

    await using debug = launch({ HEARTH_CONFIGURATION: "Debug" });
    expect((await fetch(`${(await debug.ready()).app}/swagger/docs/v1`)).status).toBe(200);
  });
});
