/** The trace of the work that runs now (W3C Trace Context). It follows the asynchronous calls of that work. */
import { AsyncLocalStorage } from "node:async_hooks";
import { randomFillSync } from "node:crypto";

/** One piece of work in a trace, such as the handling of a request. Ids are lower-case hex. */
export interface Span {
  readonly traceId: string;
  readonly spanId: string;
  /** The span that caused it, if any. */
  readonly parentId?: string | undefined;
  /** The flags of the traceparent, as two hex digits. */
  readonly flags: string;
  /** The client's tracestate, which is passed on unchanged. */
  readonly state?: string | undefined;
}

/** The columns of stored ids. */
export interface TraceColumns {
  readonly trace_id: string | null;
  readonly span_id: string | null;
  readonly parent_id: string | null;
}

const current = new AsyncLocalStorage<Span | undefined>();

/** Undefined outside of traced work. */
export const currentSpan = (): Span | undefined => current.getStore();

/** Runs work in a span; undefined: outside of any. */
export const runInSpan = <Value>(span: Span | undefined, work: () => Value): Value => current.run(span, work);

/** The same work, to be run later in the span of now. */
export function inCurrentSpan<Value>(work: () => Value): () => Value {
  const span = currentSpan();
  return () => runInSpan(span, work);
}

/** A timer for work that is not only the current span's. It runs outside of any. */
export const startSharedTimer = (work: () => void, ms: number): NodeJS.Timeout =>
  runInSpan(undefined, () => setTimeout(work, ms));

/** Version ff is invalid, and so are ids of zeros. Later versions than 00 may have more fields. */
const traceparent = /^(?!ff)([\da-f]{2})-(?!0{32})([\da-f]{32})-(?!0{16})([\da-f]{16})-([\da-f]{2})(-.*)?$/;
const longestState = 512;

function parse(text: string): Span | undefined {
  const [, version, traceId, spanId, flags, more] = traceparent.exec(text) ?? [];
  if (traceId === undefined || spanId === undefined || flags === undefined) return undefined;
  return version === "00" && more !== undefined ? undefined : { traceId, spanId, flags };
}

/** Bytes for a span id, and for the end of a trace id. */
const spanBytes = 8;
const traceBytes = 10;
/** Drawn for many ids at a time: single draws took most of the time of a span. */
const pool = Buffer.alloc(256 * (spanBytes + traceBytes));
let drawn = pool.length;

function randomHex(bytes: number): string {
  if (drawn + bytes > pool.length) {
    randomFillSync(pool);
    drawn = 0;
  }
  drawn += bytes;
  return pool.toString("hex", drawn - bytes, drawn);
}

let latest = { ms: 0, hex: "" };

/** The time of now, 12 hex digits. Many requests come in one millisecond. */
function timeHex(): string {
  const ms = Date.now();
  if (ms !== latest.ms) latest = { ms, hex: ms.toString(16).padStart(12, "0") };
  return latest.hex;
}

/** The time comes first, so that new ids are neighbours in an index. */
const newTraceId = () => timeHex() + randomHex(traceBytes);
const newSpanId = () => randomHex(spanBytes);

/** A span in the trace of a traceparent header, or in a new trace if there is no valid one. */
export function newSpan(header = "", state?: string): Span {
  const parent = parse(header);
  const spanId = newSpanId();
  if (!parent) return { traceId: newTraceId(), spanId, flags: "01" };
  const { traceId, spanId: parentId, flags } = parent;
  const isKept = state !== undefined && state !== "" && state.length <= longestState;
  return { traceId, spanId, parentId, flags, ...(isKept && { state }) };
}

/** The span of a request with these headers. */
export const spanOfRequest = ({ traceparent, tracestate }: Readonly<Record<string, string | string[] | undefined>>) =>
  newSpan(String(traceparent), typeof tracestate === "string" ? tracestate : undefined);

/** The span that a stored traceparent names, to go on with its work; a new one if there is none. */
export const resumedSpan = (stored: string | null | undefined): Span => parse(stored ?? "") ?? newSpan();

export const traceparentOf = ({ traceId, spanId, flags }: Span): string => `00-${traceId}-${spanId}-${flags}`;

/** The traceparent to store with work that continues later; see resumedSpan. Undefined outside of traced work. */
export function currentTraceparent(): string | undefined {
  const span = currentSpan();
  return span && traceparentOf(span);
}

/** The headers that hand the current trace to another service. */
export function traceHeaders(): { traceparent?: string; tracestate?: string } {
  const span = currentSpan();
  if (!span) return {};
  return { traceparent: traceparentOf(span), ...(span.state !== undefined && { tracestate: span.state }) };
}

/** The ids of a span as members of a log line or a reply. */
export const traceFields = ({ traceId, spanId, parentId }: Span) => ({
  trace_id: traceId,
  span_id: spanId,
  ...(parentId !== undefined && { parent_id: parentId }),
});

/** The ids of stored columns as members of a reply. */
export const presentIds = ({ trace_id, span_id, parent_id }: TraceColumns) => ({
  ...(trace_id !== null && { trace_id }),
  ...(span_id !== null && { span_id }),
  ...(parent_id !== null && { parent_id }),
});

/** The ids of a span as columns, those of the current one by default. */
export const traceColumns = (span = currentSpan()): TraceColumns => ({
  trace_id: span?.traceId ?? null,
  span_id: span?.spanId ?? null,
  parent_id: span?.parentId ?? null,
});
