/** Groups recorded requests by what the client did, or by user, and lays each group out in time. */
import type { RecordedSummary } from "../../../../server/contract/console/traffic/requests.ts";

export type GroupBy = "flow" | "user";

export interface RequestGroup {
  readonly key: string;
  /** `burst`: requests that nothing ties but that one session or machine sent shortly one after another. */
  readonly kind: "login" | "order" | "trace" | "burst" | "user";
  /** The number of the order, the trace id, or the uid; empty without one. */
  readonly name: string;
  /** In the order in which they came. */
  readonly requests: readonly RecordedSummary[];
}

/** A pause after which requests that nothing ties are no longer one burst. */
const burstGapMs = 1_000;

const beginOf = ({ time }: RecordedSummary) => Date.parse(time);
const endOf = (request: RecordedSummary) => beginOf(request) + request.ms;
const byTime = (one: RecordedSummary, other: RecordedSummary) => beginOf(one) - beginOf(other) || one.id - other.id;

/** Groups with the newest request first. `requests` may be in any order. */
export function groupRequests(requests: readonly RecordedSummary[], by: GroupBy): RequestGroup[] {
  const groups = new Map<string, RecordedSummary[]>();
  const flowOf = flowsOf(requests);
  const bursts = new Map<string, { key: string; until: number }>();
  const owners = new Map(
    requests.flatMap((request) => {
      const flow = flowOf(request);
      return flow === undefined || request.uid === undefined ? [] : [[flow, request.uid]];
    }),
  );
  // Requests of Hearth for a user, and requests before the login, belong to the user of their flow.
  const userOf = (request: RecordedSummary) => request.uid ?? owners.get(flowOf(request) ?? "") ?? "";
  for (const request of requests.toSorted(byTime)) {
    const key = by === "user" ? `user:${userOf(request)}` : (flowOf(request) ?? burstOf(request, bursts));
    const group = groups.get(key);
    if (group) group.push(request);
    else groups.set(key, [request]);
  }
  const newest = (group: RequestGroup) => Math.max(...group.requests.map(({ id }) => id));
  return [...groups].map(([key, members]) => groupOf(key, members)).sort((a, b) => newest(b) - newest(a));
}

/** The flow of a request: its own, that of its trace, or the trace itself if it has several requests. */
function flowsOf(requests: readonly RecordedSummary[]): (request: RecordedSummary) => string | undefined {
  const flows = new Map<string, string>();
  for (const { trace_id, parent_id } of requests)
    if (trace_id !== undefined && parent_id !== undefined) flows.set(trace_id, `trace:${trace_id}`);
  for (const { trace_id, flow } of requests)
    if (trace_id !== undefined && flow !== undefined) flows.set(trace_id, flow);
  return ({ flow, trace_id = "" }) => flow ?? flows.get(trace_id);
}

function burstOf(request: RecordedSummary, bursts: Map<string, { key: string; until: number }>): string {
  const { id, sender, session_id, client } = request;
  const source = `${sender} ${session_id === undefined ? client : String(session_id)}`;
  const latest = bursts.get(source);
  const goesOn = latest !== undefined && beginOf(request) - latest.until <= burstGapMs;
  const key = goesOn ? latest.key : `burst:${id}`;
  bursts.set(source, { key, until: Math.max(endOf(request), goesOn ? latest.until : 0) });
  return key;
}

function groupOf(key: string, requests: readonly RecordedSummary[]): RequestGroup {
  const at = key.indexOf(":");
  const kind = key.slice(0, at) as RequestGroup["kind"];
  const isNamed = kind === "order" || kind === "trace" || kind === "user";
  const uid = requests.find((request) => request.uid !== undefined)?.uid ?? "";
  return { key, kind, name: isNamed ? key.slice(at + 1) : uid, requests };
}

export interface TimedRequest {
  readonly request: RecordedSummary;
  /** Ms after the group's first request. */
  readonly afterMs: number;
  /** Place and width of its bar, in percent. */
  readonly left: number;
  readonly width: number;
  /** How many requests of the group led to it, one by the other. */
  readonly depth: number;
}

export interface TimedGroup {
  readonly rows: readonly TimedRequest[];
  readonly totalMs: number;
  /** Places of shortened pauses, in percent. */
  readonly pauses: readonly number[];
}

/** Each request with those that it caused behind it, otherwise in the order in which they came. */
function treeOf(requests: readonly RecordedSummary[]): { request: RecordedSummary; depth: number }[] {
  const spans = new Set(requests.map(({ span_id }) => span_id));
  const caused = Map.groupBy(requests.toSorted(byTime), ({ parent_id }) =>
    parent_id !== undefined && spans.has(parent_id) ? parent_id : "",
  );
  const below = (span: string | undefined, depth: number): { request: RecordedSummary; depth: number }[] =>
    (caused.get(span ?? "none") ?? []).flatMap((request) => [{ request, depth }, ...below(request.span_id, depth + 1)]);
  return below("", 0);
}

/** A pause takes at most this share of the time in which something happened, or the bars around it would vanish. */
const longestPause = 0.15;

/** Lays the requests of a group out on one axis on which long pauses are shortened. */
export function layOut({ requests }: Pick<RequestGroup, "requests">): TimedGroup {
  const begin = Math.min(...requests.map(beginOf));
  const spans: { from: number; until: number }[] = [];
  for (const request of requests.toSorted(byTime)) {
    const last = spans.at(-1);
    if (last && beginOf(request) <= last.until) last.until = Math.max(last.until, endOf(request));
    else spans.push({ from: beginOf(request), until: endOf(request) });
  }
  const busyMs = Math.max(
    1,
    spans.reduce((all, { from, until }) => all + until - from, 0),
  );
  const mostMs = busyMs * longestPause;
  let shown = 0;
  const pauses: number[] = [];
  const placed = spans.map((span, index) => {
    const pauseMs = index === 0 ? 0 : span.from - (spans[index - 1]?.until ?? span.from);
    if (pauseMs > mostMs) pauses.push(shown + mostMs / 2);
    shown += Math.min(pauseMs, mostMs);
    const place = shown;
    shown += span.until - span.from;
    return { ...span, place };
  });
  const total = Math.max(1, shown);
  const percent = (ms: number) => (ms / total) * 100;
  const rows = treeOf(requests).map(({ request, depth }) => {
    const from = beginOf(request);
    const span = placed.findLast((one) => one.from <= from);
    const left = percent((span?.place ?? 0) + from - (span?.from ?? from));
    return { request, afterMs: from - begin, left, width: Math.min(percent(request.ms), 100 - left), depth };
  });
  return { rows, totalMs: Math.max(...requests.map(endOf)) - begin, pauses: pauses.map(percent) };
}
