/**
 * Turns hints ("something happened at this path") into the five changes. A hint is never believed: the path is looked at
 * again and compared with the tree as last seen, so a repeated or late hint changes nothing. Knows neither chokidar nor
 * the receiver.
 */
import { dirname, sep } from "node:path";
import type { FileChange } from "../contract/file-events.ts";
import { createDepartures, deletionsOf, type Departure } from "./departures.ts";
import { identityOf, sameIdentity, toKnown, type FileFacts } from "./file-facts.ts";
import { changeOnArrival, changesBetween, changesSinceCreation, folderAttributesChanged } from "./map-event.ts";
import { createSnapshotTree, type TreeNode } from "./snapshot-tree.ts";

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

interface Look {
  readonly hint: Hint;
  readonly facts: FileFacts | undefined;
  settled: boolean;
}

export type ChangeDetector = ReturnType<typeof createChangeDetector>;

export function createChangeDetector({ root, readFacts, report, now, exact }: ChangeDetectorDeps) {
  const rootFacts = readFacts(root);
  if (!rootFacts) throw new Error(`${root} does not exist`);
  const tree = createSnapshotTree(root, rootFacts);
  const departures = createDepartures();
  let newFolderAt = -Infinity;
  let starting = true;
  let batch = new Map<string, Look>();
  let arriving = new Map<string, Look>();

  const look = (hint: Hint): Look => {
    const facts = hint.path === root ? undefined : readFacts(hint.path);
    return { hint, facts, settled: hint.path === root };
  };
  const reportDeleted = (departure: Departure) => deletionsOf(departure, sep, !exact).forEach(report);

  function depart(path: string, replaced: boolean): void {
    const node = tree.detach(path);
    if (node) departures.add({ path, node, replaced, since: now() });
  }

  const patienceFor = ({ since }: Departure) =>
    Math.abs(since - newFolderAt) < pairWithNewFolderWithinMs ? pairWithNewFolderWithinMs : pairWithinMs;

  /** Makes sure that the folder above is known: false when it is not there. */
  function settleFolder(folder: string): boolean {
    const unknown =
      batch.get(folder) ??
      (tree.get(folder) ? undefined : look({ path: folder, renames: 0, changed: false, seenUntil: 0 }));
    if (unknown) settle(unknown);
    return tree.get(folder) !== undefined;
  }

  /** What was at this path may have turned up elsewhere in the same batch: that happened first. */
  function settleNewHome(path: string): void {
    const displaced = departures.at(path);
    const newHome = displaced && arriving.get(identityOf(displaced.node.facts));
    if (newHome) settle(newHome);
  }

  function settle(one: Look): void {
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
    tree.attach(path, { ...departed.node, facts: toKnown(facts) });
  }

  function arrived(hint: Hint, facts: FileFacts): void {
    const { path, renames, changed, seenUntil } = hint;
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
    /** False once started: what is found from then on is news. */
    learns: (folder: string) => starting && tree.get(folder) !== undefined,
    /** Takes an entry that a folder has at the start into the picture, without a report. */
    learn(path: string, name: string): void {
      const facts = tree.get(path) ? undefined : readFacts(path);
      if (facts) tree.attach(path, { facts: toKnown(facts) }, name);
    },
    /** The picture of the start is complete. */
    started(): void {
      starting = false;
    },
    /** Looks at every hinted path. */
    process(hints: readonly Hint[]): void {
      batch = new Map(hints.map((hint) => [hint.path, look(hint)]));
      const looks = [...batch.values()];
      // Deepest first: an entry with a hint of its own must not be swallowed by its folder's departure.
      const deepestFirst = looks.toSorted((a, b) => b.hint.path.length - a.hint.path.length);
      for (const { hint, facts } of deepestFirst) {
        const known = tree.get(hint.path);
        if (hint.path !== root && known && !(facts && sameIdentity(known.facts, facts)))
          depart(hint.path, facts !== undefined);
      }
      arriving = new Map(
        looks.flatMap((one) => (one.facts && !tree.get(one.hint.path) ? [[identityOf(one.facts), one]] : [])),
      );
      looks.forEach(settle);
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
    /** Names known in a folder. */
    entries: (folder: string) => [...tree.entries(folder)],
    folders: () => tree.folders(),
    /** Is a folder now, or was one when last looked at. */
    isFolder: (path: string) =>
      (tree.get(path)?.facts ?? readFacts(path))?.kind === "directory" || readFacts(path)?.kind === "directory",
  };
}
