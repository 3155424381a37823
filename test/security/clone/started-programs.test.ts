/**
 * The programs that Hearth starts, each with what it sees of foreign data. A program that is started to read foreign data
 * obeys what these say, as git does; one with a bare name may be a clone's. A new start needs a row here.
 */
import { globSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { root } from "../../../build/root.ts";

interface Start {
  readonly program: string;
  /** How it is found. Bare names are for build scripts, which run in Hearth's own checkout. */
  readonly found: "full path" | "absolute entries of PATH" | "the user's words" | "bare name";
  /** The folder that it starts in; "working" may be a clone. */
  readonly cwd: "working" | "root" | "checkout" | "temporary";
  readonly foreignData: string;
}

const start = (program: string, found: Start["found"], cwd: Start["cwd"], foreignData: string): Start => ({
  program,
  found,
  cwd,
  foreignData,
});
const none = "none";
/** Hearth's own code reads it, within its own limits. */
const services = "requests, models and files that Hearth's own code reads";

const table: Readonly<Record<string, readonly Start[]>> = {
  "server/app/code-routes/start-process.ts": [
    start("Node with a bundle of Hearth's", "full path", "working", "code that the user has named or confirmed"),
  ],
  "server/cli.ts": [start("Node in node_modules", "full path", "working", "the command line")],
  "server/cli/exec/exec.ts": [start("the command after --", "the user's words", "working", "whatever it reads")],
  "server/cli/integration/start-backend.ts": [
    start("the command after --", "the user's words", "working", "whatever it reads"),
  ],
  "server/cli/open-browser.ts": [
    start("rundll32.exe, /usr/bin/open or xdg-open", "absolute entries of PATH", "root", "Hearth's own address"),
  ],
  "server/cli/window/find-electron.ts": [start("Node with Electron's own script", "full path", "working", none)],
  "server/cli/window/start-in-window.ts": [start("Electron", "full path", "working", services)],
  "server/kit/snapshot/instance-snapshot.ts": [start("Node with a bundle of Hearth's", "full path", "working", none)],
  "server/kit/snapshot/make-snapshot.ts": [start("Node, for a snapshot", "full path", "working", none)],
  "server/process/installation/user-path.ts": [
    start("powershell.exe", "full path", "working", "a folder's path, by a variable"),
  ],
  "server/process/lifetime/ask-to-stop.ts": [start("taskkill.exe", "full path", "working", "a process id")],
  "server/process/lifetime/watch-launcher.ts": [start("/bin/ps", "full path", "working", "a process id")],
  "server/runner/answer-binary-test.ts": [
    start("Node with the engine's script", "full path", "working", "the engine's binary"),
    start("Node with the engine's script", "full path", "working", "the engine's binary"),
    start("Node with the engine's script", "full path", "working", "the engine's binary"),
  ],
  "server/runner/memory.ts": [start("/usr/bin/vm_stat", "full path", "working", none)],
  "server/supervisor/processes/fork-node.ts": [
    start("Node with a bundle of Hearth's", "full path", "working", services),
  ],
  "electron/desktop/find-tray.ts": [start("gdbus", "absolute entries of PATH", "working", none)],
  "electron/desktop-program.ts": [
    start("the file manager, for the data directory", "full path", "working", "names of files"),
    start("the file manager, for the log's folder", "full path", "working", "names of files"),
  ],
  "electron/startup/command-line.ts": [
    start("this program, again", "full path", "working", "the command line"),
    start("this program, again", "full path", "working", "the command line"),
  ],
  "electron/startup/fork-utility-process.ts": [
    start("Electron with a bundle of Hearth's", "full path", "working", services),
  ],
  "electron/startup/refuse-start.ts": [start("the browser", "full path", "working", "Hearth's own address")],
  "electron/window/console-links.ts": [start("the browser", "full path", "working", "an http or https address")],
  "build/prepare.mjs": [
    start("Node with the install script of the package node", "full path", "checkout", none),
    start("Node with build.ts", "full path", "checkout", none),
    start("Node with the script of an npm command", "full path", "checkout", none),
  ],
  "build/add-gpu-engine.ts": [start("npm, tar", "bare name", "checkout", "an archive of a known digest")],
  "build/install/electron-for-tests.ts": [
    start("npm, tar", "bare name", "checkout", "an archive of a known digest"),
    start("Node with Electron's own script", "full path", "checkout", none),
  ],
  "build/install/install-packages.mjs": [start("npm", "bare name", "checkout", "packages of known digests")],
  "build/install/system-packages.ts": [
    start("sh", "bare name", "checkout", none),
    start("php", "bare name", "checkout", none),
    start("apt-cache", "bare name", "checkout", none),
    start("apt-get", "bare name", "checkout", none),
    start("ldconfig", "bare name", "checkout", none),
  ],
};

/** Packages in the program that can start others, and what they start of it in Hearth. */
const packages = {
  commander: "nothing: it starts programs for commands with a description as second argument, and Hearth has none",
  "cross-spawn": "the command of hearth exec",
  "electron-updater": "the system's installers, by absolute entries of PATH; the packages have the feed's digests",
  "node-llama-cpp": "its test of the engine's binary; it builds none",
  "simple-git": "nothing: node-llama-cpp would fetch sources by it",
};

const calls =
  /(?<![.\w])(?:spawn|spawnSync|execFile|execFileSync|execSync|fork)\(|utilityProcess\.fork\(|shell\.open\w+\(|app\.relaunch\(/g;
/** Every way to start a program names one of these. */
const ways = /child_process|cross-spawn|utilityProcess|execve|shell\.open\w+\(|app\.relaunch\(/;

/** The product, and the scripts that prepare a checkout for its users. */
const sources = [
  "server/**/*.ts",
  "electron/**/*.ts",
  "build/prepare.mjs",
  "build/*-engine.ts",
  "build/trim-*.mjs",
].concat("build/install/*.{ts,mjs}");

function startsInSources(): Record<string, number> {
  const found = globSync(sources, { cwd: root }).flatMap((file) => {
    const code = readFileSync(join(root, file), "utf8").replaceAll(/^ *(?:\/\/|\/?\*).*$/gm, "");
    return ways.test(code) && !file.endsWith(".d.mts") ? [[file, [...code.matchAll(calls)].length] as const] : [];
  });
  return Object.fromEntries(found);
}

it("Every program that Hearth or its preparation starts has its row", () => {
  const rows = Object.entries(table).map(([file, starts]) => [file, starts.length] as const);
  expect(startsInSources()).toEqual(Object.fromEntries(rows));
});

it("Hearth itself starts no program by a bare name", () => {
  const bare = Object.entries(table).filter(([, starts]) => starts.some(({ found }) => found === "bare name"));
  expect(bare.map(([file]) => file).filter((file) => !file.startsWith("build/"))).toEqual([]);
  for (const file of Object.keys(table).filter((one) => !one.startsWith("build/"))) {
    const code = readFileSync(join(root, file), "utf8");
    const named = [...code.matchAll(/(?<![.\w])(?:spawn|execFile)(?:Sync)?\(\s*"([^"]+)"/g)].map(([, name]) => name);
    expect(
      named.filter((name) => name?.startsWith("/") !== true),
      file,
    ).toEqual([]);
  }
});

it("Every package in the program that can start others has its row", () => {
  const bundled = JSON.parse(readFileSync(join(root, "dist/node.packages.json"), "utf8")) as string[];
  const canStart = (folder: string): boolean =>
    readdirSync(folder, { withFileTypes: true }).some((entry) => {
      const path = join(folder, entry.name);
      if (entry.isDirectory()) return !/^(?:node_modules|tests?|benchmarks?)$/.test(entry.name) && canStart(path);
      return /[.][cm]?js$/.test(entry.name) && /["'](?:node:)?child_process["']/.test(readFileSync(path, "utf8"));
    });
  const found = bundled.filter((folder) => canStart(join(root, folder)));
  expect(found.map((folder) => folder.replace(/^.*node_modules\//, "")).toSorted()).toEqual(Object.keys(packages));
});
