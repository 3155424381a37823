/** HTTP to one upstream. Closing the reply cancels the request there; a reply that is not read on holds it back. */
import type { IncomingMessage } from "node:http";
import { isObject } from "../../contract/is-object.ts";
import type { UpstreamOptions } from "../../contract/process/upstream-setting.ts";
import { wasStale } from "../../http/connection/connections.ts";
import type { OutgoingRequests } from "../../http/outgoing/outgoing-requests.ts";
import { readReply } from "../../http/outgoing/read-reply.ts";
import { certificateFailure, networkFailure } from "../../http/outgoing/network-failure.ts";
import { reasonFor } from "../../http/outgoing/reason-for.ts";
import { retryAfterMs } from "../../http/outgoing/retry-after.ts";
import { readLines } from "../../contract/read-lines.ts";
import { UpstreamError, type UpstreamErrorOptions } from "./upstream-error.ts";

const connectMs = 5_000;
const mostErrorBytes = 64 * 1024;
const mostReplyBytes = 64 * 1024 * 1024;
const longestLine = 16 * 1024 * 1024;
const mostErrorText = 500;
/** Pauses of an upstream: after a failure, when it is busy, and the longest one that it may ask for. */
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

export class UpstreamClient {
  readonly options: UpstreamOptions;
  readonly #who: string;
  readonly #key: string | undefined;
  readonly #outgoing: Pick<OutgoingRequests, "begin">;
  readonly #onLine: () => void;

  /** @param onLine is called for each line of a streamed reply */
  constructor(
    options: UpstreamOptions,
    key: string | undefined,
    outgoing: Pick<OutgoingRequests, "begin">,
    onLine: () => void,
  ) {
    const { name, url } = options;
    this.options = options;
    this.#who = name === new URL(url).host ? `upstream ${url}` : `upstream ${name} (${url})`;
    this.#key = key;
    this.#outgoing = outgoing;
    this.#onLine = onLine;
  }

  /** The JSON of a reply. @throws UpstreamError; the signal's reason when aborted. */
  async ask(path: string, body: unknown, signal: AbortSignal): Promise<unknown> {
    const reply = await this.#send(path, body, signal);
    const bytes = await readReply(reply, mostReplyBytes).catch((error: unknown) => {
      signal.throwIfAborted();
      throw this.#interrupted(error);
    });
    const value = parsed(bytes.toString("utf8"));
    if (isObject(value)) return value;
    throw this.broken(`answers ${path} without a JSON object: its address may be wrong`);
  }

  /** The lines of a streamed reply, as they come; otherwise as `ask`. */
  async *stream(path: string, body: unknown, signal: AbortSignal): AsyncGenerator<string, void> {
    const reply = await this.#send(path, body, signal);
    try {
      for await (const line of readLines(reply, longestLine)) {
        signal.throwIfAborted();
        this.#onLine();
        yield line;
      }
    } catch (error) {
      signal.throwIfAborted();
      throw error instanceof UpstreamError ? error : this.#interrupted(error);
    } finally {
      reply.destroy();
    }
  }

  /** A failure of this upstream: it sends what nobody can read. */
  broken(problem: string, cause?: unknown): UpstreamError {
    return this.#error(502, problem, { mayRetry: true, pauseMs: failedPauseMs, cause });
  }

  /** A refusal with 501, for a route that it does not have. */
  lacking(path: string, cause: unknown): UpstreamError {
    const { pathname } = new URL(this.options.url + path);
    return this.#error(501, `lacks ${pathname}, which this request needs`, { mayRetry: true, cause });
  }

  /** A failure that it reports itself in the middle of a stream. */
  reported(error: unknown): UpstreamError {
    const text = errorText(error)?.slice(0, mostErrorText) ?? "without a reason";
    return this.#error(502, `failed: ${text}`, { mayRetry: true, pauseMs: busyPauseMs });
  }

