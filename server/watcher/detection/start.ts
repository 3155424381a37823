/** The start of watching: found entries become the known tree, and differences from the last run are reported. */
import { dirname } from "node:path";
import type { CatchUp } from "./catch-up.ts";
import { hasFacts, toKnown, type FileFacts, type KnownFacts, type Reading } from "./file-facts.ts";
import type { Change } from "./map-event.ts";
import type { SnapshotTree } from "./snapshot-tree.ts";

export interface StartDeps {
  readonly readFacts: (path: string) => Reading;
  readonly report: (change: Change) => void;
  /**
   * Receives the facts of a path after the changes reported so far; without facts, the path and all below it are gone.
   */
  readonly note: (path: string, facts?: KnownFacts) => void;
  /** Called with a new folder, whose entries are unknown. */
  readonly onFolder: (folder: string) => void;
  /** The last run's snapshot. Without it, the start reports no change. */
  readonly catchUp?: CatchUp | undefined;
}

export function createStart(tree: SnapshotTree, { readFacts, report, note, onFolder, ...deps }: StartDeps) {
  let isOver = false;
  let catchUp: CatchUp | undefined = deps.catchUp;

  /** Adds an entry that the start finds to the tree. Reports how it differs from the last run. */
  function meet(path: string, facts: FileFacts, name?: string): void {
    const known = toKnown(facts);
    tree.attach(path, { facts: known }, name);
    if (known.kind === "directory") onFolder(path);
    const changes = catchUp?.found(path, facts) ?? [];
    changes.forEach(report);
    if (changes.length > 0) note(path, known);
  }

  /** Reports a path of the last run that no longer exists. */
  function lose(path: string): void {
    const changes = catchUp?.lost(path) ?? [];
    changes.forEach(report);
    if (changes.length > 0) note(path);
  }

  return {
    isOver: () => isOver,
    /** Whether the folder is part of the initial scan. Once started, everything found is reported. */
    learns: (folder: string): boolean => !isOver && tree.hasFolder(folder),
    /** Whether what is found now is compared with the last run. */
    catchesUp: () => catchUp !== undefined,
    meet,
    /** Adds an entry that the start finds in a folder, or that only the last run knew there (`isListed` false). */
    learn: (path: string, name: string, isListed = true): void => {
      if (tree.get(path)) return;
      const facts = readFacts(path);
      // Also with facts: where letter case is ignored, they belong to an entry that is listed in another case.
      if (!isListed && facts !== "unreadable") return lose(path);
      if (hasFacts(facts)) return meet(path, facts, name);
      // It is unreadable, or has just been deleted, which produces a hint.
      const lastKnown = catchUp?.take(path);
      if (!lastKnown) return;
      tree.attach(path, lastKnown, name);
      if (lastKnown.facts.kind === "directory") onFolder(path);
    },
    /** A folder that the start cannot read. The last run may have known what is in it. */
    leaveUnlearned: (folder: string): void => {
      const node = tree.get(folder);
      if (node && !catchUp) node.unlearned = true;
    },
    /** Drops an entry that is excluded now from the catch-up. */
    leaveOut: (path: string) => void catchUp?.take(path),
    /** Names known in a folder; before the end also those of the last run that are not checked yet. */
    entries: (folder: string): string[] => [...tree.entries(folder), ...(catchUp?.entries(folder) ?? [])],
    /** Ends the start. Entries that could not be read are assumed to be unchanged. */
    end: (): void => {
      for (const [path, node] of catchUp?.rest() ?? []) if (tree.hasFolder(dirname(path))) tree.attach(path, node);
      isOver = true;
      catchUp = undefined;
    },
  };
}
