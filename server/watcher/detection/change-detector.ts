/**
 * Turns hints ("something happened at this path") into the five changes. A hint is never trusted: the path is read
 * again and compared with the last known tree, so a repeated or late hint changes nothing. This module knows neither
 * chokidar nor the receiver.
 */
import { dirname, sep } from "node:path";
import type { FileChange } from "../../contract/app/file-events.ts";
import { createDepartures, deletionsOf, type Departure } from "./departures.ts";
import { hasFacts, identityOf, sameIdentity, toKnown, type FileFacts, type Reading } from "./file-facts.ts";
import { createFileSystemClock, type FileSystemClockDeps } from "./file-system-clock.ts";
import type { Hint, Observation } from "./hint.ts";
import { changesBetween, folderAttributesChanged, owedChanges } from "./map-event.ts";
import { createObserver } from "./observe.ts";
import type { OwnPathDeps } from "./own-path.ts";
import { readArrival } from "./read-arrival.ts";
import { followRenamedFolders } from "./renamed-folders.ts";
import { createStart, type StartDeps } from "./start.ts";
import { createSnapshotTree, subtree, type PlacedNode, type TreeNode } from "./snapshot-tree.ts";

export interface Change {
  readonly path: string;
  readonly ev: FileChange;
}

export interface ChangeDetectorDeps extends StartDeps, OwnPathDeps, FileSystemClockDeps {
  readonly root: string;
  /** Called with a new folder in the place of another one, and with those in it. */
  readonly onReplaced: (folder: string) => void;
  readonly onMoved: (from: string, to: string) => void;
  /** Monotonic milliseconds. */
  readonly now: () => number;
  /** The platform names every changed entry once per change and has exact times (Linux). */
  readonly exact: boolean;
}

/** The order in which changes found by one check are reported. */
const inOrder = ["modify", "attrib"] as const;

const isFolder = (reading: Reading): reading is FileFacts => hasFacts(reading) && reading.kind === "directory";

export type ChangeDetector = ReturnType<typeof createChangeDetector>;

