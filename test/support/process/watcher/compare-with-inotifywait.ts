/** Runs random operations beside the watcher and `inotifywait`, and compares the paths of the two. */
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { lstatSync, mkdirSync, readdirSync, readFileSync, realpathSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { setTimeout } from "node:timers/promises";
import type { Change } from "../../../../server/watcher/detection/map-event.ts";
import { watchFolder } from "../../../../server/watcher/folder/folder-changes.ts";
import { temporaryFolder } from "../../temporary-folder.ts";
import { asShellScript, folders, randomOperations } from "./disk-operations.ts";

export interface Comparison {
  /** Paths that changed according to inotifywait. */
  readonly paths: number;
  /** Paths that neither existed before nor after, and that the watcher did not report. */
  readonly vanished: number;
  readonly lost: readonly string[];
  /** The notifications of both, for the message of a failure. */
  readonly story: string;
}

export interface Run {
  readonly seed: number;
  readonly pace: "shell" | "program";
  readonly count?: number;
  readonly withMounts?: boolean;
}

interface Entry {
  /** Equal for one entry at all its paths. */
  readonly identity: string;
  /** Everything that a change of the entry changes, except the number of its links. */
  readonly state: string;
}

function entryAt(path: string): Entry | undefined {
  const stats = lstatSync(path, { throwIfNoEntry: false });
  if (!stats) return undefined;
  const { dev, ino, birthtimeMs, size, mtimeMs, mode } = stats;
  // The size and the time of a folder change with its entries.
  const state = stats.isDirectory() ? String(mode) : [size, mtimeMs, mode].join(" ");
  return { identity: [dev, ino, birthtimeMs].join(":"), state };
}

/** Every path in a folder, with its entry. */
function entriesOf(dir: string): Map<string, Entry> {
  const names = readdirSync(dir, { recursive: true, encoding: "utf8" });
  return new Map(names.map((name) => [name, entryAt(join(dir, name))!]));
}

function isBelowReported(path: string, reported: ReadonlySet<string>): boolean {
  const parts = path.split("/");
  return parts.some((_part, end) => end > 0 && reported.has(parts.slice(0, end).join("/")));
}

interface Seen {
  readonly before: ReadonlyMap<string, Entry>;
  readonly after: ReadonlyMap<string, Entry>;
  readonly theirs: ReadonlySet<string>;
  readonly ours: ReadonlySet<string>;
  /** The state of each entry, by identity, when it was reported last. */
  readonly known: ReadonlyMap<string, string>;
  /** Folders on which a file system is mounted in the end. */
  readonly mounts: readonly string[];
}

/**
 * A path that inotifywait names must be reported, or the path that its entry has now: a folder above it was renamed. An entry
 * that went or came with a folder is reported by that folder. After the last report of an entry, it must not have changed.
 */
function compare({ before, after, theirs, ours, known, mounts }: Seen): Omit<Comparison, "story"> {
  const pathOf = new Map([...after].map(([path, { identity }]) => [identity, path]));
  const isReported = (path: string) => {
    if (ours.has(path)) return true;
    const was = before.get(path)?.identity;
    const now = was === undefined ? undefined : pathOf.get(was);
    if (now !== undefined && now !== path) return ours.has(now) || isBelowReported(now, ours);
    return was !== after.get(path)?.identity && isBelowReported(path, ours);
  };
  const isCurrent = ([path, { identity, state }]: [string, Entry]) =>
    known.has(identity) ? known.get(identity) === state : isBelowReported(path, ours) || isMounted(path);
  // The system notifies nobody of a mount, nor of changes in what was mounted since.
  const isMounted = (path: string) => mounts.some((mount) => path === mount || path.startsWith(`${mount}/`));
  const missing = [...theirs].filter((path) => !isReported(path));
  const lost = missing.filter((path) => before.has(path) || after.has(path));
  const stale = [...after].filter((entry) => !isCurrent(entry)).map(([path]) => path);
  return { paths: theirs.size, vanished: missing.length - lost.length, lost: [...new Set([...lost, ...stale])] };
}

async function until(isTrue: () => boolean): Promise<void> {
  while (!isTrue()) await setTimeout(10);
}

async function startInotifywait(dir: string) {
  const events = "modify,attrib,move,create,delete";
  const tool = spawn("inotifywait", ["-m", "-r", "-e", events, "--format", "%e %w%f", "."], { cwd: dir });
  const lines: string[] = [];
  let [rest, errors] = ["", ""];
  tool.stdout.setEncoding("utf8").on("data", (text: string) => {
    const parts = (rest + text).split("\n");
    rest = parts.pop() ?? "";
    lines.push(...parts);
  });
  tool.stderr.setEncoding("utf8").on("data", (text: string) => (errors += text));
  await until(() => errors.includes("Watches established"));
  const paths = () => new Set(lines.map((line) => line.replace(/^\S+ \.\//, "").replace(/\/$/, "")));
  return {
    lines,
    paths,
    async stop() {
      tool.kill();
      await once(tool, "exit");
    },
  };
}

async function operate(dir: string, { seed, pace, count = 25, withMounts = false }: Run): Promise<void> {
  const program = join(import.meta.dirname, "call-operations.ts");
  const child =
    pace === "shell"
      ? spawn("sh", ["-c", asShellScript(randomOperations(count, seed, withMounts))], { cwd: dir, stdio: "ignore" })
      : spawn(process.execPath, [program, String(count), String(seed), String(withMounts)], { cwd: dir });
  await once(child, "exit");
}

export async function compareWithInotifywait(run: Run): Promise<Comparison> {
  using temporary = temporaryFolder();
  const dir = join(realpathSync(temporary.path), "watched");
  for (const folder of folders.slice(0, 5)) {
    mkdirSync(join(dir, folder), { recursive: true });
    for (const name of ["1", "2"]) writeFileSync(join(dir, folder, name), "old");
  }
  const ours = new Set<string>();
  const before = entriesOf(dir);
  const known = new Map([...before.values()].map(({ identity, state }) => [identity, state]));
  const reported: string[] = [];
  const learn = ({ path, ev }: Change) => {
    reported.push(`${ev} ${relative(dir, path)}`);
    ours.add(relative(dir, path));
    const entry = entryAt(path);
    if (entry) known.set(entry.identity, entry.state);
  };
  const errors: Error[] = [];
  const onError = (error: Error) => void errors.push(error);
  const folder = await watchFolder({
    dir,
    root: dir,
    exclusion: { has: () => false, hasEach: (paths) => paths.map(() => false) },
    lastPicture: undefined,
    report: (changes) => changes.forEach(learn),
    onOtherFolder: () => undefined,
    onError,
    onUnwatched: () => undefined,
    onFailed: onError,
  });
  const inotifywait = await startInotifywait(dir);
  try {
    await operate(dir, run);
    const after = entriesOf(dir);
    writeFileSync(join(dir, "end"), "");
    await until(() => ours.has("end") && inotifywait.paths().has("end"));
    await folder.settle();
    const theirs = inotifywait.paths();
    theirs.delete("end");
    if (errors.length > 0) throw new AggregateError(errors);
    const story = [...inotifywait.lines, "watcher:", ...reported].join("\n");
    return { ...compare({ before, after, theirs, ours, known, mounts: mountsIn(dir) }), story };
  } finally {
    folder.stop();
    await inotifywait.stop();
    for (const mount of mountsIn(dir)) spawnSync("umount", ["-l", mount], { cwd: dir });
  }
}

/** Mounted folders below a folder, the latest first. */
function mountsIn(dir: string): string[] {
  const points = readFileSync("/proc/self/mounts", "utf8")
    .split("\n")
    .map((line) => line.split(" ")[1] ?? "");
  return points
    .filter((point) => point.startsWith(dir))
    .map((point) => relative(dir, point))
    .toReversed();
}
