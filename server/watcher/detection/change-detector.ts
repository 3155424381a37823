/**
 * Turns hints ("something happened at this path") into the five changes. A hint is never trusted: the path is read
 * again and compared with the last known tree, so a repeated or late hint changes nothing. This module knows neither
 * the system's watches nor the receiver.
 */
import { basename, dirname, sep } from "node:path";
import type { FileChange } from "../../contract/app/file-events.ts";
import { createDepartures, deletionsOf, type Departure } from "./departures.ts";
import { hasFacts, identityOf, sameIdentity, toKnown, type FileFacts } from "./file-facts.ts";
import { createFileSystemClock, type FileSystemClockDeps } from "./file-system-clock.ts";
import type { Hint, Observation } from "./hint.ts";
import { changesOfKnown } from "./known-entry.ts";
import { changesBetween, owedChanges } from "./map-event.ts";
import { createObserver } from "./observe.ts";
import type { OwnPathDeps } from "./own-path.ts";
import { readArrival } from "./read-arrival.ts";
import { followRenamedFolders, isInOtherFolder } from "./renamed-folders.ts";
import { createStart, type StartDeps } from "./start.ts";
import { createSnapshotTree, subtree, type PlacedNode, type SnapshotTree, type TreeNode } from "./snapshot-tree.ts";

export interface ChangeDetectorDeps extends StartDeps, OwnPathDeps, FileSystemClockDeps {
  readonly root: string;
  /** Called with a moved entry, and with each folder below it. */
  readonly onMoved: (from: string, to: string) => void;
  /** Called with a folder that is gone. */
  readonly onGone: (folder: string) => void;
  /** Monotonic milliseconds. */
  readonly now: () => number;
  /** The platform names every changed entry once per change and has exact times (Linux). */
  readonly exact: boolean;
}

/**
 * Keeps the last known state of every path. A check of a path leads to these changes:
 *
 * | known | found | reported |
 * |---|---|---|
 * | nothing | an entry | create, or move where it is older than the watch; then the writes since |
 * | an entry | the same one | modify, attrib, or no change |
 * | an entry | nothing | the entry departs and waits for a new path: move and move, otherwise delete |
 * | an entry | another one | the known one departs as replaced: move where that took one step, otherwise delete and create |
 *
 * All hints of one `process` are one batch: an entry that departed from one path may arrive at another path of the batch.
 */
export class ChangeDetector {
  readonly start: ReturnType<typeof createStart>;
  readonly #deps: ChangeDetectorDeps;
  readonly #tree: SnapshotTree;
  readonly #departures = createDepartures();
  readonly #seenUntil: ReturnType<typeof createFileSystemClock>;
  #observe: ReturnType<typeof createObserver>["observe"];
  /** The current batch by path, and those in it that arrive at a new path, by identity. */
  #batch = new Map<string, Observation>();
  #arriving = new Map<string, Observation>();
  /** In the current batch, an entry came and went at a path. */
  #hasPassage = false;

