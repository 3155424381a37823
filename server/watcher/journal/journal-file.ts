/**
 * The lines of the watcher's journal and their result: events without a receipt, and the tree as of those events. One
 * line holds a change's events and its notes about the tree, so that neither is stored without the other.
 */
import { readFileSync } from "node:fs";
import { z } from "zod";
import { fileChangeSchema } from "../../contract/app/file-events.ts";
import type { TreeNode } from "../detection/snapshot-tree.ts";
import { createTreeReader, notesSchema, type TreeNote } from "./tree-notes.ts";
import { isMissing } from "../../file-system/is-missing.ts";

const queuedEventSchema = z.object({
  id: z.string(),
  df: z.string(),
  ev: fileChangeSchema,
  /** Half of a move: the id of the event of the old path. */
  move: z.string().optional(),
});
/** One notification as it is sent. Its id stays the same over all deliveries. */
export type QueuedEvent = z.infer<typeof queuedEventSchema>;

const lineSchema = z.union([
  z.object({ done: z.string() }),
  z.object({ events: z.array(queuedEventSchema), notes: notesSchema.optional() }),
  /** Starts a tree; the notes of its entries follow. */
  z.object({ exclude: z.array(z.string()) }),
]);
type Line = z.infer<typeof lineSchema>;

/** A watched tree between two runs. */
export interface Snapshot {
  readonly root: TreeNode;
  /** The patterns that were excluded from it. */
  readonly exclude: readonly string[];
}

export interface JournalContent {
  /** Events without a receipt, the oldest first. */
  readonly undelivered: QueuedEvent[];
  /** Undefined if none was kept, or the file is damaged. */
  readonly snapshot: Snapshot | undefined;
  readonly isDamaged: boolean;
  /**
   * Length of the whole lines in bytes. A killed process may leave an incomplete last line, which had no effect yet.
   */
  readonly bytes: number;
}

export const toLine = (line: Line) => `${JSON.stringify(line)}\n`;

const perLine = 1_000;

function* inLines<T>(entries: Iterable<T>, line: (some: T[]) => Line): Generator<string> {
  let some: T[] = [];
  for (const entry of entries) {
    some.push(entry);
    if (some.length < perLine) continue;
    yield toLine(line(some));
    some = [];
  }
  if (some.length > 0) yield toLine(line(some));
}

export const eventLines = (events: readonly QueuedEvent[]) => inLines(events, (some) => ({ events: some }));

export function* snapshotLines(exclude: readonly string[], notes: Iterable<TreeNote>): Generator<string> {
  yield toLine({ exclude: [...exclude] });
  yield* inLines(notes, (some) => ({ events: [], notes: some }));
}

function parseLine(line: string): Line | undefined {
  try {
    return lineSchema.safeParse(JSON.parse(line)).data;
  } catch {
    return undefined;
  }
}

function readIfThere(file: string): Buffer {
  try {
    return readFileSync(file);
  } catch (error) {
    if (isMissing(error)) return Buffer.alloc(0);
    throw error;
  }
}

/** @throws the system's error when the file exists and cannot be read. */
export function readJournal(file: string): JournalContent {
  const content = readIfThere(file);
  const bytes = content.lastIndexOf("\n") + 1;
  const undelivered = new Map<string, QueuedEvent>();
  let exclude: string[] | undefined;
  const tree = createTreeReader();
  let isDamaged = false;
  for (let at = 0; at < bytes;) {
    const end = content.indexOf("\n", at);
    const line = parseLine(content.toString("utf8", at, end));
    at = end + 1;
    if (!line) isDamaged = true;
    else if ("done" in line) undelivered.delete(line.done);
    else if ("exclude" in line) exclude = line.exclude;
    else {
      for (const event of line.events) undelivered.set(event.id, event);
      tree.read(line.notes ?? []);
    }
  }
  const root = tree.root();
  const snapshot = root && exclude && !isDamaged ? { root, exclude } : undefined;
  return { undelivered: [...undelivered.values()], snapshot, isDamaged, bytes };
}