  #error(status: number, problem: string, options: UpstreamErrorOptions): UpstreamError {
    return new UpstreamError(status, `${this.#who} ${problem}`, options);
  }

  /** Its answer cannot be read to its end. */
  #interrupted(error: unknown): UpstreamError {
    const problem = error instanceof RangeError ? `is broken: ${error.message}` : "stopped in the middle of its answer";
    return this.broken(problem, error);
  }

  #unreachable(cause: unknown): UpstreamError {
    const advice = "start it, or correct its address in the setting upstreams";
    const { host } = new URL(this.options.url);
    const reason = networkFailure(host, cause) ?? certificateFailure(host, cause) ?? reasonFor("here", cause);
    const problem = `does not answer: ${reason}; ${advice}`;
    return this.#error(503, problem, { mayRetry: true, pauseMs: failedPauseMs, cause });
  }

  /** The error for a reply with another status than 200. */
  async #refusal(reply: IncomingMessage): Promise<UpstreamError> {
    const { statusCode: status = 0 } = reply;
    const bytes = await readReply(reply, mostErrorBytes).catch(() => Buffer.alloc(0));
    const text = (errorText(parsed(bytes.toString("utf8"))) ?? "").slice(0, mostErrorText) || "without a reason";
    const refuse = (as: number, problem: string, pauseMs?: number) =>
      this.#error(as, problem, { mayRetry: true, isAnswer: true, pauseMs });
    if (status === 401 || status === 403) return refuse(502, this.#keyProblem(status, text));
    if (busyStatuses.includes(status)) {
      const pauseMs = Math.min(retryAfterMs(reply) ?? busyPauseMs, longestBusyMs);
      return refuse(503, `is busy (${String(status)}: ${text}); try again`, pauseMs);
    }
    if (status === 501) return refuse(501, `cannot do that: ${text}`);
    if (status === 404) return refuse(404, `answers 404: ${text}`);
    if (status >= 400 && status < 500)
      return this.#error(status, `refuses the request: ${text}`, { mayRetry: false, isAnswer: true });
    return refuse(502, `failed (${String(status)}: ${text})`, busyPauseMs);
  }

  #keyProblem(status: number, text: string): string {
    const { keyVariable } = this.options;
    const verb = this.#key === undefined ? "asks for a key" : "refuses the key";
    const source = keyVariable === undefined ? "the setting upstream_keys" : `the variable ${keyVariable}`;
    return `${verb} (${String(status)}: ${text}); it comes from ${source}`;
  }

  async #sendOnce(path: string, text: string | undefined, signal: AbortSignal): Promise<IncomingMessage> {
    signal.throwIfAborted();
    const headers = {
      Accept: "*/*",
      "User-Agent": "hearth",
      ...(this.#key !== undefined && { Authorization: `Bearer ${this.#key}` }),
      ...(text !== undefined && { "Content-Type": "application/json", "Content-Length": Buffer.byteLength(text) }),
    };
    const method = text === undefined ? "GET" : "POST";
    const sent = await this.#outgoing.begin("here", new URL(this.options.url + path), { method, headers, signal });
    const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
    const patience = setTimeout(() => sent.destroy(new Error("it accepts no connection")), connectMs).unref();
    const connected = () => clearTimeout(patience);
    sent.once("socket", (socket) => (socket.connecting ? socket.once("connect", connected) : connected()));
    sent.once("response", resolve);
    sent.on("error", (error) => reject(wasStale(sent, error) ? new StaleConnection(error) : error));
    sent.end(text);
    return promise.finally(connected);
  }

  async #send(path: string, body: unknown, signal: AbortSignal): Promise<IncomingMessage> {
    const text = body === undefined ? undefined : JSON.stringify(body);
    for (;;) {
      const reply = await this.#sendOnce(path, text, signal).catch((error: unknown) => {
        signal.throwIfAborted();
        if (error instanceof StaleConnection) return undefined;
        throw this.#unreachable(error);
      });
      if (reply === undefined) continue;
      if (reply.statusCode === 200) return reply;
      throw await this.#refusal(reply);
    }
  }
}

/** The upstream closed an idle connection just as it was used again. */
class StaleConnection extends Error {
  override readonly name = "StaleConnection";
  constructor(cause: Error) {
    super(cause.message, { cause });
  }
}
