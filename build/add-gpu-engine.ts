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
import { npmEnvironment } from "./install-packages.mjs";
import { root } from "./root.ts";

/** Digests of the engine's packages in the version below. */
const integrities: Record<string, string> = {
  "linux-x64-cuda": "sha512-idsE55VoD/FbvLhnBC9krUJaUoC0XnebseAAnCpm/brKf61HEbu+idgbb5eN6mxkjLSrHtILprJ0nDcUJjVrFg==",
  "linux-x64-cuda-ext":
    "sha512-1PuURowccBcks3CCoMe1mTHh5vD0V5bFHMUEgtbI/OSDjpP+Pdbn+lf42CGUrepTzR8kCH1HovQ7d8q6/vuIKA==",
  "linux-x64-vulkan": "sha512-flEeSzONQ6OIm5bYKLQf4eEnBzcC5WugFbyPUwkCqyyOFZ8pH0H9ulQ7ZNDLSIczeKneMRJornlyY1Hq7d3GDA==",
  "win-x64-cuda": "sha512-PLz70neFEMkQTlmJqG1ujUtCSgHasLPMxQ9rLkqQVmZYAXqkRj+45TIHCjdn3XqUeaoun0vrO9rRaxZ8NVq9jg==",
  "win-x64-cuda-ext": "sha512-L2MxLVEYPDDe4O8EDWPmX6brldc9+Vt9hNoT/anj3pSnmrjkQcmaoKhHs6oP5qhEhb5Uog0rj6lgzNGtJO3p9Q==",
  "win-x64-vulkan": "sha512-HJ237Azh5m4Sz+w3A1IU/fYLaSDOocskcfn2ILTgqTuuORCB86EMnu3Yt/XsNhRHTtEiwz1Q/E0mO4PLIbZLAA==",
};
const integritiesOf = "3.21.1";

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
    if (found !== integrities[name]) throw new Error(`${name} has the integrity ${found}, not ${integrities[name]}`);
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

const kinds = { cuda: ["cuda", "cuda-ext"], vulkan: ["vulkan"] };
const [wanted = ""] = process.argv.slice(2);
if (!(wanted in kinds)) refuse(`say which: npm run gpu -- ${Object.keys(kinds).join("|")}`);
const system = process.platform === "win32" ? "win" : process.platform;
if (process.arch !== "x64" || (system !== "win" && system !== "linux"))
  refuse(`there is no ${wanted} build for ${process.platform} ${process.arch}`);
if (version !== integritiesOf)
  refuse(`the integrity of the engine ${version} is not known, only that of ${integritiesOf}`);
for (const suffix of kinds[wanted as keyof typeof kinds]) add(`${system}-x64-${suffix}`);
console.log(`Hearth's engine has ${wanted} now; it is used from the next start on where the machine has it.`);
