/**
 * The durable queue of the watcher: an append-only file of events and of receipts for those delivered. What has no
 * receipt is delivered by the next run, so an event is delivered at least once even when the process is killed. The file
 * holds the watched tree, too, as the events of the queue left it (journal-file.ts). Written without fsync: it survives
 * the process, not a power cut.
 */
import { closeSync, ftruncateSync, mkdirSync, openSync, renameSync, writeSync } from "node:fs";
import { dirname } from "node:path";
import { eventLines, readJournal, toLine, type QueuedEvent, type Snapshot } from "./journal-file.ts";
import type { TreeNote } from "./tree-notes.ts";

export interface EventJournal {
  /** The oldest event without a receipt. */
  first(): QueuedEvent | undefined;
  readonly size: number;
  /** Queues events, and notes in the same write how they changed the tree. */
  append(events: readonly QueuedEvent[], notes?: readonly TreeNote[]): void;
  /** Notes that the oldest event was delivered, or will never be. */
  removeFirst(): void;
  /**
   * Writes the file anew with a tree as `lines` gives it: now, and whenever the file has grown too long. Until the first
   * call the file keeps the tree of the last run. `undefined`: no tree is kept from now on.
   */
  keepTree(lines: (() => Iterable<string>) | undefined): void;
  close(): void;
}

export interface JournalReports {
  /** A failure to write (disk full): events are kept in memory only until the disk takes them again. */
  readonly onWriteError: (error: Error) => void;
  /** What can be read of the file is delivered; there is no tree in it. */
  readonly onDamage: () => void;
}

/** The file is written anew when it has grown by this, and to twice its size. */
const compactFromBytes = 1 << 20;

/** To write the whole file takes a while, so a full disk is not tried at each event; a long file less often. */
const retryMs = 200;
const retryShare = 10;

function writeWhole(descriptor: number, text: string): number {
  const bytes = Buffer.from(text);
  // A disk that is nearly full takes a part without a word.
  for (let at = 0; at < bytes.length;) at += writeSync(descriptor, bytes, at);
  return bytes.length;
}

/**
 * Opens the queue in `file`, with what an earlier run left in it.
 * @throws the system's error when the file cannot be read or written.
 */
export function openEventJournal(
  file: string,
  { onWriteError, onDamage }: JournalReports,
): { journal: EventJournal; snapshot: Snapshot | undefined } {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  const { undelivered, snapshot, isDamaged, bytes: found } = readJournal(file);
  if (isDamaged) onDamage();
  let queue = undelivered;
  /** Index of the oldest event: taking from the front of an array would move all the others. */
  let head = 0;
  let tree: "in the file" | (() => Iterable<string>) | undefined = snapshot && "in the file";
  let bytes = found;
  let bytesAnew = found;
  /** The file lacks something, and may end within a line: nothing more is added to it. */
  let isBehind = false;
  /** The file is to be written anew as soon as the disk takes it. */
  let isDue = false;
  let retryAt = 0;
  let descriptor = snapshot ? reopen() : rewrite();

  /** Goes on where the last run's lines end. */
  function reopen(): number {
    const opened = openSync(file, "a");
    ftruncateSync(opened, found);
    return opened;
  }

  /** Replaces the file by one of the undelivered events and the tree, in one step. */
  function rewrite(): number {
    const opened = openSync(`${file}.new`, "w", 0o600);
    try {
      let written = 0;
      if (typeof tree === "function") for (const line of tree()) written += writeWhole(opened, line);
      for (const line of eventLines(queue.slice(head))) written += writeWhole(opened, line);
      renameSync(`${file}.new`, file);
      bytes = bytesAnew = written;
    } catch (error) {
      closeSync(opened);
      throw error;
    }
    isBehind = isDue = false;
    return opened;
  }

  function replace(): void {
    // The tree of the last run cannot be written again: it would have to be in memory.
    if (tree === "in the file" || performance.now() < retryAt) return;
    const previous = descriptor;
    descriptor = rewrite();
    closeSync(previous);
  }

  /** What is written is in the queue, or out of it, already. */
  function write(text: string): void {
    if (!isBehind)
      guard(
        () => (bytes += writeWhole(descriptor, text)),
        () => (isBehind = isDue = true),
      );
    if (isDue) guard(replace);
  }

  function guard(work: () => void, onFailure?: () => void): void {
    const begun = performance.now();
    try {
      work();
    } catch (error) {
      const now = performance.now();
      retryAt = now + Math.max(retryMs, (now - begun) * retryShare);
      onFailure?.();
      onWriteError(error as Error);
    }
  }

  /** Lets go of delivered events in memory, and at times in the file. */
  function compact(): void {
    if (head < queue.length && (head <= 10_000 || head <= queue.length / 2)) return;
    queue = queue.slice(head);
    head = 0;
    if (bytes - bytesAnew <= Math.max(compactFromBytes, bytesAnew)) return;
    isDue = true;
    guard(replace);
  }

  const journal: EventJournal = {
    first: () => queue[head],
    get size() {
      return queue.length - head;
    },
    append(events, notes = []) {
      queue.push(...events);
      write(toLine({ events: [...events], ...(tree && notes.length > 0 && { notes: [...notes] }) }));
    },
    removeFirst() {
      const event = queue[head];
      if (!event) return;
      head++;
      write(toLine({ done: event.id }));
      compact();
    },
    keepTree(lines) {
      tree = lines;
      isDue = true;
      guard(replace);
    },
    close: () => closeSync(descriptor),
  };
  return { journal, snapshot };
}
