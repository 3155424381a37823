/** The task of a request, an upload or a download: it can be aborted, and reports what has come. */
import type { IncomingMessage } from "node:http";
import { spellHeader } from "../../../contract/mini-program/header-spelling.ts";
import type { HeadersReceived, HttpTask, WxHeader } from "../api/network.ts";
import type { WxCallbacks, WxResult } from "../api/call.ts";
import { callBack, failed, hasCallbacks, WxError } from "../answer.ts";
import type { HeaderNames, ServerDomains } from "../wx.ts";
import { exchangeOver, reasonOf, type WxExchange, type Exchanged } from "./exchange.ts";
import type { RequestTurns } from "./request-turns.ts";
import { checkedUrl } from "./servers.ts";

export interface NetworkContext {
  readonly domains: ServerDomains | undefined;
  readonly headerNames: HeaderNames;
  /** Headers of every request: the platform's own. */
  readonly own: Readonly<Record<string, string>>;
  readonly turns: RequestTurns;
}

/** Listeners of a task. */
class Listeners<Event> {
  readonly #listeners = new Set<(event: Event) => void>();
  readonly on = (listener: (event: Event) => void): void => void this.#listeners.add(listener);
  readonly off = (listener?: (event: Event) => void): void => {
    if (listener) this.#listeners.delete(listener);
    else this.#listeners.clear();
  };
  call(event: Event): void {
    for (const listener of this.#listeners) listener(event);
  }
}

export function headersOf(
  { rawHeaders, statusCode = 0, headers }: IncomingMessage,
  names: HeaderNames,
): HeadersReceived {
  const header: WxHeader = {};
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const [sent = "", value = ""] = rawHeaders.slice(at, at + 2);
    const name = names === "as-sent" ? sent : spellHeader(sent, names);
    header[name] = header[name] === undefined ? value : `${header[name]},${value}`;
  }
  return { header, statusCode, cookies: headers["set-cookie"] ?? [] };
}

const defaultTimeoutMs = 60_000;

interface Sent {
  readonly url: string;
  readonly exchange: Omit<WxExchange, "signal" | "onHeaders">;
}

interface Task<Result extends WxResult, Progress> {
  readonly api: "request" | "uploadFile" | "downloadFile";
  readonly options: WxCallbacks<Result> & { readonly url: string; readonly timeout?: number };
  /** The request; `progress` reports to the task's listeners. */
  readonly write: (progress: (event: Progress) => void) => Sent | Promise<Sent>;
  readonly read: (
    exchanged: Exchanged,
    received: HeadersReceived,
  ) => Omit<Result, "errMsg"> | Promise<Omit<Result, "errMsg">>;
}

/** Adds and removes listeners of a call's own events: progress, or chunks. */
interface Events<Event> {
  on: (listener: (event: Event) => void) => void;
  off: (listener?: (event: Event) => void) => void;
}

/** Starts the call. Listeners are added after it has returned its task. */
export function startTask<Result extends WxResult, Progress>(
  { domains, headerNames, own, turns }: NetworkContext,
  { api, options, write, read }: Task<Result, Progress>,
): { readonly task: HttpTask; readonly events: Events<Progress> } {
  const aborted = new AbortController();
  const headers = new Listeners<HeadersReceived>();
  const progress = new Listeners<Progress>();
  async function run(signal: AbortSignal): Promise<Result> {
    const { url, exchange } = await write((event) => progress.call(event));
    const exchanged = await exchangeOver(new URL(url), {
      ...exchange,
      headers: { ...own, ...exchange.headers },
      signal: AbortSignal.any([signal, AbortSignal.timeout(options.timeout ?? defaultTimeoutMs)]),
      onHeaders: (reply) => headers.call(headersOf(reply, headerNames)),
    });
    return { ...(await read(exchanged, headersOf(exchanged.reply, headerNames))), errMsg: `${api}:ok` } as Result;
  }
  const ended = (async () => {
    checkedUrl(api, options.url, domains);
    return turns.run(() => run(aborted.signal), aborted.signal);
  })().catch((error: unknown) => {
    throw error instanceof WxError ? error : failed(api, reasonOf(error), error);
  });
  ended.catch(() => undefined); // a task without callbacks has nobody to tell
  if (hasCallbacks(options)) callBack(api, options, ended);
  return {
    task: { abort: () => aborted.abort(), onHeadersReceived: headers.on, offHeadersReceived: headers.off },
    events: progress,
  };
}
