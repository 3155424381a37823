/** Sends the spans of requests to a collector by OTLP/HTTP in JSON: soon, in batches, and without delaying requests. */
import { hearthAgent } from "../outgoing/agent-name.ts";
import { startSharedTimer, type Span } from "../../trace/span.ts";

/** The handling of one request. It has no address, header or body: these may hold secrets. */
export interface RequestSpan {
  readonly span: Span;
  readonly method: string;
  /** The path of the route, as it is defined. */
  readonly route: string | undefined;
  readonly status: number;
  /** Unix time in ms of the start. */
  readonly time: number;
  readonly ms: number;
  /** Kinds of the faults that hit it. */
  readonly fault: string | undefined;
}

export type ExportSpan = (span: RequestSpan) => void;

/** Spans beyond these are dropped while the collector is slow or away. */
const mostWaiting = 2_048;
const batch = 512;
const pauseMs = 1_000;
const patienceMs = 5_000;

const text = (key: string, value: string | undefined) =>
  value === undefined ? [] : [{ key, value: { stringValue: value } }];
const nanos = (ms: number) => String(BigInt(Math.round(ms * 1_000)) * 1_000n);
/** SPAN_KIND_SERVER, STATUS_CODE_ERROR */
const [serverKind, errorCode] = [2, 2];

const otlpSpan = ({ span, method, route, status, time, ms, fault }: RequestSpan) => ({
  traceId: span.traceId,
  spanId: span.spanId,
  ...(span.parentId !== undefined && { parentSpanId: span.parentId }),
  name: route === undefined ? method : `${method} ${route}`,
  kind: serverKind,
  startTimeUnixNano: nanos(time),
  endTimeUnixNano: nanos(time + ms),
  attributes: [
    ...text("http.request.method", method),
    ...text("http.route", route),
    { key: "http.response.status_code", value: { intValue: String(status) } },
    ...text("hearth.fault", fault),
  ],
  ...(status >= 500 && { status: { code: errorCode } }),
});

/** @param endpoint base URL of the collector; undefined: nothing is sent */
export function createSpanExporter(endpoint: string | undefined, service: string): ExportSpan | undefined {
  if (endpoint === undefined) return undefined;
  const url = `${endpoint.replace(/\/$/, "")}/v1/traces`;
  const resource = { attributes: text("service.name", `hearth-${service}`) };
  const waiting: RequestSpan[] = [];
  let timer: NodeJS.Timeout | undefined;

  async function send(): Promise<void> {
    const spans = waiting.splice(0, batch).map(otlpSpan);
    const body = JSON.stringify({ resourceSpans: [{ resource, scopeSpans: [{ scope: { name: "hearth" }, spans }] }] });
    const headers = { "Content-Type": "application/json", "User-Agent": hearthAgent };
    const signal = AbortSignal.timeout(patienceMs);
    // A batch that the collector does not take is lost.
    await fetch(url, { method: "POST", headers, body, signal, redirect: "error" })
      .then((reply) => reply.body?.cancel())
      .catch(() => undefined);
    timer = undefined;
    if (waiting.length > 0) plan();
  }
  const plan = () => {
    timer = startSharedTimer(() => void send(), pauseMs).unref();
  };

  return (span) => {
    if (waiting.length >= mostWaiting) return;
    waiting.push(span);
    if (!timer) plan();
  };
}
