import { basename, dirname, join, relative } from "node:path";
import { createCatchUp } from "../../../server/watcher/detection/catch-up.ts";
import { ChangeDetector } from "../../../server/watcher/detection/change-detector.ts";
import type { Hint } from "../../../server/watcher/detection/hint.ts";
import type { FileFacts } from "../../../server/watcher/detection/file-facts.ts";
import type { TreeNode } from "../../../server/watcher/detection/snapshot-tree.ts";
import { createTreeReader, noteOf, type TreeNote } from "../../../server/watcher/journal/tree-notes.ts";

/** When the watched folder and what it holds at first were made. */
export const start = 1_700_000_000_000;

interface Circumstances {
  readonly ignoresCase?: boolean;
  /** What the last run knew. */
  readonly before?: TreeNode | undefined;
}

/** A disk in memory, and a detector that looks at it. */
export function memoryDisk(exact = true, root = "/watched", { ignoresCase = false, before }: Circumstances = {}) {
  const files = new Map<string, FileFacts>();
  const spelled = (path: string) => (ignoresCase ? path.toLowerCase() : path);
  const notes: TreeNote[] = [];
  const inside = (path: string) => path.slice(root.length) || "/";
  const reported: string[] = [];
  let clock = 0;
  let inodes = 1;
  const facts = (kind: FileFacts["kind"], born: number, size = 0): FileFacts => ({
    kind,
    inode: inodes++,
    born,
    modified: born,
    changed: born,
    accessed: born - 1_000,
    size,
    mode: 0o644,
    owner: 0,
    group: 0,
    links: 1,
  });
  files.set(root, facts("directory", start));
  notes.push(noteOf("/", files.get(root)));
  const detector = new ChangeDetector({
    root,
    readFacts: (path) => [...files].find(([one]) => spelled(one) === spelled(path))?.[1],
    namesIn: (folder) => [...files.keys()].filter((path) => dirname(path) === folder).map((path) => basename(path)),
    report: ({ path, ev }) => reported.push(`${ev} ${relative(root, path)}`),
    note: (path, known) => notes.push(noteOf(inside(path), known)),
    onFolder: () => undefined,
    onGone: () => undefined,
    onMoved: () => undefined,
    catchUp:
      before &&
      createCatchUp({
        path: root,
        root: before,
        isExcluded: () => false,
        wasExcluded: () => false,
        isElsewhere: false,
      }),
    now: () => clock,
    date: () => start + 60_000,
    exact,
  });
  const at = (name: string) => join(root, name);
  return {
    detector,
    put: (name: string, size = 0, born = start + 60_000) => files.set(at(name), facts("file", born, size)),
    mkdir: (name: string, born = start + 60_000) => files.set(at(name), facts("directory", born)),
    change: (name: string, moved: Partial<FileFacts>) => files.set(at(name), { ...files.get(at(name))!, ...moved }),
    facts: (name: string) => files.get(at(name))!,
    rm: (name: string) => files.delete(at(name)),
    mv(from: string, to: string) {
      for (const [path, entry] of [...files])
        if (path === at(from) || path.startsWith(`${at(from)}/`)) {
          files.delete(path);
          files.set(
            at(to) + path.slice(at(from).length),
            path === at(from) ? { ...entry, changed: start + 70_000 } : entry,
          );
        }
    },
    learn: (...names: string[]) => names.forEach((name) => detector.start.learn(at(name), name.split("/").at(-1)!)),
    hint: (...hints: (string | Partial<Hint>)[]) =>
      detector.process(
        hints.map((hint) => ({
          renames: 1,
          changed: false,
          seenUntil: start + 59_000,
          ...(typeof hint === "string" ? { path: at(hint) } : { ...hint, path: at(hint.path ?? "") }),
        })),
      ),
    wait(ms: number) {
      clock += ms;
      detector.settleDepartures();
    },
    /** What the next run would know, by the notes of this one. */
    kept() {
      const reader = createTreeReader();
      reader.read(notes);
      return reader.root();
    },
    /** What was reported since the last call. */
    reports: () => reported.splice(0),
  };
}
