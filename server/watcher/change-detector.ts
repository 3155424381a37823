/**
 * Turns hints ("something happened at this path") into the five changes. A hint is never believed: the path is looked at
 * again and compared with the tree as last seen, so a repeated or late hint changes nothing. Knows neither chokidar nor
 * the receiver.
 */
import { dirname, sep } from "node:path";
import type { FileChange } from "../contract/app/file-events.ts";
import type { CatchUp } from "./catch-up.ts";
import { createDepartures, deletionsOf, type Departure } from "./departures.ts";
import { identityOf, sameIdentity, toKnown, type FileFacts, type KnownFacts } from "./file-facts.ts";
import { changeOnArrival, changesBetween, changesSinceCreation, folderAttributesChanged } from "./map-event.ts";
import { createSnapshotTree, subtree, type PlacedNode, type TreeNode } from "./snapshot-tree.ts";

export interface Hint {
  readonly path: string;
  /** How often the entry of this name came, went or was replaced. 0: found by looking through its folder. */
  readonly renames: number;
  /** The content or the attributes were touched. */
  readonly changed: boolean;
  /** Everything that happened before this moment (ms since 1970) had been hinted at when this hint came. */
  readonly seenUntil: number;
}

export interface Change {
  readonly path: string;
  readonly ev: FileChange;
}

export interface ChangeDetectorDeps {
  readonly root: string;
  readonly readFacts: (path: string) => FileFacts | undefined;
  readonly report: (change: Change) => void;
  /** Told what is known to be at a path once the changes reported so far have been; without facts nothing is, nor below. */
  readonly note: (path: string, facts?: KnownFacts) => void;
  /** What the last run knew; without it, nothing that the start finds is news. */
  readonly catchUp?: CatchUp | undefined;
  /** Monotonic milliseconds. */
  readonly now: () => number;
  /** The platform names every changed entry once per change and has exact times (Linux). */
  readonly exact: boolean;
}

/** A rename's two hints come together; only this long may the second one lag behind. */
const pairWithinMs = 10;
/** The second name can lie in a folder too new to be watched yet: then it is found when the folder is looked through. */
const pairWithNewFolderWithinMs = 100;

/** What one look shows at once is told in this order. */
const inOrder = ["modify", "attrib"] as const;

interface Observation {
  readonly hint: Hint;
  readonly facts: FileFacts | undefined;
  settled: boolean;
}

export type ChangeDetector = ReturnType<typeof createChangeDetector>;

