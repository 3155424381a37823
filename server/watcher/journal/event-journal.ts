/**
 * The watcher's durable queue: an append-only file of events and of receipts for delivered ones. The next run delivers
 * every event without a receipt, so each event is delivered at least once, even if the process is killed. The file also
 * holds the watched tree as of the last queued event (journal-file.ts). Writes are not synced: the file survives the
 * end of the process, not a power cut.
 */
import { closeSync, ftruncateSync, mkdirSync, openSync, rmSync, writeSync } from "node:fs";
import { dirname } from "node:path";
import { renameFileSync } from "../../file-system/rename-file.ts";
import { eventLines, readJournal, toLine, type QueuedEvent, type Snapshot } from "./journal-file.ts";
import type { TreeNote } from "./tree-notes.ts";

export interface EventJournal {
  /** The oldest event without a receipt. */
  first(): QueuedEvent | undefined;
  readonly size: number;
  /** Queues events and records, in the same write, how they changed the tree. */
  append(events: readonly QueuedEvent[], notes?: readonly TreeNote[]): void;
  /** Records that the oldest event was delivered, or never will be. */
  removeFirst(): void;
  /**
   * Rewrites the file with the tree that `lines` returns: now, and whenever the file has grown too long. Until the
   * first call the file keeps the tree of the last run. `undefined`: the file keeps no tree from now on.
   */
  keepTree(lines: (() => Iterable<string>) | undefined): void;
  close(): void;
}

export interface JournalReports {
  /** Called when a write fails (disk full): events are kept in memory only until the disk accepts writes again. */
  readonly onWriteError: (error: Error) => void;
  /** Called when the file is damaged: its readable events are delivered, its tree is lost. */
  readonly onDamage: () => void;
}

/** The file is rewritten once it has grown by this many bytes and has doubled in size. */
const compactFromBytes = 1 << 20;

/** Rewriting the file takes time, so with a full disk it is not retried at each event, and a long file less often. */
const retryMs = 200;
const retryShare = 10;

function writeWhole(descriptor: number, text: string): number {
  const bytes = Buffer.from(text);
  // On a nearly full disk, a write may be short without an error.
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
  /** Index of the oldest event: removing the front of an array would shift all other elements. */
  let head = 0;
  let tree: "in the file" | (() => Iterable<string>) | undefined = snapshot && "in the file";
  let bytes = found;
  let bytesAnew = found;
  /** The file lacks data and may end within a line, so nothing more is appended to it. */
  let isBehind = false;
  /** The file is to be rewritten as soon as the disk accepts writes. */
  let isDue = false;
  let retryAt = 0;
  let descriptor: number | undefined;
  if (snapshot) descriptor = reopen();
  else rewrite();

  /** Opens the file to append after the last run's whole lines. */
  function reopen(): number {
    const opened = openSync(file, "a");
    ftruncateSync(opened, found);
    return opened;
  }

  /** Atomically replaces the file by one that holds the tree and the undelivered events. */
  function rewrite(): void {
    const opened = openSync(`${file}.new`, "w", 0o600);
    let written = 0;
    try {
      if (typeof tree === "function") for (const line of tree()) written += writeWhole(opened, line);
      for (const line of eventLines(queue.slice(head))) written += writeWhole(opened, line);
      closeFile(); // Windows replaces no file that is open.
      renameFileSync(`${file}.new`, file);
    } catch (error) {
      closeSync(opened);
      rmSync(`${file}.new`, { force: true }); // A full disk needs its room.
      throw error;
    }
    descriptor = opened;
    bytes = bytesAnew = written;
    isBehind = isDue = false;
  }

  function closeFile(): void {
    if (descriptor !== undefined) closeSync(descriptor);
    descriptor = undefined;
  }

  function replace(): void {
    // The last run's tree cannot be rewritten: it is not in memory.
    if (tree === "in the file" || performance.now() < retryAt) return;
    rewrite();
  }

  /** Appends a line. The queue already reflects it, so a full rewrite may replace the append. */
  function write(text: string): void {
    if (!isBehind)
      guard(
        () => (bytes += writeWhole((descriptor ??= openSync(file, "a")), text)),
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

  /** Drops delivered events from memory, and sometimes from the file. */
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
      for (const event of events) queue.push(event); // not spread: there may be more than a call takes arguments
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
    close: closeFile,
  };
  return { journal, snapshot };
}
