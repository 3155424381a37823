/** Finds the Electron binary, and fetches it by the package's own script when it is not there yet. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { splitLines } from "../supervisor/split-lines.ts";

/** There is no Electron and none can be had; the message says why. */
export class ElectronMissing extends Error {
  override readonly name = "ElectronMissing";
}

const packageFolder = fileURLToPath(new URL("../node_modules/electron/", import.meta.url));
const progressEveryMs = 5_000;

function installedBinary(env: NodeJS.ProcessEnv): string | undefined {
  const pathFile = join(packageFolder, "path.txt");
  const inside = existsSync(pathFile) ? readFileSync(pathFile, "utf8") : undefined;
  const override = env["ELECTRON_OVERRIDE_DIST_PATH"];
  const fallback = process.platform === "win32" ? "electron.exe" : "electron";
  if (override !== undefined) return join(override, inside ?? fallback);
  const binary = inside === undefined ? undefined : join(packageFolder, "dist", inside);
  return binary !== undefined && existsSync(binary) ? binary : undefined;
}

/** The line of a failed download that says why: the innermost error, not the stack that led to it. */
const reasonIn = (lines: readonly string[]) =>
  lines.findLast((line) => /\b(E[A-Z]{4,}|HTTPError|Error:|status code)/.test(line))?.trim() ?? "the download failed";

/** @throws ElectronMissing */
export async function findElectron(env: NodeJS.ProcessEnv = process.env): Promise<string> {
  const present = installedBinary(env);
  if (present !== undefined) {
    if (existsSync(present)) return present;
    throw new ElectronMissing(`ELECTRON_OVERRIDE_DIST_PATH has no ${present}`);
  }
  const script = join(packageFolder, "install.js");
  if (!existsSync(script)) throw new ElectronMissing("the package electron is not installed");
  const { version } = JSON.parse(readFileSync(join(packageFolder, "package.json"), "utf8")) as { version: string };
  console.error(`Fetching Electron ${version} for the window, once (about 110 MB)...`);
  const startedAt = Date.now();
  const progress = setInterval(() => {
    console.error(`  still fetching Electron, ${Math.round((Date.now() - startedAt) / 1000)} s`);
  }, progressEveryMs);
  const lines: string[] = [];
  const install = spawn(process.execPath, [script], { stdio: ["ignore", "inherit", "pipe"], env });
  splitLines(install.stderr, (line) => lines.push(line));
  await once(install, "close");
  clearInterval(progress);
  const fetched = installedBinary(env);
  if (fetched === undefined) throw new ElectronMissing(`Electron ${version} cannot be fetched: ${reasonIn(lines)}`);
  return fetched;
}