export function createChangeDetector(deps: ChangeDetectorDeps) {
  const { root, readFacts, report, note, now, exact } = deps;
  const rootFacts = readFacts(root);
  if (!rootFacts) throw new Error(`${root} does not exist`);
  const tree = createSnapshotTree(root, rootFacts);
  const departures = createDepartures();
  let newFolderAt = -Infinity;
  let starting = true;
  let { catchUp } = deps;
  let batch = new Map<string, Observation>();
  let arriving = new Map<string, Observation>();

  const observe = (hint: Hint): Observation => {
    const facts = hint.path === root ? undefined : readFacts(hint.path);
    return { hint, facts, settled: hint.path === root };
  };
  const noteGone = (path: string) => {
    if (!tree.get(path)) note(path);
  };
  const reportDeleted = (departure: Departure) => {
    deletionsOf(departure, sep, !exact).forEach(report);
    noteGone(departure.path);
  };

  function depart(path: string, replaced: boolean): void {
    const node = tree.detach(path);
    if (node) departures.add({ path, node, replaced, since: now() });
  }

  const patienceFor = ({ since }: Departure) =>
    Math.abs(since - newFolderAt) < pairWithNewFolderWithinMs ? pairWithNewFolderWithinMs : pairWithinMs;

  /** What the last run knew of a path is there no more. */
  function lose(path: string): void {
    const changes = catchUp?.lost(path) ?? [];
    changes.forEach(report);
    if (changes.length > 0) note(path);
  }

  /** Makes sure that the folder above is known: false when it is not there. */
  function settleFolder(folder: string): boolean {
    const unknown =
      batch.get(folder) ??
      (tree.get(folder) ? undefined : observe({ path: folder, renames: 0, changed: false, seenUntil: 0 }));
    if (unknown) settle(unknown);
    return tree.get(folder) !== undefined;
  }

  /** What was at this path may have turned up elsewhere in the same batch: that happened first. */
  function settleNewHome(path: string): void {
    const displaced = departures.at(path);
    const newHome = displaced && arriving.get(identityOf(displaced.node.facts));
    if (newHome) settle(newHome);
  }

  function settle(one: Observation): void {
    if (one.settled) return;
    one.settled = true;
    const { hint, facts } = one;
    if (!facts || !settleFolder(dirname(hint.path))) return;
    const known = tree.get(hint.path);
    if (known && sameIdentity(known.facts, facts)) return compare(hint, known, facts);
    if (known) depart(hint.path, true);
    const departed = departures.takeByIdentity(identityOf(facts));
    settleNewHome(hint.path);
    if (departed) moved(departed, hint, facts);
    else arrived(hint, facts);
  }

  /**
   * Ends the story of what was at this path before. True when the newcomer took its place in one step (moved over it),
   * which is no deletion.
   */
  function clearTheWay({ path, renames }: Hint): boolean {
    const displaced = departures.at(path);
    if (!displaced) return false;
    departures.remove(displaced);
    const inOneStep = displaced.replaced && renames <= 1;
    if (!inOneStep) reportDeleted(displaced);
    return inOneStep;
  }

  function moved(departed: Departure, hint: Hint, facts: FileFacts): void {
    const { path } = hint;
    clearTheWay(hint);
    // The rename itself moves the change time; that is no change of attributes.
    const before = { ...departed.node.facts, changed: facts.changed };
    const changes = facts.kind === "file" ? changesBetween(before, facts, exact) : [];
    if (!hint.changed) for (const ev of changes) report({ path: departed.path, ev });
    report({ path: departed.path, ev: "move" });
    report({ path, ev: "move" });
    if (hint.changed) for (const ev of changes) report({ path, ev });
    const node = { ...departed.node, facts: toKnown(facts) };
    tree.attach(path, node);
    noteGone(departed.path);
    for (const [place, { facts: known }] of subtree(path, node)) note(place, known);
  }

  /** Takes what the start finds into the picture; what the last run knew otherwise is reported. */
  function meet(path: string, facts: FileFacts, name?: string): void {
    const known = toKnown(facts);
    tree.attach(path, { facts: known }, name);
    const changes = catchUp?.found(path, facts) ?? [];
    changes.forEach(report);
    if (changes.length > 0) note(path, known);
  }

  function arrived(hint: Hint, facts: FileFacts): void {
    const { path, renames, changed, seenUntil } = hint;
    if (catchUp) {
      clearTheWay(hint);
      return meet(path, facts);
    }
    const folder = tree.get(dirname(path));
    const found = renames === 0 && !changed;
    const unseenBefore = found && folder?.arrived ? undefined : seenUntil;
    const kind = changeOnArrival(facts, { folderBorn: folder?.facts.born ?? 0, seenUntil: unseenBefore });
    // It came with its folder, or was here before we were: not an event of its own.
    const cameAlong = found && folder?.arrived?.as === "move" && facts.changed <= folder.arrived.changed;
    const node: TreeNode = { facts: toKnown(facts) };
    if (facts.kind === "directory" && !starting) {
      newFolderAt = now();
      node.arrived = cameAlong && folder.arrived ? folder.arrived : { as: kind, changed: facts.changed };
    }
    tree.attach(path, node);
    note(path, node.facts);
    if (cameAlong || (starting && kind === "move")) return;

    const change = clearTheWay(hint) ? "move" : kind;
    report({ path, ev: change });
    if (change === "move") return;
    if (found || changed) for (const ev of owedChanges(facts, changed)) report({ path, ev });
    else node.writeOwed = facts.kind === "file";
  }

  /** What followed the creation. With a notification of it there is at least one change. */
  function owedChanges(facts: FileFacts, notified: boolean): FileChange[] {
    if (facts.kind !== "file") return [];
    const changes = changesSinceCreation(facts, exact);
    return changes.length === 0 && notified && exact ? [facts.size > 0 ? "modify" : "attrib"] : changes;
  }

  function compare({ path, renames, changed }: Hint, known: TreeNode, facts: FileFacts): void {
    const before = known.facts;
    known.facts = toKnown(facts);
    if (facts.kind === "directory") {
      if (folderAttributesChanged(before, facts, exact && renames > 0)) report({ path, ev: "attrib" });
      return;
    }
    if (facts.changed !== before.changed || facts.size !== before.size) note(path, known.facts);
    const changes = new Set(changesBetween(before, facts, exact));
    // The write that followed the creation is reported once: by the first look that shows it, be it that its notification
    // has come, is still on its way, or was lost.
    if (known.writeOwed && (changed || facts.size > 0)) {
      delete known.writeOwed;
      for (const ev of owedChanges(facts, changed)) changes.add(ev);
    }
    for (const ev of inOrder) if (changes.has(ev)) report({ path, ev });
  }

  return {
    /** The watched folder itself may have been made anew. */
    lookAtRoot(): void {
      const [facts, node] = [readFacts(root), tree.get(root)];
      if (!facts || !node) return;
      node.facts = toKnown(facts);
      note(root, node.facts);
    },
    /** False once started: what is found from then on is news. */
    learns: (folder: string) => starting && tree.get(folder) !== undefined,
    /** Takes an entry into the picture that a folder has at the start, or had for the last run (`isListed` false). */
    learn(path: string, name: string, isListed = true): void {
      if (tree.get(path)) return;
      const facts = readFacts(path);
      if (facts) return meet(path, facts, name);
      if (!isListed) return lose(path);
      // Not for us to look at; or gone just now, which is hinted at.
      const lastKnown = catchUp?.take(path);
      if (lastKnown) tree.attach(path, lastKnown, name);
    },
    /** An entry that is left out now is no longer waited for. */
    leaveOut: (path: string) => void catchUp?.take(path),
    /** The picture of the start is complete. What could not be looked at is taken to be as it was. */
    started(): void {
      for (const [path, node] of catchUp?.rest() ?? []) if (tree.get(dirname(path))) tree.attach(path, node);
      starting = false;
      catchUp = undefined;
    },
    /** Everything that is known, and what is missed and not reported yet; each folder before what is in it. */
    *known(): Generator<PlacedNode> {
      yield* tree.nodes();
      const missed = departures.missed().sort((a, b) => a.path.length - b.path.length);
      for (const { path, node } of missed) yield* subtree(path, node);
    },
    /** Looks at every hinted path. */
    process(hints: readonly Hint[]): void {
      batch = new Map(hints.map((hint) => [hint.path, observe(hint)]));
      const styles = [...batch.values()];
      // Deepest first: an entry with a hint of its own must not be swallowed by its folder's departure.
      const deepestFirst = styles.toSorted((a, b) => b.hint.path.length - a.hint.path.length);
      for (const { hint, facts } of deepestFirst) {
        const known = tree.get(hint.path);
        if (hint.path !== root && known && !(facts && sameIdentity(known.facts, facts)))
          depart(hint.path, facts !== undefined);
      }
      arriving = new Map(
        styles.flatMap((one) => (one.facts && !tree.get(one.hint.path) ? [[identityOf(one.facts), one]] : [])),
      );
      styles.forEach(settle);
      batch = new Map();
      arriving = new Map();
    },
    /** Reports what has not turned up again as deleted. Returns how many ms to wait before the next call, if any. */
    settleDepartures(everything = false): number | undefined {
      const time = everything ? Infinity : now();
      for (const departure of departures.takeDue(time, patienceFor)) if (!departure.replaced) reportDeleted(departure);
      const next = departures.nextDue(patienceFor);
      return next === undefined ? undefined : Math.max(0, next - now());
    },
    /** Names known in a folder, by the last run, too, while this one starts. */
    entries: (folder: string) => [...tree.entries(folder), ...(catchUp?.entries(folder) ?? [])],
    folders: () => tree.folders(),
    /** Is a folder now, or was one when last looked at. */
    isFolder: (path: string) =>
      (tree.get(path)?.facts ?? readFacts(path))?.kind === "directory" || readFacts(path)?.kind === "directory",
  };
}
