/** Finds the Electron binary, and downloads it with the package's own script when it is missing. */
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { isDependency } from "../../process/installation/is-dependency.ts";
import { toAdd } from "../../process/installation/optional-packages.ts";
import { printLine } from "../../process/terminal/print-text.ts";

/** There is no Electron that runs here, and none can be downloaded; the message has the reason. */
export class ElectronUnusable extends Error {
  override readonly name = "ElectronUnusable";
}

/** The package's folder, here or in the project that depends on Hearth; undefined if there is none. */
function findPackage(): string | undefined {
  try {
    return dirname(createRequire(import.meta.url).resolve("electron/package.json"));
  } catch {
    return undefined;
  }
}
const packageFolder = findPackage();
const progressEveryMs = 2_000;

/** The binary, which a variable in the environment may override, present or not; undefined when none is installed. */
export function installedBinary(env: NodeJS.ProcessEnv): string | undefined {
  const pathFile = packageFolder === undefined ? "" : join(packageFolder, "path.txt");
  const inside = existsSync(pathFile) ? readFileSync(pathFile, "utf8") : undefined;
  const override = env["ELECTRON_OVERRIDE_DIST_PATH"];
  if (override !== undefined) return join(override, inside ?? "electron");
  const binary = packageFolder === undefined || inside === undefined ? undefined : join(packageFolder, "dist", inside);
  return binary !== undefined && existsSync(binary) ? binary : undefined;
}

/** The used part of Electron's own download package, which belongs to the package electron. */
interface ElectronDownloads {
  downloadArtifact: (what: {
    version: string;
    artifactName: "electron";
    platform: NodeJS.Platform;
    arch: string;
    checksums: unknown;
    downloadOptions: { quiet: boolean; getProgressCallback: (progress: Progress) => Promise<void> };
  }) => Promise<string>;
}

interface Progress {
  transferred: number;
  total: number | null;
}

/** The innermost cause of an error: "fetch failed" does not help. */
function reasonOf(error: unknown): string {
  let innermost = error;
  while (innermost instanceof Error && innermost.cause !== undefined) innermost = innermost.cause;
  return innermost instanceof Error ? innermost.message || innermost.name : String(innermost);
}

const megabytes = (bytes: number) => Math.round(bytes / 1e6);

/** Downloads the archive into Electron's own cache, verified, and shows the progress. */
async function download(fromElectron: NodeJS.Require, version: string): Promise<void> {
  const downloads = (await import(pathToFileURL(fromElectron.resolve("@electron/get")).href)) as ElectronDownloads;
  let reportAfter = Date.now() + progressEveryMs;
  await downloads.downloadArtifact({
    version,
    artifactName: "electron",
    platform: process.platform,
    arch: process.arch,
    checksums: fromElectron("./checksums.json"),
    downloadOptions: {
      quiet: true,
      async getProgressCallback({ transferred, total }) {
        if (Date.now() < reportAfter) return;
        reportAfter = Date.now() + progressEveryMs;
        printLine(`  ${megabytes(transferred)} of ${total === null ? "?" : megabytes(total)} MB`, process.stderr);
      },
    },
  });
}

/** @throws ElectronUnusable */
export async function findElectron(env: NodeJS.ProcessEnv = process.env): Promise<string> {
  const present = installedBinary(env);
  if (present !== undefined) {
    if (existsSync(present)) return present;
    throw new ElectronUnusable(`ELECTRON_OVERRIDE_DIST_PATH has no ${present}`);
  }
  const script = join(packageFolder ?? "", "install.js");
  if (packageFolder === undefined || !existsSync(script))
    throw new ElectronUnusable(
      `the package electron is not installed${isDependency ? `; to add it: ${toAdd.electron}` : ""}`,
    );
  const { version } = JSON.parse(readFileSync(join(packageFolder, "package.json"), "utf8")) as { version: string };
  printLine(`Downloading Electron ${version} for the window, once...`, process.stderr);
  try {
    await download(createRequire(script), version);
  } catch (error) {
    throw new ElectronUnusable(`Electron ${version} cannot be downloaded: ${reasonOf(error)}`);
  }
  // The package's own script now unpacks it from the cache.
  const { status } = spawnSync(process.execPath, [script], { stdio: "inherit", env });
  const unpacked = installedBinary(env);
  if (unpacked === undefined) throw new ElectronUnusable(`Electron ${version} cannot be unpacked (code ${status})`);
  return unpacked;
}
