/** A copy of a folder's tree that only the reported events keep up. Events that cannot be true of it are noted. */
import { lstatSync, readdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { unlessBelowFile } from "../../../server/file-system/is-missing.ts";

interface Entry {
  readonly inode: number;
  /** Of files; NaN for one that was already elsewhere when its write was told. */
  readonly size: number | undefined;
}
type Tree = ReadonlyMap<string, Entry>;

const isWithin = (path: string, folder: string) => path === folder || path.startsWith(`${folder}/`);

export function readTree(dir: string) {
  const look = (path: string): Entry | undefined => {
    const stats = unlessBelowFile(() => lstatSync(join(dir, path), { throwIfNoEntry: false }));
    return stats && { inode: stats.ino, size: stats.isFile() ? stats.size : undefined };
  };
  const paths = readdirSync(dir, { recursive: true, encoding: "utf8" });
  return { look, entries: new Map(paths.map((path) => [path, look(path)!])) };
}

/** What a mirror that starts from `before` has become by the events (lines such as "create a"), and what was untrue. */
export function mirrorAfter(dir: string, before: Tree, lines: readonly string[]) {
  const disk = readTree(dir);
  const mirror = new Map(before);
  /** What was at a path before something else was moved there, and may be moved on: two names that are swapped. */
  const displaced = new Map<string, Tree>();
  const untrue: string[] = [];

  function take(path: string): Tree {
    const taken = new Map([...mirror].filter(([name]) => isWithin(name, path)));
    for (const name of taken.keys()) mirror.delete(name);
    return taken;
  }

  /** Returns false if the two names are not those of one entry. */
  function rename(from: string, to: string): boolean {
    const inode = disk.look(to)?.inode;
    const setAside = displaced.get(from);
    const isAside = setAside?.get(from)?.inode === inode;
    if (inode === undefined || (!isAside && mirror.get(from)?.inode !== inode)) return false;
    const moving = isAside && setAside ? setAside : take(from);
    if (isAside) displaced.delete(from);
    if (mirror.has(to)) displaced.set(to, take(to));
    for (const [name, entry] of moving) {
      const path = to + name.slice(from.length);
      mirror.set(path, Number.isNaN(entry.size) ? (disk.look(path) ?? entry) : entry);
    }
    return true;
  }

  function apply(event: string, path: string): void {
    const [known, there] = [mirror.get(path), disk.look(path)];
    const isNew = !known || known.inode === there?.inode;
    const hasFolder = dirname(path) === "." || mirror.has(dirname(path));
    if (event === "create" ? !isNew || !hasFolder : event !== "move" && !known) untrue.push(`${event} ${path}`);
    if (event === "delete" || event === "move") take(path);
    if (event === "move") for (const [name, entry] of disk.entries) if (isWithin(name, path)) mirror.set(name, entry);
    if (event === "create" && there) mirror.set(path, there);
    if (event === "modify" && known) mirror.set(path, there ?? { ...known, size: NaN });
  }

  for (let at = 0; at < lines.length; at++) {
    const [event = "", path = ""] = lines[at]!.split(" ");
    const [next, to = ""] = lines[at + 1]?.split(" ") ?? [];
    if (event === "move" && next === "move" && rename(path, to)) at++;
    else apply(event, path);
  }
  return { untrue, entries: Object.fromEntries(mirror) };
}
