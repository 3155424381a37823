/**
 * `npm run gpu -- cuda|vulkan`: adds the engine's build for that kind of GPU to node_modules. package.json keeps these
 * packages out of every install (hundreds of MB that most machines cannot use), so they are unpacked without npm; the
 * next `npm ci` removes them. Macs need none: their build includes Metal.
 */
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { engineVersion, gpuPackagesFor, type EnginePackage } from "../server/contract/model/gpu-engine.ts";
import { npmEnvironment } from "./install/install-packages.mjs";
import { root } from "./root.ts";

const engineFolder = join(root, "node_modules/@node-llama-cpp");
const { version } = JSON.parse(readFileSync(join(root, "node_modules/node-llama-cpp/package.json"), "utf8")) as {
  version: string;
};

function refuse(message: string): never {
  console.error(`hearth: ${message}`);
  process.exit(2);
}

function run(command: string, args: readonly string[]): void {
  const result = spawnSync(command, args, {
    stdio: ["ignore", "ignore", "inherit"],
    env: npmEnvironment(),
    shell: process.platform === "win32" && command === "npm",
  });
  if (result.status !== 0) throw new Error(`${command} ${args.join(" ")} failed`);
}

function add({ name, integrity }: EnginePackage): void {
  const scratch = mkdtempSync(join(tmpdir(), "hearth-gpu-"));
  try {
    console.log(`Fetching @node-llama-cpp/${name} ${version}...`);
    run("npm", ["pack", `@node-llama-cpp/${name}@${version}`, "--pack-destination", scratch, "--loglevel=error"]);
    const archive = join(scratch, `node-llama-cpp-${name}-${version}.tgz`);
    const found = `sha512-${createHash("sha512").update(readFileSync(archive)).digest("base64")}`;
    if (found !== integrity) throw new Error(`${name} has the integrity ${found}, not ${integrity}`);
    // Unpack elsewhere and rename, so that the package is complete or absent.
    const draft = join(engineFolder, `.${name}`);
    rmSync(draft, { recursive: true, force: true });
    mkdirSync(draft);
    run("tar", ["xzf", archive, "-C", draft, "--strip-components=1"]);
    rmSync(join(engineFolder, name), { recursive: true, force: true });
    renameSync(draft, join(engineFolder, name));
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

const kinds = ["cuda", "vulkan"] as const;
const wanted = kinds.find((kind) => kind === process.argv[2]);
if (wanted === undefined) refuse(`say which: npm run gpu -- ${kinds.join("|")}`);
const packages = gpuPackagesFor(process.platform, process.arch)[wanted];
if (packages === undefined) refuse(`there is no ${wanted} build for ${process.platform} ${process.arch}`);
if (version !== engineVersion)
  refuse(`the integrity of the engine ${version} is not known, only that of ${engineVersion}`);
packages.forEach(add);
console.log(`Hearth's engine has ${wanted} now; it is used from the next start on where the machine has it.`);
