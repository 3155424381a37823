/**
 * `npm run gpu -- cuda|vulkan`: adds the engine's build for that kind of GPU to node_modules. package.json keeps these
 * packages out of every install (hundreds of MB that most machines cannot use), so they are unpacked beside npm; the next
 * `npm ci` takes them away again. Macs need none: their build has Metal.
 */
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { npmEnvironment } from "./install-packages.mjs";
import { root } from "./root.ts";

/** Of the engine's version below. Without one, npm's own check against the registry has to do. */
const integrities: Record<string, string> = {
  "linux-x64-cuda": "sha512-8rQCjyNNLZJUFit+YpjwlC4hwkKgOMIkB2wuycKBf8NU2O3ySKbiWZQ8aw9ku2nUTXjSnUIrE6KB88itduTBuA==",
  "linux-x64-cuda-ext":
    "sha512-4e5ajkiM2aR2WAdB/N/ACk4weEhHvOAIrzxZPsIX0xDFW5+6hhShuy1/vs88SK9NGdgAco9IyE28eYS0H1efpA==",
  "linux-x64-vulkan": "sha512-bBxqU+JOcBu1nb5Qj2zcMci+JByT1E8EajHvYodyNfVIPkEhXh+/HMwR1/BT7xP08YK0hks+kM8fglER0P8JEg==",
};
const integritiesOf = "3.22.1";

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

function add(name: string): void {
  const scratch = mkdtempSync(join(tmpdir(), "hearth-gpu-"));
  try {
    console.log(`Fetching @node-llama-cpp/${name} ${version}...`);
    run("npm", ["pack", `@node-llama-cpp/${name}@${version}`, "--pack-destination", scratch, "--loglevel=error"]);
    const archive = join(scratch, `node-llama-cpp-${name}-${version}.tgz`);
    const found = `sha512-${createHash("sha512").update(readFileSync(archive)).digest("base64")}`;
    const wanted = version === integritiesOf ? integrities[name] : undefined;
    if (wanted !== undefined && found !== wanted) throw new Error(`${name} has the integrity ${found}, not ${wanted}`);
    // Unpacked beside its place, so that it is there whole or not at all.
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

const kinds = { cuda: ["cuda", "cuda-ext"], vulkan: ["vulkan"] };
const [wanted = ""] = process.argv.slice(2);
if (!(wanted in kinds)) refuse(`say which: npm run gpu -- ${Object.keys(kinds).join("|")}`);
const system = process.platform === "win32" ? "win" : process.platform;
if (process.arch !== "x64" || (system !== "win" && system !== "linux"))
  refuse(`there is no ${wanted} build for ${process.platform} ${process.arch}`);
for (const suffix of kinds[wanted as keyof typeof kinds]) add(`${system}-x64-${suffix}`);
console.log(`Hearth's engine has ${wanted} now; it is used from the next start on where the machine has it.`);
