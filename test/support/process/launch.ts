/** Starts the built program as a user would, in a world of its own: data, temporary files and ports. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { chownSync, mkdirSync, readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { ServiceName } from "../../../server/contract/process/services.ts";
import type { ReadyFileContent } from "../../../server/supervisor/ready-file.ts";
import { eventually } from "../eventually.ts";
import { untilUnused } from "./processes.ts";
import { readWhenWritten } from "./read-when-written.ts";
import { servicePid, servicePids, serviceStatuses } from "./service-statuses.ts";
import { temporaryFolder } from "../temporary-folder.ts";

const root = fileURLToPath(new URL("../../../", import.meta.url));
export const built = (program: "app" | "cli" | "electron" | "model" | "model-trial" | "runner") =>
  join(root, `dist/${program}.js`);
export const builtCommand = built("cli");

export interface LaunchOptions {
  /** Command and arguments in place of the built `hearth serve`; the flags of the test's world follow them. */
  command?: readonly [string, ...string[]];
  flags?: readonly string[];
  env?: Readonly<Record<string, string>>;
  /** The working directory; by default the checkout. */
  cwd?: string;
  /** A data directory that outlives this run; else a fresh one. */
  dataDir?: string;
  /** By whom it is run; else by who runs the test. */
  user?: { readonly uid: number; readonly gid: number };
}

/** The environment without what the npm that runs the tests, or a developer, has set for Hearth; its sockets are temporary files, no tray is found, and caches are at home. */
export function plainEnvironment(): Record<string, string> {
  const kept = Object.entries(process.env).filter(
    ([name]) =>
      !/^(npm_|HEARTH_|INIT_CWD|NODE_OPTIONS|VITEST|XDG_RUNTIME_DIR|XDG_CACHE_HOME|DBUS_SESSION_BUS_ADDRESS)/i.test(
        name,
      ),
  );
  return Object.fromEntries(kept.filter((entry): entry is [string, string] => entry[1] !== undefined));
}

/** Starts Hearth; the run ends with `await using`. */
export function launchHearth({ command, flags = [], env = {}, cwd = root, user, ...options }: LaunchOptions = {}) {
  const folder = temporaryFolder();
  const { dataDir = join(folder.path, "data") } = options;
  const temporary = join(folder.path, "tmp");
  mkdirSync(temporary);
  if (user !== undefined) for (const path of [folder.path, temporary]) chownSync(path, user.uid, user.gid);
  const readyFile = join(folder.path, "ready.json");
  const [program, ...args] = command ?? [process.execPath, builtCommand, "serve"];
  const ports = ["--app-port", "0", "--provider-port", "0", "--model-port", "0"];
  // `hearth watch` serves nothing.
  const served = args.includes("watch") ? [] : ["--ready-file", readyFile, ...ports];
  const world = ["--data-dir", dataDir, ...served];
  const child = spawn(program, [...args, ...world, ...flags], {
    cwd,
    env: { ...plainEnvironment(), TMPDIR: temporary, ...env },
    stdio: ["ignore", "pipe", "pipe"],
    ...(user !== undefined && { uid: user.uid, gid: user.gid }),
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding("utf8").on("data", (text: string) => (output += text));
  let isOver = false;
  const exited = once(child, "close").then(([code]) => {
    isOver = true;
    return code as number | null;
  });
  const readAddresses = () => JSON.parse(readFileSync(readyFile, "utf8")) as ReadyFileContent;

  return {
    child,
    dataDir,
    readyFile,
    statuses: () => serviceStatuses(readAddresses()),
    pidOf: (name: ServiceName) => servicePid(readAddresses(), name),
    /** All that was printed. @throws while the run goes on: what it has printed may not have arrived yet */
    output(): string {
      if (!isOver) throw new Error("the run goes on: wait for what it prints with prints()");
      return output;
    },
    outputSoFar: () => output,
    /** Settles when this has been printed. */
    prints: (expected: string | RegExp) =>
      eventually(() => {
        const isPrinted = typeof expected === "string" ? output.includes(expected) : expected.test(output);
        if (!isPrinted) throw new Error(`${String(expected)} was not printed, but:\n${output}`);
      }),
    /** Settles when the run is over; null when a signal ended it. */
    exited,
    /** Settles when every service answers; rejects when the run is over before. */
    async ready(): Promise<ReadyFileContent> {
      const over = exited.then((code) => {
        throw new Error(`Hearth ended with ${code} before it was ready:\n${output}`);
      });
      return JSON.parse(await Promise.race([readWhenWritten(readyFile), over])) as ReadyFileContent;
    },
    /** Every process of the run. */
    async pids(): Promise<number[]> {
      return [readAddresses().pid, ...(await servicePids(readAddresses()))];
    },
    /** What lies in the run's folder for temporary files; npm keeps a cache of its own code there. */
    leftovers: () => readdirSync(temporary).filter((name) => name !== "node-compile-cache"),
    async [Symbol.asyncDispose]() {
      if (child.exitCode === null && child.signalCode === null) child.kill("SIGTERM");
      await exited;
      await untilUnused(temporary);
      folder[Symbol.dispose]();
    },
  };
}

/** A run, and what a test asks of it. */
export type Launched = ReturnType<typeof launchHearth>;
