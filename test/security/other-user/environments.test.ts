/** The environments of Hearth's processes, which other programs can read, hold no secret; their work goes on without. */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { ServiceName } from "../../../server/contract/process/services.ts";
import { consoleAccess } from "../../../server/supervisor/console-access.ts";
import { launchHearth } from "../../support/process/launch.ts";
import { listen } from "../../support/process/listen.ts";
import { runCommand } from "../../support/process/run-command.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";

const secrets = {
  HEARTH_CONSOLE_TOKEN: "console-token-".padEnd(40, "x"),
  HEARTH_IDENTITY_APP_SECRET: "app-secret-of-the-user",
  HEARTH_UPLOADS_SECRET_KEY: "uploads-secret-of-the-user",
  HEARTH_UPLOADS_KEY_ID: "uploads-id-of-the-user",
  FOO_TOKEN: "token-of-foo",
  NODE_AUTH_TOKEN: "token-of-npm",
  OLLAMA_API_KEY: "key-of-ollama",
  AWS_SECRET_ACCESS_KEY: "secret-of-aws",
  GPU_SERVER_KEY: "key-of-the-gpu-server",
};
const harmless = { OLLAMA_NUM_PARALLEL: "2", NO_PROXY: "example.test", LC_ALL: "C.UTF-8" };

const environmentOf = (pid: number) =>
  readFileSync(`/proc/${String(pid)}/environ`, "utf8")
    .split("\0")
    .filter(Boolean);
const namesIn = (lines: readonly string[]) => lines.map((line) => line.slice(0, line.indexOf("=")));

describe.runIf(existsSync("/proc/self/environ"))("the environment", () => {
  it("of app, model and runner holds no secret and nothing foreign, and an upstream gets the key that the user names", async () => {
    const keys: (string | undefined)[] = [];
    await using gpuServer = await listen((request, response) => {
      keys.push(request.headers.authorization);
      response.setHeader("Content-Type", "application/json").end('{"object":"list","data":[{"id":"far"}]}');
    });
    const upstream = { HEARTH_UPSTREAMS: `gpu=${gpuServer.url}/v1?key_env=GPU_SERVER_KEY` };
    await using hearth = launchHearth({ env: { ...secrets, ...harmless, ...upstream } });
    const { model, console } = await hearth.ready();
    expect(consoleAccess(console).token).toBe(secrets.HEARTH_CONSOLE_TOKEN);
    const services: ServiceName[] = ["app", "model", "runner"];
    for (const name of services) {
      const lines = environmentOf(await hearth.pidOf(name));
      const text = lines.join("\n");
      expect(
        Object.entries(secrets).filter(([variable, value]) => text.includes(variable) || text.includes(value)),
      ).toEqual([]);
      expect(namesIn(lines).filter((one) => one.startsWith("HEARTH_"))).toEqual(["HEARTH_COMMAND"]);
      expect(lines).toEqual(expect.arrayContaining(["OLLAMA_NUM_PARALLEL=2", "LC_ALL=C.UTF-8"]));
      expect(namesIn(lines).includes("NO_PROXY")).toBe(name !== "runner");
    }
    const tags = (await (await fetch(`${String(model)}/api/tags`)).json()) as { models: { name: string }[] };
    expect(tags.models.map(({ name }) => name)).toContain("far:latest");
    expect(new Set(keys)).toEqual(new Set([`Bearer ${secrets.GPU_SERVER_KEY}`]));
  });

  it("of the process that hearth doctor starts holds no secret, though it looks into a bucket", async () => {
    using folder = temporaryFolder();
    const [hook, seen] = [join(folder.path, "hook.cjs"), join(folder.path, "seen")];
    writeFileSync(
      hook,
      `if (/inspector/.test(process.argv[1])) require("fs").appendFileSync(${JSON.stringify(seen)}, require("fs").readFileSync("/proc/self/environ"));`,
    );
    const bucket = { HEARTH_UPLOADS_BUCKET: "s3://uploads", HEARTH_UPLOADS_ENDPOINT: "http://127.0.0.1:1" };
    await runCommand(["doctor", "--quick", "--data-dir", join(folder.path, "data")], {
      ...secrets,
      ...harmless,
      ...bucket,
      NODE_OPTIONS: `--require ${hook}`,
    });
    const text = readFileSync(seen, "utf8");
    expect(text).toContain("NO_PROXY=example.test");
    for (const value of Object.values(secrets)) expect(text).not.toContain(value);
  });
});
