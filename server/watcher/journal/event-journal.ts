/**
 * The watcher's durable queue: an append-only file of events and of receipts for delivered ones. The next run delivers
 * every event without a receipt, so each event is delivered at least once, even if the process is killed. The file also
 * holds the watched tree as of the last queued event (journal-file.ts). Writes are not synced: the file survives the
 * end of the process, not a power cut.
 */
import { closeSync, ftruncateSync, mkdirSync, openSync, rmSync, writeSync } from "node:fs";
import { dirname } from "node:path";
import { renameFileSync } from "../../file-system/rename-file.ts";
import {
  eventLines,
  readJournal,
  toLine,
  type JournalContent,
  type QueuedEvent,
  type Snapshot,
} from "./journal-file.ts";
import type { TreeNote } from "./tree-notes.ts";

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
 * The queue and its file. The file is in one of these states:
 *
 * | state | a write | next state |
 * |---|---|---|
 * | current | is appended | behind, if it fails |
 * | behind: lacks data, may end within a line | rewrites the whole file, at most each `retryMs` | current, once that works |
 * | due: much longer than its content | rewrites the whole file | current |
 */
export class EventJournal {
  readonly #file: string;
  readonly #onWriteError: JournalReports["onWriteError"];
  #queue: QueuedEvent[];
  /** Index of the oldest event: removing the front of an array would shift all other elements. */
  #head = 0;
  #tree: "in the file" | (() => Iterable<string>) | undefined;
  #bytes: number;
  #bytesAnew: number;
  #isBehind = false;
  #isDue = false;
  #retryAt = 0;
  #descriptor: number | undefined;

  /** @throws the system's error when the file cannot be written */
  constructor(
    file: string,
    { undelivered, snapshot, bytes }: JournalContent,
    onWriteError: JournalReports["onWriteError"],
  ) {
    this.#file = file;
    this.#onWriteError = onWriteError;
    this.#queue = undelivered;
    this.#tree = snapshot && "in the file";
    this.#bytes = this.#bytesAnew = bytes;
    if (!snapshot) this.#rewrite();
    else ftruncateSync((this.#descriptor = openSync(file, "a")), bytes); // after the last run's whole lines
  }

  /** The oldest event without a receipt. */
  first(): QueuedEvent | undefined {
    return this.#queue[this.#head];
  }

  get size(): number {
    return this.#queue.length - this.#head;
  }

  /** Queues events and records, in the same write, how they changed the tree. */
  append(events: readonly QueuedEvent[], notes: readonly TreeNote[] = []): void {
    for (const event of events) this.#queue.push(event); // not spread: there may be more than a call takes arguments
    this.#write(toLine({ events: [...events], ...(this.#tree && notes.length > 0 && { notes: [...notes] }) }));
  }

  /** Records that the oldest event was delivered, or never will be. */
  removeFirst(): void {
    const event = this.first();
    if (!event) return;
    this.#head++;
    this.#write(toLine({ done: event.id }));
    this.#compact();
  }

  /**
   * Rewrites the file with the tree that `lines` returns: now, and whenever the file has grown too long. Until the
   * first call the file keeps the tree of the last run. `undefined`: the file keeps no tree from now on.
   */
  keepTree(lines: (() => Iterable<string>) | undefined): void {
    this.#tree = lines;
    this.#isDue = true;
    this.#guard(() => this.#replace());
  }

  close(): void {
    if (this.#descriptor !== undefined) closeSync(this.#descriptor);
    this.#descriptor = undefined;
  }

  /** Atomically replaces the file by one that holds the tree and the undelivered events. */
  #rewrite(): void {
    const opened = openSync(`${this.#file}.new`, "w", 0o600);
    let written = 0;
    try {
      if (typeof this.#tree === "function") for (const line of this.#tree()) written += writeWhole(opened, line);
      for (const line of eventLines(this.#queue.slice(this.#head))) written += writeWhole(opened, line);
      this.close(); // Windows replaces no file that is open.
      renameFileSync(`${this.#file}.new`, this.#file);
    } catch (error) {
      closeSync(opened);
      rmSync(`${this.#file}.new`, { force: true }); // A full disk needs its room.
      throw error;
    }
    this.#descriptor = opened;
    this.#bytes = this.#bytesAnew = written;
    this.#isBehind = this.#isDue = false;
  }

  #replace(): void {
    // The last run's tree cannot be rewritten: it is not in memory.
    if (this.#tree === "in the file" || performance.now() < this.#retryAt) return;
    this.#rewrite();
  }

  /** Appends a line. The queue already reflects it, so a full rewrite may replace the append. */
  #write(text: string): void {
    if (!this.#isBehind)
      this.#guard(
        () => (this.#bytes += writeWhole((this.#descriptor ??= openSync(this.#file, "a")), text)),
        () => (this.#isBehind = this.#isDue = true),
      );
    if (this.#isDue) this.#guard(() => this.#replace());
  }

  #guard(work: () => void, onFailure?: () => void): void {
    const begun = performance.now();
    try {
      work();
    } catch (error) {
      const now = performance.now();
      this.#retryAt = now + Math.max(retryMs, (now - begun) * retryShare);
      onFailure?.();
      this.#onWriteError(error as Error);
    }
  }

  /** Drops delivered events from memory, and sometimes from the file. */
  #compact(): void {
    if (this.size > 0 && (this.#head <= 10_000 || this.#head <= this.#queue.length / 2)) return;
    this.#queue = this.#queue.slice(this.#head);
    this.#head = 0;
    if (this.#bytes - this.#bytesAnew <= Math.max(compactFromBytes, this.#bytesAnew)) return;
    this.#isDue = true;
    this.#guard(() => this.#replace());
  }
}

/**
 * Opens the queue in `file`, with the events and the tree that an earlier run left in it.
 * @throws the system's error when the file cannot be read or written.
 */
export function openEventJournal(
  file: string,
  { onWriteError, onDamage }: JournalReports,
): { journal: EventJournal; snapshot: Snapshot | undefined } {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  const content = readJournal(file);
  if (content.isDamaged) onDamage();
  return { journal: new EventJournal(file, content, onWriteError), snapshot: content.snapshot };
}