  constructor(deps: ChangeDetectorDeps) {
    const facts = deps.readFacts(deps.root);
    if (!hasFacts(facts)) throw new Error(`${deps.root} does not exist or cannot be read`);
    this.#deps = deps;
    this.#tree = createSnapshotTree(deps.root, facts);
    this.#seenUntil = createFileSystemClock(deps);
    this.start = createStart(this.#tree, deps);
    this.#observe = createObserver(this.#tree, deps).observe;
  }

  /** Reads the watched folder itself again. Returns whether another folder is in its place. */
  lookAtRoot(): boolean {
    const { root, readFacts, note } = this.#deps;
    const [facts, node] = [readFacts(root), this.#tree.get(root)];
    if (!hasFacts(facts) || facts.kind !== "directory" || !node || sameIdentity(node.facts, facts)) return false;
    node.facts = toKnown(facts);
    note(root, node.facts);
    return true;
  }

  /** Everything known, including departed entries that are not reported yet; each folder precedes its entries. */
  *known(): Generator<PlacedNode> {
    yield* this.#tree.nodes();
    const missed = this.#departures.missed().sort((a, b) => a.path.length - b.path.length);
    for (const { path, node } of missed) yield* subtree(path, node);
  }

  folders(): string[] {
    return this.#tree.folders();
  }

  /** Checks every hinted path. Returns the hints whose paths cannot be read now. */
  process(hints: readonly Hint[]): Hint[] {
    const observer = createObserver(this.#tree, this.#deps);
    this.#observe = observer.observe;
    const { batch, unreadable } = observer.observeEach(hints);
    this.#batch = batch;
    const along = followRenamedFolders(batch, this.#tree, observer.observe);
    const observations = [...batch.values()];
    this.#hasPassage = observations.some((one) => this.#isPassage(one));
    this.#departMissing(observations, along);
    this.#arriving = new Map(
      observations.flatMap((one) =>
        one.facts && !this.#tree.get(one.hint.path) ? [[identityOf(one.facts), one] as const] : [],
      ),
    );
    for (const one of observations) this.#settle(one);
    this.#batch = new Map();
    this.#arriving = new Map();
    return unreadable;
  }

  /**
   * Reports departed entries that did not reappear in time as deleted. Returns the ms to wait before the next call,
   * if any.
   */
  settleDepartures(everything = false): number | undefined {
    const { now } = this.#deps;
    const time = everything ? Infinity : now();
    for (const departure of this.#departures.takeDue(time)) if (!departure.replaced) this.#reportDeleted(departure);
    const next = this.#departures.nextDue();
    return next === undefined ? undefined : Math.max(0, next - now());
  }

  /** Whether an unknown entry came and went. The system names a folder as an entry of its own name in it. */
  #isPassage({ hint: { path, renames }, facts }: Observation): boolean {
    return renames > 0 && !facts && !this.#tree.get(path) && basename(path) !== basename(dirname(path));
  }

  /** @param along the entries that left together with their folders */
  #departMissing(observations: readonly Observation[], along: ReadonlySet<TreeNode>): void {
    // Deepest first: an entry with its own hint must not leave together with its folder.
    for (const { hint, facts } of observations.toSorted((a, b) => b.hint.path.length - a.hint.path.length)) {
      const known = this.#tree.get(hint.path);
      if (hint.path === this.#deps.root || !known || along.has(known)) continue;
      const isSame = facts && sameIdentity(known.facts, facts) && !isInOtherFolder(hint.path, this.#tree, this.#batch);
      if (!isSame) this.#depart(hint, facts !== undefined);
    }
    for (const { hint, facts } of observations) if (!facts) this.#departures.missedBelow(hint);
  }

  #depart(hint: Hint, replaced: boolean): void {
    const { path, found = false } = hint;
    const { exact, now } = this.#deps;
    const node = this.#tree.detach(path);
    // A scan may find a folder gone whose notifications, and those of its entries, are lost or still to come.
    const withContents = !exact || found;
    if (node) this.#departures.add({ path, node, replaced, withContents, hint, missedBelow: [], since: now() });
  }

  #settle(one: Observation): void {
    const { hint, facts } = one;
    if (one.settled || !facts) return;
    // Also false while its folder is being settled, which can lead here: the entry then follows its folder.
    one.settled = this.#settleFolder(dirname(hint.path));
    if (!one.settled) return;
    const known = this.#tree.get(hint.path);
    if (known && sameIdentity(known.facts, facts)) return this.#compare(hint, known, facts);
    if (known) this.#depart(hint, true);
    const departed = this.#departures.claim(identityOf(facts));
    this.#settleMovesFrom(hint.path);
    if (!departed) this.#arrive(hint, facts);
    else if (departed.movedWith && departed.path === hint.path) this.#goAlong(departed, facts);
    else this.#move(departed, hint, facts);
  }

  /** Settles the parent folder first. Returns false if it is none: missing, or a link, behind which no entry counts. */
  #settleFolder(folder: string): boolean {
    const unknown =
      this.#batch.get(folder) ??
      (this.#tree.get(folder) ? undefined : this.#observe({ path: folder, renames: 0, changed: false, seenUntil: 0 }));
    if (unknown) this.#settle(unknown);
    return this.#tree.hasFolder(folder);
  }

  /**
   * If the same batch found the path's previous entry, or one from below it, elsewhere, settles that move first: it
   * happened first.
   */
  #settleMovesFrom(path: string): void {
    const displaced = this.#departures.at(path);
    if (!displaced) return;
    for (const departure of [...this.#departures.below(displaced), displaced]) {
      const newHome = this.#newHomeOf(departure);
      if (newHome) this.#settle(newHome);
    }
  }

  #newHomeOf({ node }: Departure): Observation | undefined {
    return this.#arriving.get(identityOf(node.facts));
  }

  /**
   * Closes the record of the path's previous entry and of everything below it, innermost first, except what is still to
   * arrive elsewhere. Returns true if the new entry replaced it in one step (moved over it), which is no deletion.
   */
  #closeDisplaced({ path, renames }: Hint): boolean {
    const displaced = this.#departures.at(path);
    if (!displaced) return false;
    for (const inner of this.#departures.below(displaced)) {
      inner.folderIsGone = this.#newHomeOf(inner)?.settled === false;
      if (inner.folderIsGone) continue;
      this.#departures.remove(inner);
      this.#reportDeleted(inner);
    }
    this.#departures.remove(displaced);
    const inOneStep = displaced.replaced && renames <= 1;
    if (!inOneStep) this.#reportDeleted(displaced);
    return inOneStep;
  }

