/** HTTP to one upstream. Closing the reply cancels the request there; a reply that is not read on holds it back. */
import type { IncomingMessage } from "node:http";
import { isObject } from "../../contract/is-object.ts";
import type { UpstreamOptions } from "../../contract/process/upstream-setting.ts";
import { wasStale } from "../../http/connection/connections.ts";
import type { OutgoingRequests } from "../../http/outgoing/outgoing-requests.ts";
import { readReply } from "../../http/outgoing/read-reply.ts";
import { reasonFor } from "../../http/outgoing/reason-for.ts";
import { retryAfterMs } from "../../http/outgoing/retry-after.ts";
import { readLines } from "../../contract/read-lines.ts";
import { UpstreamError, type UpstreamErrorOptions } from "./upstream-error.ts";

export interface UpstreamClient {
  readonly options: UpstreamOptions;
  /** The JSON of a reply. @throws UpstreamError; the signal's reason when aborted. */
  ask(path: string, body: unknown, signal: AbortSignal): Promise<unknown>;
  /** The lines of a streamed reply, as they come; otherwise as `ask`. */
  stream(path: string, body: unknown, signal: AbortSignal): AsyncGenerator<string, void>;
  /** A failure of this upstream, for what it sends that nobody can read. */
  broken(problem: string, cause?: unknown): UpstreamError;
  /** A refusal with 501, for a route that it has not. */
  lacking(path: string, cause: unknown): UpstreamError;
  /** A failure that it reports itself in the middle of a stream. */
  reported(error: unknown): UpstreamError;
}

const connectMs = 5_000;
const mostErrorBytes = 64 * 1024;
const mostReplyBytes = 64 * 1024 * 1024;
const longestLine = 16 * 1024 * 1024;
const mostErrorText = 500;
/** How long an upstream rests that did not answer, one that is too busy, and one that names its time, at most. */
const [failedPauseMs, busyPauseMs, longestBusyMs] = [2_000, 1_000, 60_000];

const busyStatuses = [408, 425, 429, 503];

