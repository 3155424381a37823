/** The phone's network: a mini-program's `wx.request` and `wx.uploadFile` under the chosen conditions. */
import {
  sendByWx,
  stepOf,
  type HttpRequest,
  type HttpResponse,
} from "../../../server/app/console/reference-client/hearth-client.ts";
import { spellHeader } from "../../../server/contract/mini-program/header-spelling.ts";
import type { PhoneStore } from "./phone-state.ts";
import type { AnsweredCall } from "./trace-call.ts";
import { withoutSecrets } from "./secret-fields.ts";

interface Deps {
  readonly store: PhoneStore;
  readonly fetch: typeof globalThis.fetch;
  readonly wait: (ms: number) => Promise<void>;
  /** Called for each answer of the server, with the id of its entry. */
  readonly onAnswered: (entry: number, call: AnsweredCall) => void;
}

/** The delay that a slow network adds to each call. */
export const slowMs = 2_000;

/** The beginning of the platform's message when there was no answer. */
const noAnswer = "request:fail";
export const isNoAnswer = (error: unknown): boolean => error instanceof Error && error.message.startsWith(noAnswer);

export type PhoneNetwork = ReturnType<typeof createPhoneNetwork>;

export function createPhoneNetwork({ store, fetch, wait, onAnswered }: Deps) {
  /** Delays a call on a slow network. @throws the platform's error when it is offline; when the app is removed meanwhile */
  async function pass(removed: AbortSignal): Promise<void> {
    if (store.getState().network === "slow") await wait(slowMs);
    removed.throwIfAborted();
    if (store.getState().network === "offline") throw new Error(`${noAnswer} net::ERR_INTERNET_DISCONNECTED`);
  }

  async function exchange({ method, url, headers, body }: HttpRequest, removed: AbortSignal): Promise<HttpResponse> {
    const { spelling } = store.getState();
    const requestId = `phone-${newId()}`;
    const path = url.replace(/^https?:\/\/[^/]+/, "");
    const entry = store.add({ kind: "call", to: "app", method, path, spelling, requestId, sent: withoutSecrets(body) });
    const began = performance.now();
    const ms = () => Math.round(performance.now() - began);
    try {
      await pass(removed);
      const isForm = body instanceof FormData;
      const { "Content-Type": type, ...otherHeaders } = headers;
      const reply = await fetch(url, {
        method,
        signal: removed,
        // The phone is not part of the console, so only its own token identifies it.
        credentials: "omit",
        cache: "no-store",
        headers: {
          ...otherHeaders,
          "X-Request-Id": requestId,
          ...(type !== undefined && body !== undefined && !isForm && { "Content-Type": type }),
        },
        ...(body !== undefined && { body: isForm ? body : JSON.stringify(body) }),
      });
      const response: HttpResponse = {
        status: reply.status,
        headers: Object.fromEntries([...reply.headers].map(([name, value]) => [spellHeader(name, spelling), value])),
        body: contentOf(await reply.text(), reply),
      };
      const name = spellHeader("www-authenticate", spelling);
      const value = response.headers[name];
      store.amend(entry, {
        status: response.status,
        ms: ms(),
        received: withoutSecrets(response.body),
        ...(value !== undefined && { authenticate: { name, value } }),
        ...(response.status === 401 && { next: stepOf(response) }),
      });
      onAnswered(entry, { method, path, requestId });
      return response;
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      const failure = isNoAnswer(error) ? reason : `${noAnswer} ${reason}`;
      store.amend(entry, { failure, ms: ms() });
      throw new Error(failure, { cause: error });
    }
  }

  const byWx = (removed: AbortSignal) =>
    sendByWx({
      request({ url, method, header, data, success, fail }) {
        exchange({ url, method, headers: header, body: data }, removed).then(
          ({ status, headers, body }) => success({ statusCode: status, header: headers, data: body ?? "" }),
          (error: unknown) => fail({ errMsg: error instanceof Error ? error.message : String(error) }),
        );
      },
    });

  return {
    pass,
    /**
     * The `send` of an app until it is removed: requests like a mini-program's; a form with a file uses the platform's
     * upload.
     */
    sendUntil:
      (removed: AbortSignal) =>
      async (request: HttpRequest): Promise<HttpResponse> => {
        removed.throwIfAborted();
        return request.body instanceof FormData ? exchange(request, removed) : byWx(removed)(request);
      },
  };
}

/** Not `randomUUID`, which browsers lack over plain HTTP from another machine. */
const newId = () => Array.from(crypto.getRandomValues(new Uint32Array(4)), (part) => part.toString(36)).join("-");

/** Parsed JSON; for a page after a redirect, its address. */
function contentOf(text: string, { headers, url }: Response): unknown {
  if (text === "") return undefined;
  return headers.get("content-type")?.includes("json") ? JSON.parse(text) : { page: new URL(url).pathname };
}