export function createChangeDetector(deps: ChangeDetectorDeps) {
  const { root, readFacts, report, note, onReplaced, onMoved, now, exact } = deps;
  const rootFacts = readFacts(root);
  if (!hasFacts(rootFacts)) throw new Error(`${root} does not exist or cannot be read`);
  const tree = createSnapshotTree(root, rootFacts);
  const departures = createDepartures();
  const seenUntil = createFileSystemClock(deps);
  const start = createStart(tree, deps);
  let batch = new Map<string, Observation>();
  let arriving = new Map<string, Observation>();
  let observe = createObserver(tree, deps).observe;

  const noteGone = (path: string) => {
    if (!tree.get(path)) note(path);
  };
  const newHomeOf = ({ node }: Departure) => arriving.get(identityOf(node.facts));
  const reportDeleted = (departure: Departure) => {
    deletionsOf(departure, sep, departure.withContents).forEach(report);
    noteGone(departure.path);
  };

  function depart({ path, found = false }: Hint, replaced: boolean): void {
    const node = tree.detach(path);
    // A look may find a folder gone whose notifications, and those of its entries, are lost or still to come.
    const withContents = !exact || found;
    if (node) departures.add({ path, node, replaced, withContents, since: now() });
  }

  /** Settles the parent folder first. Returns false if it is none: not there, or a link, behind which nothing counts. */
  function settleFolder(folder: string): boolean {
    const unknown =
      batch.get(folder) ??
      (tree.get(folder) ? undefined : observe({ path: folder, renames: 0, changed: false, seenUntil: 0 }));
    if (unknown) settle(unknown);
    return tree.hasFolder(folder);
  }

  /**
   * If the same batch found the path's previous entry, or one from below it, elsewhere, settles that move first: it
   * happened first.
   */
  function settleNewHomes(path: string): void {
    const displaced = departures.at(path);
    if (!displaced) return;
    for (const departure of [...departures.below(displaced), displaced]) {
      const newHome = newHomeOf(departure);
      if (newHome) settle(newHome);
    }
  }

  function settle(one: Observation): void {
    const { hint, facts } = one;
    if (one.settled || !facts) return;
    // False, too, while its folder is being settled, which can lead here: then it has its turn after the folder.
    one.settled = settleFolder(dirname(hint.path));
    if (!one.settled) return;
    const known = tree.get(hint.path);
    if (known && sameIdentity(known.facts, facts)) return compare(hint, known, facts);
    if (known) depart(hint, true);
    const departed = departures.claim(identityOf(facts));
    settleNewHomes(hint.path);
    if (departed) moved(departed, hint, facts);
    else arrived(hint, facts);
  }

  /**
   * Closes the record of the path's previous entry and of what was below it, innermost first, except what is still to
   * arrive elsewhere. Returns true if the new entry replaced it in one step (moved over it), which is no deletion.
   */
  function clearTheWay({ path, renames }: Hint): boolean {
    const displaced = departures.at(path);
    if (!displaced) return false;
    for (const inner of departures.below(displaced)) {
      if (newHomeOf(inner)?.settled === false) continue;
      departures.remove(inner);
      reportDeleted(inner);
    }
    departures.remove(displaced);
    const inOneStep = displaced.replaced && renames <= 1;
    if (!inOneStep) reportDeleted(displaced);
    return inOneStep;
  }

  function moved(departed: Departure, hint: Hint, facts: FileFacts): void {
    const { path } = hint;
    clearTheWay(hint);
    // The rename itself updates the change time; that is no change of attributes.
    const before = { ...departed.node.facts, changed: facts.changed };
    const changes = facts.kind === "file" ? changesBetween(before, facts, exact) : [];
    if (!hint.changed) for (const ev of changes) report({ path: departed.path, ev });
    report({ path: departed.path, ev: "move" });
    report({ path, ev: "move" });
    if (hint.changed) for (const ev of changes) report({ path, ev });
    const node = { ...departed.node, facts: toKnown(facts) };
    tree.attach(path, node);
    noteGone(departed.path);
    departures.remove(departed);
    if (facts.kind === "directory") departures.folderMoved(departed.path, path, node, tree.get(departed.path));
    onMoved(departed.path, path);
    for (const [place, { facts: known }] of subtree(path, node)) note(place, known);
  }

  function arrived(hint: Hint, facts: FileFacts): void {
    const { path, changed } = hint;
    if (start.catchesUp()) {
      clearTheWay(hint);
      return start.meet(path, facts);
    }
    const folder = tree.get(dirname(path));
    const { isFound, kind, cameAlong, isLate, isWritten } = readArrival(
      { ...hint, seenUntil: seenUntil(hint, facts) },
      facts,
      folder,
    );
    const node: TreeNode = { facts: toKnown(facts) };
    if (facts.kind === "directory" && start.isOver()) {
      departures.folderAppeared(now());
      node.arrived = cameAlong ?? { as: kind, changed: facts.changed };
    }
    if (facts.kind === "directory" && (folder?.replaced || departures.at(path)?.node.facts.kind === "directory")) {
      node.replaced = true;
      onReplaced(path);
    }
    tree.attach(path, node);
    note(path, node.facts);
    if (isLate && facts.kind === "directory") node.unlearned = true;
    // It is no event of its own.
    if (cameAlong || isLate || (!start.isOver() && kind === "move")) return;
    if (isWritten) return report({ path, ev: "modify" });

    const change = clearTheWay(hint) ? "move" : kind;
    report({ path, ev: change });
    if (change === "move") return;
    if (isFound || changed) for (const ev of owedChanges(facts, changed, exact)) report({ path, ev });
    else node.writeOwed = facts.kind === "file";
  }

  function compare({ path, renames, changed, changedAgain }: Hint, known: TreeNode, facts: FileFacts): void {
    const before = known.facts;
    known.facts = toKnown(facts);
    if (facts.kind === "directory") {
      if (folderAttributesChanged(before, facts, exact && renames > 0)) report({ path, ev: "attrib" });
      return;
    }
    if (facts.changed !== before.changed || facts.size !== before.size) note(path, known.facts);
    const changes = new Set(changesBetween(before, facts, exact));
    // Report the write that followed the creation once: on the first check that shows it, whether its notification has
    // arrived, is on its way or was lost.
    if (known.writeOwed && (changed || facts.size > 0)) {
      delete known.writeOwed;
      for (const ev of owedChanges(facts, changed, exact)) changes.add(ev);
    }
    const timesSet = changed && facts.modified !== before.modified && !changes.has("modify");
    const isWriteHidden = timesSet ? changedAgain : changed && known.timesSet && changes.size === 0;
    if (isWriteHidden) changes.add("modify");
    if (timesSet && !isWriteHidden) known.timesSet = true;
    else if (changed) delete known.timesSet;
    for (const ev of inOrder) if (changes.has(ev)) report({ path, ev });
  }

  return {
    /** Reads the watched folder itself again. Returns whether another folder is in its place. */
    lookAtRoot(): boolean {
      const [facts, node] = [readFacts(root), tree.get(root)];
      if (!isFolder(facts) || !node || sameIdentity(node.facts, facts)) return false;
      node.facts = toKnown(facts);
      note(root, node.facts);
      return true;
    },
    /** Whether the folder is part of the initial scan. Once started, everything found is reported. */
    learns: (folder: string) => !start.isOver() && tree.hasFolder(folder),
    learn: start.learn,
    leaveUnlearned: start.leaveUnlearned,
    leaveOut: start.leaveOut,
    started: start.end,
    /** Everything known, including departed entries that are not reported yet; each folder precedes its entries. */
    *known(): Generator<PlacedNode> {
      yield* tree.nodes();
      const missed = departures.missed().sort((a, b) => a.path.length - b.path.length);
      for (const { path, node } of missed) yield* subtree(path, node);
    },
    /** Checks every hinted path. Returns the hints whose paths cannot be read now. */
    process(hints: readonly Hint[]): Hint[] {
      const observer = createObserver(tree, deps);
      observe = observer.observe;
      const { batch: looks, unreadable } = observer.observeEach(hints);
      batch = looks;
      const along = followRenamedFolders(batch, tree, observe);
      const observations = [...batch.values()];
      // Deepest first: an entry with its own hint must not leave together with its folder.
      const deepestFirst = observations.toSorted((a, b) => b.hint.path.length - a.hint.path.length);
      for (const { hint, facts } of deepestFirst) {
        const known = tree.get(hint.path);
        if (hint.path === root || !known || along.has(known)) continue;
        if (!(facts && sameIdentity(known.facts, facts))) depart(hint, facts !== undefined);
      }
      arriving = new Map(
        observations.flatMap((one) => (one.facts && !tree.get(one.hint.path) ? [[identityOf(one.facts), one]] : [])),
      );
      observations.forEach(settle);
      batch = new Map();
      arriving = new Map();
      return unreadable;
    },
    /**
     * Reports departed entries that did not reappear in time as deleted. Returns the ms to wait before the next call,
     * if any.
     */
    settleDepartures(everything = false): number | undefined {
      const time = everything ? Infinity : now();
      for (const departure of departures.takeDue(time)) if (!departure.replaced) reportDeleted(departure);
      const next = departures.nextDue();
      return next === undefined ? undefined : Math.max(0, next - now());
    },
    /** Names known in a folder; during the start also those that the last run knew. */
    entries: (folder: string) => [...tree.entries(folder), ...start.entries(folder)],
    folders: () => tree.folders(),
    /** Whether the path is a folder now, or was one at the last check. */
    isFolder: (path: string) => tree.hasFolder(path) || isFolder(readFacts(path)),
  };
}
