/**
 * The snapshot of an instance's heap once its code is loaded: a process that starts from it loads no module. It lies
 * next to the compiled code and belongs to one build, one folder and one Node. The first instance has it made.
 */
import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, rmSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { cachedDataVersionTag } from "node:v8";
import { compileCache } from "../../process/installation/compile-cache.ts";
import { inheritedEnvironment } from "../../supervisor/processes/process-environment.ts";

/** How Node runs an instance: its options, and the arguments of the entry. */
export interface InstanceCode {
  readonly nodeOptions: readonly string[];
  readonly entry: string;
  readonly args?: readonly string[];
}

const built = (name: string) => fileURLToPath(new URL(name, import.meta.url));

// A small young generation: a quarter less memory, and no slower for the few requests of a test.
export const memoryOptions = ["--max-semi-space-size=2"];

/** The code of modules, which every Node runs. */
export const plainCode: InstanceCode = { nodeOptions: memoryOptions, entry: built("./instance.js") };

/** Longer than making a snapshot takes. */
const makingMs = 60_000;

/** The beginning of the names of all snapshots for this Node. */
export const snapshotsOfThisNode = `instance-${process.version}-`;

/** The file of the snapshot; undefined where options of Node, or its owner, exclude one. */
function snapshotFile(): string | undefined {
  const { NODE_OPTIONS = "", NODE_DISABLE_COMPILE_CACHE = "" } = process.env;
  const code = statSync(built("./instance-code.cjs.br"), { throwIfNoEntry: false });
  if (code === undefined || NODE_OPTIONS !== "" || NODE_DISABLE_COMPILE_CACHE !== "") return undefined;
  const about = [cachedDataVersionTag(), process.arch, import.meta.url, code.size, code.mtimeMs];
  const key = createHash("sha256").update(about.join()).digest("hex").slice(0, 16);
  return join(compileCache.NODE_COMPILE_CACHE, `${snapshotsOfThisNode}${key}.snapshot`);
}

/** The folder in which a snapshot is made, and the mark that one is. */
export const workshopOf = (file: string): string => `${file}.making`;

/** Has a process of its own make the snapshot, unless another one does, or nothing can be written there. */
function makeInBackground(file: string): void {
  const workshop = workshopOf(file);
  const leave = () => rmSync(workshop, { recursive: true, force: true });
  try {
    mkdirSync(dirname(file), { recursive: true });
    const began = statSync(workshop, { throwIfNoEntry: false })?.mtimeMs ?? Infinity;
    if (Date.now() - began > makingMs) leave();
    mkdirSync(workshop, { mode: 0o700 });
  } catch {
    return;
  }
  // It outlives the caller, so it does not use the caller's temporary folder, nor counts as one of its services.
  const variables = Object.entries(inheritedEnvironment("app", process.env));
  const env = Object.fromEntries(variables.filter(([name]) => !/^(?:HEARTH_\w+|TMPDIR)$/i.test(name)));
  const options = { env, detached: true, stdio: "ignore", windowsHide: true } as const;
  spawn(process.execPath, [built("./make-snapshot.js"), file], options)
    .on("error", leave)
    .unref();
}

/** The code to start from, and what to do once the instance is ready. */
export function findCode(): { readonly code: InstanceCode; readonly onReady?: () => void } {
  const file = snapshotFile();
  if (file === undefined) return { code: plainCode };
  if (!existsSync(file)) return { code: plainCode, onReady: () => makeInBackground(file) };
  return { code: { ...plainCode, nodeOptions: [...memoryOptions, "--snapshot-blob", file] } };
}