  #reportDeleted(departure: Departure): void {
    deletionsOf(departure, sep, departure.withContents).forEach(this.#deps.report);
    for (const [path, { facts }] of subtree(departure.path, departure.node))
      if (facts.kind === "directory" && !this.#tree.hasFolder(path)) this.#deps.onGone(path);
    this.#noteGone(departure.path);
  }

  #noteGone(path: string): void {
    if (!this.#tree.get(path)) this.#deps.note(path);
  }

  #move(departed: Departure, hint: Hint, facts: FileFacts): void {
    const { report, exact } = this.#deps;
    const { path } = hint;
    // The rename itself updates the change time; that is no change of attributes.
    const before = { ...departed.node.facts, changed: facts.changed };
    const isFile = facts.kind === "file";
    const changes: FileChange[] = isFile ? changesBetween(before, facts, exact) : [];
    if (isFile && departed.hint.changedAgain && !changes.includes("modify")) changes.unshift("modify");
    const changedHere = hint.changed || departed.folderIsGone;
    // Before the folder that it left is gone, too: the file may be in the folder's place.
    if (!changedHere) this.#reportEach(departed.path, changes);
    this.#closeDisplaced(hint);
    report({ path: departed.path, ev: "move" });
    report({ path, ev: "move", isArrival: true });
    if (changedHere) this.#reportEach(path, changes);
    const node: TreeNode = { ...departed.node, facts: toKnown(facts) };
    if (hint.renames === 0) node.renameOwed = true;
    this.#tree.attach(path, node);
    this.#noteGone(departed.path);
    this.#departures.remove(departed);
    if (facts.kind === "directory")
      this.#departures.folderMoved(departed.path, path, node, this.#tree.get(departed.path));
    this.#followMove(departed, path, node);
  }

  /** An entry that seemed to have left a folder went along with it. */
  #goAlong(departed: Departure, facts: FileFacts): void {
    const { path, node, hint } = departed;
    this.#tree.attach(path, node);
    this.#departures.remove(departed);
    this.#compare({ ...hint, path }, node, facts);
    this.#followMove(departed, path, node);
  }

  /** The watches follow; what was missing below a folder before its move was known is looked for in its new place. */
  #followMove({ hint, missedBelow }: Departure, path: string, node: TreeNode): void {
    const { note, onMoved } = this.#deps;
    for (const [place, { facts }] of subtree(path, node)) {
      note(place, facts);
      if (place === path || facts.kind === "directory") onMoved(hint.path + place.slice(path.length), place);
    }
    if (node.facts.kind !== "directory") return;
    const departed = this.#departures.below({ path, node }).map((one) => ({ ...one.hint, path: one.path }));
    const missed = missedBelow.map((one) => ({ ...one, path: path + one.path }));
    for (const again of [...departed.reverse(), ...missed]) {
      const one = this.#batch.has(again.path) ? undefined : this.#observe(again);
      if (one?.facts) this.#settle(one);
    }
  }

  #arrive(hint: Hint, facts: FileFacts): void {
    const { path, changed } = hint;
    if (this.start.catchesUp()) {
      this.#closeDisplaced(hint);
      return this.start.meet(path, facts);
    }
    const folder = this.#tree.get(dirname(path));
    const arrival = readArrival({ ...hint, seenUntil: this.#seenUntil(hint, facts) }, facts, folder);
    const { isFound, kind, cameAlong, isLate, isWritten } = arrival;
    const node: TreeNode = { facts: toKnown(facts) };
    if (facts.kind === "directory") this.#arriveAsFolder(hint, node, arrival);
    this.#tree.attach(path, node);
    this.#deps.note(path, node.facts);
    // It is no event of its own.
    if (cameAlong || isLate || (!this.start.isOver() && kind === "move")) return;
    if (isWritten) return this.#deps.report({ path, ev: "modify" });

    const change = this.#closeDisplaced(hint) ? "move" : kind;
    this.#deps.report({ path, ev: change });
    if (change === "move") return;
    if (isFound || changed) this.#reportEach(path, owedChanges(facts, changed, this.#deps.exact));
    else node.writeOwed = facts.kind === "file";
  }

  #arriveAsFolder(
    { path, renames }: Hint,
    node: TreeNode,
    { kind, cameAlong, isLate }: ReturnType<typeof readArrival>,
  ): void {
    if (this.start.isOver()) {
      this.#departures.folderAppeared(this.#deps.now());
      node.arrived = cameAlong ?? { as: kind, changed: node.facts.changed };
    }
    if (isLate) node.unlearned = true;
    if (renames === 0) node.renameOwed = true;
    this.#deps.onFolder(path);
  }

  #compare(hint: Hint, known: TreeNode, facts: FileFacts): void {
    const { note, exact } = this.#deps;
    const changes = changesOfKnown(hint, known, facts, { exact, hasPassage: this.#hasPassage });
    const before = known.facts;
    known.facts = toKnown(facts);
    if (facts.kind !== "directory" && (facts.changed !== before.changed || facts.size !== before.size))
      note(hint.path, known.facts);
    this.#reportEach(hint.path, changes);
  }

  #reportEach(path: string, changes: readonly FileChange[]): void {
    for (const ev of changes) this.#deps.report({ path, ev });
  }
}
