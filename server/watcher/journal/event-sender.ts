/**
 * Delivers the queue to the receiver: one POST per event on one kept-alive connection, in the order of the changes.
 * Each is retried until the receiver accepts it.
 */
import type { IncomingMessage } from "node:http";
import { urlToHttpOptions } from "node:url";
import type { Logger } from "pino";
import { fileEventIdHeader, fileMoveHeader } from "../../contract/app/file-events.ts";
import { addressWithoutSecrets } from "../../contract/process/hide-credentials.ts";
import { keepConnections, wasStale } from "../../http/connection/connections.ts";
import { retryAfterMs } from "../../http/outgoing/retry-after.ts";
import { newSpan, runInSpan } from "../../trace/span.ts";
import type { EventJournal } from "./event-journal.ts";
import type { QueuedEvent } from "./journal-file.ts";

export interface EventSenderOptions {
  readonly to: URL;
  readonly journal: EventJournal;
  readonly log: Logger;
  /** Called with each event that the receiver has accepted. */
  readonly onSent?: ((event: QueuedEvent) => void) | undefined;
  /** Pause before the first retry; doubles up to `longestPauseMs`. */
  readonly firstPauseMs?: number;
  readonly longestPauseMs?: number;
  /** A receiver that takes longer for one event counts as down. */
  readonly answerWithinMs?: number;
}

export interface EventSender {
  /** Starts delivery; call it when an event is queued. */
  wake(): void;
  /** Continues to deliver for at most `graceMs`, then stops. The rest stays in the queue. */
  stop(graceMs: number): Promise<void>;
}

/** Statuses that no retry of the same event would change. The event is dropped so that it does not block the others. */
const refusals = new Set([400, 413, 414, 415, 422]);

type Outcome =
  { kind: "delivered" } | { kind: "refused"; why: string } | { kind: "again"; why: string; afterMs: number };

function formOf({ id, df, ev, move }: QueuedEvent) {
  const body = new URLSearchParams({ df, ev }).toString();
  const headers = {
    "Content-Type": "application/x-www-form-urlencoded",
    "Content-Length": Buffer.byteLength(body),
    [fileEventIdHeader]: id,
    ...(move !== undefined && { [fileMoveHeader]: move }),
  };
  return { headers, body };
}

export function createEventSender(options: EventSenderOptions): EventSender {
  const { to, journal, log, onSent, firstPauseMs = 100, longestPauseMs = 2_000, answerWithinMs = 10_000 } = options;
  const receiver = addressWithoutSecrets(to);
  const connections = keepConnections({ maxSockets: 1 });
  const stopped = new AbortController();
  let running: Promise<void> | undefined;
  let failures = 0;
  let lastWhy: string | undefined;

  const post = (event: QueuedEvent) =>
    new Promise<IncomingMessage>((resolve, reject) => {
      const { headers, body } = formOf(event);
      const request = connections.request(to.protocol, { ...urlToHttpOptions(to), method: "POST", headers });
      // For the whole answer: the request's own limit would start anew with each byte.
      const limit = setTimeout(() => {
        const late = new Error(`no reply within ${answerWithinMs} ms`);
        reject(late);
        request.destroy(late);
      }, answerWithinMs);
      request.on("close", () => clearTimeout(limit));
      request.on("response", (response) => {
        response.on("error", reject);
        response.on("end", () => resolve(response));
        response.resume();
      });
      request.on("error", (error: NodeJS.ErrnoException) => {
        reject(wasStale(request, error) ? new StaleConnection() : error);
      });
      request.end(body);
    });

  async function deliver(event: QueuedEvent): Promise<Outcome> {
    const pauseMs = Math.min(longestPauseMs, firstPauseMs * 2 ** failures);
    try {
      const reply = await post(event);
      const { statusCode = 0, headers } = reply;
      if (statusCode >= 200 && statusCode < 300) return { kind: "delivered" };
      const target = headers.location === undefined ? null : URL.parse(headers.location, to.href);
      const why = `${receiver} answers ${statusCode}${target ? ` (${addressWithoutSecrets(target)})` : ""}`;
      if (refusals.has(statusCode)) return { kind: "refused", why };
      const requestedMs = retryAfterMs(reply) ?? 0;
      return { kind: "again", why, afterMs: Math.max(pauseMs, Math.min(requestedMs, 30_000)) };
    } catch (error) {
      if (error instanceof StaleConnection) return { kind: "again", why: "the connection was closed", afterMs: 0 };
      return { kind: "again", why: (error as Error).message || String(error), afterMs: pauseMs };
    }
  }

  async function drain(): Promise<void> {
    let span = newSpan(); // the same for all deliveries of an event
    for (let event = journal.first(); event && !stopped.signal.aborted; event = journal.first()) {
      const first = event;
      const outcome = await runInSpan(span, () => deliver(first));
      if (outcome.kind === "again") {
        if (outcome.afterMs === 0) continue;
        failures++;
        if (outcome.why !== lastWhy)
          log.warn({ to: receiver, why: outcome.why }, "the receiver does not accept events; they are kept");
        lastWhy = outcome.why;
        await pause(outcome.afterMs, stopped.signal);
        continue;
      }
      if (outcome.kind === "refused")
        log.error(
          { df: event.df, ev: event.ev, why: outcome.why },
          "the receiver refused an event; the event is dropped",
        );
      else if (failures > 0) log.info({ to: receiver, waiting: journal.size }, "the receiver accepts events again");
      failures = 0;
      lastWhy = undefined;
      journal.removeFirst();
      span = newSpan();
      if (outcome.kind === "delivered") onSent?.(event);
    }
  }

  const wake = () => {
    if (stopped.signal.aborted) return;
    running ??= runInSpan(undefined, drain).finally(() => {
      running = undefined;
      if (journal.first()) wake();
    });
  };

  return {
    wake,
    async stop(graceMs) {
      const cut = () => {
        stopped.abort();
        connections.destroy();
      };
      // The receiver is known to be down: do not wait for it.
      if (failures > 0) cut();
      const timer = setTimeout(cut, graceMs);
      await running;
      clearTimeout(timer);
      cut();
    },
  };
}

class StaleConnection extends Error {}

function pause(ms: number, until: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      until.removeEventListener("abort", end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    until.addEventListener("abort", end);
  });
}
