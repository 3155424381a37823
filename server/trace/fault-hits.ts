/** Remembers which faults of a test hit recent spans, so that all that these store or log can name them. */
import { EventEmitter } from "node:events";
import type { FaultMark } from "../contract/fault-mark.ts";
import { currentSpan, type Span } from "./span.ts";

/** The oldest are forgotten first. */
const mostSpans = 10_000;
const hits = new Map<string, readonly FaultMark[]>();
const added = new EventEmitter<{ hit: [mark: FaultMark, span: Span] }>();

/** A fault has hit the span. It counts as a hit of the calling span, too, which gets the faulty answer. */
export function addFaultHit(mark: FaultMark, span = currentSpan()): void {
  if (!span) return;
  for (const id of [span.spanId, span.parentId]) {
    if (id === undefined) continue;
    hits.set(id, [...(hits.get(id) ?? []).filter(({ key }) => key !== mark.key), mark]);
  }
  for (const oldest of hits.keys()) {
    if (hits.size <= mostSpans) break;
    hits.delete(oldest);
  }
  added.emit("hit", mark, span);
}

/** Calls `listen` with every hit from now on. */
export const onFaultHit = (listen: (mark: FaultMark, span: Span) => void): void => void added.on("hit", listen);

/** The faults that hit a span, the current one by default, or the calls that it made. */
export const faultsOf = (span = currentSpan()): readonly FaultMark[] => (span && hits.get(span.spanId)) ?? [];