/** The text of an error in any of the usual bodies. */
function errorText(body: unknown): string | undefined {
  if (typeof body === "string") return body;
  if (!isObject(body)) return undefined;
  return errorText(body["error"]) ?? errorText(body["message"]) ?? errorText(body["detail"]);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** `heard` is called for each line of a streamed reply. */
export function createUpstreamClient(
  options: UpstreamOptions,
  key: string | undefined,
  outgoing: Pick<OutgoingRequests, "begin">,
  heard: () => void,
): UpstreamClient {
  const { name, url, keyVariable } = options;
  const who = name === new URL(url).host ? `upstream ${url}` : `upstream ${name} (${url})`;

  const unreachable = (cause: unknown) =>
    new UpstreamError(
      503,
      `${who} does not answer: ${reasonFor("here", cause)}; start it, or correct its address in the setting upstreams`,
      { mayRetry: true, pauseMs: failedPauseMs, cause },
    );
  const broken = (problem: string, cause?: unknown) =>
    new UpstreamError(502, `${who} ${problem}`, { mayRetry: true, pauseMs: failedPauseMs, cause });

  /** Its answer cannot be read to its end. */
  const unread = (error: unknown) =>
    broken(error instanceof RangeError ? `is broken: ${error.message}` : "ended in the middle of its answer", error);

  const answered = (status: number, message: string, options: UpstreamErrorOptions) =>
    new UpstreamError(status, message, { ...options, isAnswer: true });

  function refusedKey(status: number, text: string): UpstreamError {
    const what = key === undefined ? "asks for a key" : "refuses the key";
    const where = keyVariable === undefined ? "the setting upstream_keys" : `the variable ${keyVariable}`;
    return answered(502, `${who} ${what} (${String(status)}: ${text}); it comes from ${where}`, {
      mayRetry: true,
    });
  }

  async function refusal(reply: IncomingMessage): Promise<UpstreamError> {
    const { statusCode: status = 0 } = reply;
    const bytes = await readReply(reply, mostErrorBytes).catch(() => Buffer.alloc(0));
    const text = (errorText(parsed(bytes.toString("utf8"))) ?? "").slice(0, mostErrorText) || "without a reason";
    if (status === 401 || status === 403) return refusedKey(status, text);
    if (busyStatuses.includes(status))
      return answered(503, `${who} is busy (${String(status)}: ${text}); try again`, {
        mayRetry: true,
        pauseMs: Math.min(retryAfterMs(reply) ?? busyPauseMs, longestBusyMs),
      });
    if (status === 501) return answered(501, `${who} cannot do that: ${text}`, { mayRetry: true });
    if (status === 404) return answered(404, `${who} answers 404: ${text}`, { mayRetry: true });
    if (status >= 400 && status < 500)
      return answered(status, `${who} refuses the request: ${text}`, { mayRetry: false });
    return answered(502, `${who} failed (${String(status)}: ${text})`, {
      mayRetry: true,
      pauseMs: busyPauseMs,
    });
  }

  async function sendOnce(path: string, text: string | undefined, signal: AbortSignal): Promise<IncomingMessage> {
    signal.throwIfAborted();
    const target = new URL(url + path);
    const headers = {
      Accept: "*/*",
      "User-Agent": "hearth",
      ...(key !== undefined && { Authorization: `Bearer ${key}` }),
      ...(text !== undefined && { "Content-Type": "application/json", "Content-Length": Buffer.byteLength(text) }),
    };
    const sent = await outgoing.begin("here", target, { method: text === undefined ? "GET" : "POST", headers, signal });
    const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
    const patience = setTimeout(() => sent.destroy(new Error("it accepts no connection")), connectMs).unref();
    const connected = () => clearTimeout(patience);
    sent.once("socket", (socket) => (socket.connecting ? socket.once("connect", connected) : connected()));
    sent.once("response", resolve);
    sent.on("error", (error) => reject(wasStale(sent, error) ? new StaleConnection(error) : error));
    sent.end(text);
    return promise.finally(connected);
  }

  async function send(path: string, body: unknown, signal: AbortSignal): Promise<IncomingMessage> {
    const text = body === undefined ? undefined : JSON.stringify(body);
    for (;;) {
      const reply = await sendOnce(path, text, signal).catch((error: unknown) => {
        signal.throwIfAborted();
        if (error instanceof StaleConnection) return undefined;
        throw unreachable(error);
      });
      if (reply === undefined) continue;
      if (reply.statusCode === 200) return reply;
      throw await refusal(reply);
    }
  }

  return {
    options,
    broken,
    lacking: (path, cause) =>
      new UpstreamError(501, `${who} has no ${new URL(url + path).pathname}, which this needs`, {
        mayRetry: true,
        cause,
      }),
    reported: (error) =>
      new UpstreamError(502, `${who} failed: ${errorText(error)?.slice(0, mostErrorText) ?? "without a reason"}`, {
        mayRetry: true,
        pauseMs: busyPauseMs,
      }),
    async ask(path, body, signal) {
      const reply = await send(path, body, signal);
      const bytes = await readReply(reply, mostReplyBytes).catch((error: unknown) => {
        signal.throwIfAborted();
        throw unread(error);
      });
      const value = parsed(bytes.toString("utf8"));
      if (isObject(value)) return value;
      throw broken(`answers ${path} with what is no JSON object: its address may be wrong`);
    },
    async *stream(path, body, signal) {
      const reply = await send(path, body, signal);
      try {
        for await (const line of readLines(reply, longestLine)) {
          signal.throwIfAborted();
          heard();
          yield line;
        }
      } catch (error) {
        signal.throwIfAborted();
        throw error instanceof UpstreamError ? error : unread(error);
      } finally {
        reply.destroy();
      }
    },
  };
}

/** The upstream closed an idle connection just as it was used again. */
class StaleConnection extends Error {
  override readonly name = "StaleConnection";
  constructor(cause: Error) {
    super(cause.message, { cause });
  }
}
