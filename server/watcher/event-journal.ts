/**
 * The durable queue of the watcher: an append-only file of events and of receipts for those delivered. What has no
 * receipt is delivered by the next run, so an event is delivered at least once even when the process is killed. Written
 * without fsync: it survives the process, not a power cut.
 */
import {
  closeSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { dirname } from "node:path";
import { z } from "zod";
import { fileChangeSchema } from "../contract/file-events.ts";

const queuedEventSchema = z.object({ id: z.string(), df: z.string(), ev: fileChangeSchema });
/** One notification as it is sent: the id stays the same over all its deliveries. */
export type QueuedEvent = z.infer<typeof queuedEventSchema>;

const lineSchema = z.union([queuedEventSchema, z.object({ done: z.string() })]);

export interface EventJournal {
  /** The oldest event without a receipt. */
  first(): QueuedEvent | undefined;
  readonly size: number;
  append(events: readonly QueuedEvent[]): void;
  /** Notes that the oldest event was delivered, or will never be. */
  removeFirst(): void;
  close(): void;
}

/** A file of receipts only is emptied, one mostly of receipts rewritten, from this size on. */
const compactFromBytes = 1 << 20;

/** To write the whole queue takes a while, so a full disk is not tried at each event. */
const retryMs = 200;

const toLine = (entry: QueuedEvent | { done: string }) => `${JSON.stringify(entry)}\n`;

function readUndelivered(file: string): QueuedEvent[] {
  let text: string;
  try {
    text = readFileSync(file, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return [];
    throw error;
  }
  const undelivered = new Map<string, QueuedEvent>();
  for (const line of text.split("\n")) {
    const entry = parseLine(line);
    if (!entry) continue;
    if ("done" in entry) undelivered.delete(entry.done);
    else undelivered.set(entry.id, entry);
  }
  return [...undelivered.values()];
}

/** The last line may be cut short by the end of the process that wrote it: its event was never acted on. */
function parseLine(line: string): z.infer<typeof lineSchema> | undefined {
  if (line === "") return undefined;
  try {
    return lineSchema.safeParse(JSON.parse(line)).data;
  } catch {
    return undefined;
  }
}

/**
 * Opens the queue in `file`, with what an earlier run left in it. A later failure to write (disk full) goes to
 * `onWriteError`; the events are then kept in memory only until the disk takes them again.
 * @throws the system's error when the file cannot be read or written.
 */
export function openEventJournal(file: string, onWriteError: (error: Error) => void): EventJournal {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  let queue = readUndelivered(file);
  /** Index of the oldest event: taking from the front of an array would move all the others. */
  let head = 0;
  let bytes = 0;
  /** The file lacks something, and may end within a line: it is written anew as soon as the disk takes it. */
  let isBehind = false;
  let retryAt = 0;
  let descriptor = rewrite();

  /** Replaces the file by one of the undelivered events, in one step. */
  function rewrite(): number {
    const text = queue.slice(head).map(toLine).join("");
    writeFileSync(`${file}.new`, text, { mode: 0o600 });
    renameSync(`${file}.new`, file);
    bytes = Buffer.byteLength(text);
    isBehind = false;
    return openSync(file, "a");
  }

  function replace(): void {
    const previous = descriptor;
    descriptor = rewrite();
    closeSync(previous);
  }

  /** What is written is in the queue, or out of it, already. */
  function write(text: string): void {
    guard(() => {
      if (isBehind) {
        if (performance.now() >= retryAt) replace();
        return;
      }
      const line = Buffer.from(text);
      // A disk that is nearly full takes a part without a word.
      for (let at = 0; at < line.length;) at += writeSync(descriptor, line, at);
      bytes += line.length;
    });
  }

  function guard(work: () => void): void {
    try {
      work();
    } catch (error) {
      isBehind = true;
      retryAt = performance.now() + retryMs;
      onWriteError(error as Error);
    }
  }

  function compact(): void {
    if (head === queue.length) {
      queue = [];
      head = 0;
      if (bytes < compactFromBytes) return;
      guard(() => {
        ftruncateSync(descriptor);
        bytes = 0;
      });
    } else if (head > 10_000 && head > queue.length / 2) {
      queue = queue.slice(head);
      head = 0;
      guard(replace);
    }
  }

  return {
    first: () => queue[head],
    get size() {
      return queue.length - head;
    },
    append(events) {
      queue.push(...events);
      write(events.map(toLine).join(""));
    },
    removeFirst() {
      const event = queue[head];
      if (!event) return;
      head++;
      write(toLine({ done: event.id }));
      compact();
    },
    close: () => closeSync(descriptor),
  };
}
