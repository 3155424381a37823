/** What `npm start` builds: build/prepare.mjs in a checkout of its own, whose build copies one source. */
import { spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { temporaryFolder } from "../../support/temporary-folder.ts";

const root = fileURLToPath(new URL("../../..", import.meta.url));
const build = `
import { cpSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
for (const folder of ["kit", "renderer", "api-docs/Release"]) mkdirSync("dist/" + folder, { recursive: true });
for (const output of ["kit/start-hearth.d.ts", "renderer/index.html", "api-docs/Release/hearth.xml"]) writeFileSync("dist/" + output, "");
cpSync("server/main.ts", "dist/cli.js");
process.exit(readFileSync("server/main.ts", "utf8") === "broken" ? 1 : 0);
`;

it.skipIf(process.platform === "win32")(
  "a build that failed is made again, also for the sources of the one before it",
  () => {
    using checkout = temporaryFolder();
    const write = (name: string, text: string) => {
      mkdirSync(dirname(join(checkout.path, name)), { recursive: true });
      writeFileSync(join(checkout.path, name), text);
    };
    for (const copied of ["build/prepare.mjs", "build/built-parts.mjs", "build/install"])
      cpSync(join(root, copied), join(checkout.path, copied), { recursive: true });
    for (const lockfile of ["package-lock.json", "node_modules/.package-lock.json"]) write(lockfile, '{"packages":{}}');
    const noted = "node_modules/node/node_modules/.package-lock.json";
    write(noted, readFileSync(join(root, noted), "utf8"));
    mkdirSync(join(checkout.path, "node_modules/node/bin"));
    symlinkSync(process.execPath, join(checkout.path, "node_modules/node/bin/node"));
    write("build/build.ts", build);

    const run = (...options: string[]) =>
      spawnSync(process.execPath, ["build/prepare.mjs", ...options], { cwd: checkout.path }).status;
    const prepare = (source: string) => {
      write("server/main.ts", source);
      return [run(), readFileSync(join(checkout.path, "dist/cli.js"), "utf8")];
    };
    expect(prepare("good")).toEqual([0, "good"]);
    expect(prepare("broken")).toEqual([1, "broken"]);
    expect(prepare("good")).toEqual([0, "good"]);
    expect(prepare("well")).toEqual([0, "well"]);

    // Sources that look as they did when all was built.
    rmSync(join(checkout.path, "dist/cli.js"));
    expect(run()).toBe(0);
    expect(existsSync(join(checkout.path, "dist/cli.js"))).toBe(true);
    write("dist/cli.js", "of a build that failed");
    write("build/build.ts", "process.exit(1);");
    expect(run("--rebuild")).toBe(1);
    expect(run()).toBe(1);
  },
);
