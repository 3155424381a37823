/** The packaged program as its users get it: unpacked from an archive, run by a user who has nothing else. */
import { execFileSync, spawnSync } from "node:child_process";
import { chownSync, existsSync, globSync, mkdirSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { chromium, type Page } from "playwright-core";
import { alone } from "../../../build/install/install-packages.mjs";
import { patienceMs } from "../eventually.ts";
import { launchHearth, type LaunchOptions } from "./launch.ts";
import { letThrough } from "../temporary-folder.ts";
import { runFolderVariable } from "./make-run-folder.ts";

const packageScript = fileURLToPath(new URL("../../../build/package.ts", import.meta.url));

/**
 * Builds the program, on Linux with packages of it that are not compressed, once for all files of a run.
 * @returns the folder in which they lie until the run ends
 */
export async function buildPackages(): Promise<string> {
  const folder = join(process.env[runFolderVariable] ?? "", "packages");
  const done = join(folder, "done");
  const targets = process.platform === "linux" ? ["tar.gz", "deb"] : ["dir"];
  await alone(folder, () => {
    if (existsSync(done)) return Promise.resolve();
    execFileSync(process.execPath, [packageScript, ...targets, "--store", "--output", folder], { stdio: "pipe" });
    return writeFile(done, "");
  });
  return folder;
}

/** Where each system's program is in a folder that electron-builder has made. */
const builtBinaries: Partial<Record<NodeJS.Platform, string>> = {
  win32: "win-unpacked/Hearth.exe",
  darwin: `mac${process.arch === "arm64" ? "-arm64" : ""}/Hearth.app/Contents/MacOS/Hearth`,
};

/** The program's binary: on Linux unpacked from the archive into `into`, elsewhere where it was built. */
export function unpackProgram(built: string, into: string): string {
  if (process.platform !== "linux") return join(built, builtBinaries[process.platform] ?? "");
  mkdirSync(into, { recursive: true });
  const [archive = ""] = globSync("hearth-*.tar.gz", { cwd: built });
  execFileSync("tar", ["xzf", join(built, archive), "-C", into]);
  return join(into, archive.slice(0, -".tar.gz".length), "hearth");
}

/** Unpacks the Debian package, with the modes that it would be installed with. */
export function unpackDeb(built: string, into: string): void {
  const [archive = ""] = globSync("hearth_*.deb", { cwd: built });
  execFileSync("dpkg-deb", ["-x", join(built, archive), into]);
}

export interface User {
  readonly home: string;
  /** Absent: who runs the test. */
  readonly ids?: { readonly uid: number; readonly gid: number };
  /** Chromium's sandbox needs namespaces, which not every system or container gives to users, and never works for root. */
  readonly flags: readonly string[];
}

/** Who runs the test, with an empty home. */
export function sameUser(home: string): User {
  mkdirSync(home);
  return { home, flags: process.getuid?.() === 0 ? ["--no-sandbox"] : [] };
}

/** `su` leaves out of root's path where these commands are. */
const commandsOfRoot = { env: { ...process.env, PATH: `${process.env["PATH"] ?? ""}:/usr/sbin:/sbin` } };

/** A user with an empty home: a new one where this is root, else this one. */
export function newUser(home: string): User & Disposable {
  const own = sameUser(home);
  if (process.getuid?.() !== 0) return { ...own, [Symbol.dispose]: () => undefined };
  const name = `hearth-${process.pid}`;
  letThrough(dirname(home));
  execFileSync("useradd", ["--no-create-home", "--home-dir", home, name], commandsOfRoot);
  const id = (flag: string) => Number(execFileSync("id", [flag, name], { encoding: "utf8" }));
  const ids = { uid: id("-u"), gid: id("-g") };
  chownSync(home, ids.uid, ids.gid);
  const { status } = spawnSync("unshare", ["--user", "true"], ids);
  return {
    home,
    ids,
    flags: status === 0 ? [] : ["--no-sandbox"],
    [Symbol.dispose]: () => void execFileSync("userdel", ["--force", name], { ...commandsOfRoot, stdio: "ignore" }),
  };
}

/** The program in its window, driven over Chromium's own protocol: the package refuses Node's inspector. */
export async function openPackagedWindow(
  binary: string,
  user: User,
  { env, ...options }: Pick<LaunchOptions, "flags" | "env" | "dataDir"> = {},
) {
  await using world = new AsyncDisposableStack();
  const hearth = world.use(
    launchHearth({
      ...options,
      command: [binary, ...user.flags, "--remote-debugging-port=0", "--lang=en-US"],
      cwd: user.home,
      ...(user.ids && { user: user.ids }),
      env: { HOME: user.home, PATH: join(user.home, "nothing"), LANG: "en_US.UTF-8", ...env },
    }),
  );
  const addresses = await hearth.ready();
  const listens = /DevTools listening on (ws:\S+)\n/;
  await hearth.prints(listens);
  const endpoint = listens.exec(hearth.outputSoFar())?.[1] ?? "";
  const browser = world.adopt(await chromium.connectOverCDP(endpoint, { timeout: patienceMs }), (connected) =>
    connected.close(),
  );
  browser.contexts()[0]?.setDefaultTimeout(patienceMs);
  const page = browser.contexts()[0]?.pages()[0] as Page;
  // The introduction of a new data directory, whenever it is in the way.
  const introduction = page.getByRole("dialog", { name: "Welcome to Hearth" });
  await page.addLocatorHandler(introduction, () => introduction.getByRole("button", { name: "Skip" }).click());
  await page.getByRole("navigation", { name: "Pages" }).waitFor();
  const opened = world.move();
  return { hearth, addresses, page, [Symbol.asyncDispose]: () => opened.disposeAsync() };
}
