/** npm's commands in a clone that has no Node of its own yet, where the system's Node runs no TypeScript. */
import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { describe, expect, it } from "vitest";
import { npmEnvironment } from "../../build/install/install-packages.mjs";
import { root } from "../../build/root.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

/** What `npm run gpu` needs of a clone. It ends at once without the name of a GPU's kind. */
const files = [
  "package.json",
  "package-lock.json",
  "build/prepare.mjs",
  "build/built-parts.mjs",
  "build/install",
  "build/root.ts",
  "build/add-gpu-engine.ts",
  "server/contract",
];

/** A Node that refuses TypeScript as Node 20 does. */
const oldNode = `#!/bin/sh
case $1 in *.ts) echo 'ERR_UNKNOWN_FILE_EXTENSION ".ts"' >&2; exit 1 ;; esac
exec '${process.execPath}' "$@"
`;

/** Installs the binary of Node, as the package's own script does from the registry. */
const installScript = `
const fs = require("node:fs");
fs.mkdirSync("bin");
fs.symlinkSync(${JSON.stringify(process.execPath)}, "bin/node");
`;

/** The packages of this checkout, without the binary of Node. */
function linkPackages(modules: string): void {
  mkdirSync(join(modules, "node/node_modules"), { recursive: true });
  mkdirSync(join(modules, ".bin"));
  symlinkSync("../node/bin/node", join(modules, ".bin/node"));
  writeFileSync(join(modules, "node/installArchSpecificPackage.js"), installScript);
  const noted = "node/node_modules/.package-lock.json";
  cpSync(join(root, "node_modules", noted), join(modules, noted));
  for (const name of readdirSync(join(root, "node_modules")))
    if (name !== "node" && name !== ".bin") symlinkSync(join(root, "node_modules", name), join(modules, name));
}

describe.skipIf(process.platform === "win32")("a fresh clone, where the first node is too old", () => {
  it("runs a script on the Node that the same command has just installed", () => {
    using clone = temporaryFolder();
    for (const file of files) cpSync(join(root, file), join(clone.path, file), { recursive: true });
    linkPackages(join(clone.path, "node_modules"));
    using old = temporaryFolder();
    writeFileSync(join(old.path, "node"), oldNode, { mode: 0o755 });

    const system = (process.env["PATH"] ?? "").split(delimiter).filter((entry) => !entry.includes("node_modules"));
    const env = { ...npmEnvironment(), PATH: [old.path, ...system].join(delimiter) };
    const { stderr } = spawnSync("npm", ["run", "gpu"], { cwd: clone.path, env, encoding: "utf8" });
    expect(stderr).toContain("say which: npm run gpu");
  });
});

it("No npm command starts a script by the node that its shell found before the install", () => {
  const { scripts } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as {
    scripts: Record<string, string>;
  };
  const kept = Object.entries(scripts).filter(([, command]) => /prepare\.mjs.*&&\s*node\b/.test(command));
  expect(kept).toEqual([]);
});

describe.skipIf(process.platform === "win32")("a script behind the preparation", () => {
  const prepare = join(root, "build/prepare.mjs");
  const run = (code: string, ...args: string[]) => {
    using folder = temporaryFolder();
    const script = join(folder.path, "script.ts");
    writeFileSync(script, code);
    return spawnSync(process.execPath, [prepare, "--install-only", "--run", script, ...args], { encoding: "utf8" });
  };

  it("gets all arguments after its name, also those that the preparation has itself", () => {
    const { stdout } = run("console.log(JSON.stringify(process.argv.slice(2)));", "--rebuild", "--run", "a b");
    expect(JSON.parse(stdout)).toEqual(["--rebuild", "--run", "a b"]);
  });

  it("decides the exit code and the signal that the command ends with", () => {
    expect(run("process.exit(7);").status).toBe(7);
    expect(run('process.kill(process.pid, "SIGKILL"); setInterval(() => undefined, 1000);').signal).toBe("SIGKILL");
  });

  it("gets a signal that is sent to the command", () => {
    const code = `
      process.on("SIGTERM", () => process.exit(9));
      process.kill(process.ppid, "SIGTERM");
      setInterval(() => undefined, 1000);`;
    expect(run(code).status).toBe(9);
  });
});
