/** Asks the backend to refund, close, renew or reconcile, by the requests of the description. */
import type { BackendActions } from "../../../../contract/provider/checks/receiver-check-requests.ts";
import type { AskBackend } from "../ask-backend.ts";
import { filled, valueAt } from "../json-path.ts";
import type { OrderUnderTest } from "../orders-under-test.ts";
import { NotJudged } from "../problems.ts";

export type ActionName = keyof BackendActions;

export interface ActionReply {
  readonly isDone: boolean;
  /** For the middle of a sentence. */
  readonly words: string;
  /** What the reply has at the path of the description. */
  readonly found: unknown;
}

type Values = Readonly<Record<string, string | number>>;

/** A backend may wait for the platform for so long. */
const patienceMs = 30_000;

const inJson = (text: string) => JSON.stringify(text).slice(1, -1);

const pathOf = (action: BackendActions[ActionName]): string | undefined => {
  if (action === undefined) return undefined;
  if ("prepay_at" in action) return action.prepay_at;
  return "differences_at" in action ? action.differences_at : undefined;
};

/** The value at a path that the description names. @throws NotJudged, because the description may be wrong */
function valueIn(text: string, name: ActionName, path: string): unknown {
  let document: unknown;
  try {
    document = JSON.parse(text);
  } catch {
    throw new NotJudged(`the reply to “${name}” is not JSON`);
  }
  const found = valueAt(document, path);
  if (found === undefined) throw new NotJudged(`the reply to “${name}” has nothing at ${path}`);
  return found;
}

export class BackendAsked {
  readonly #ask: AskBackend;
  readonly #actions: BackendActions;

  constructor(ask: AskBackend, actions: BackendActions) {
    this.#ask = ask;
    this.#actions = actions;
  }

  /** @throws NotJudged if there is no such request, or nothing behind it */
  async send(
    name: ActionName,
    { order, reply }: OrderUnderTest,
    values: Values,
    signal: AbortSignal,
  ): Promise<ActionReply> {
    const action = this.#actions[name];
    if (action === undefined) throw new NotJudged(`the request “${name}” is not set`);
    const known = (key: string) => {
      if (key === "out_trade_no") return order.outTradeNo;
      return key.startsWith("reply.") ? valueAt(reply, key.slice("reply.".length)) : values[key];
    };
    const { method, headers, body } = action;
    const url = filled(action.url, known, encodeURIComponent);
    const late = AbortSignal.timeout(patienceMs);
    const answer = await this.#ask(url, {
      method,
      headers: Object.fromEntries(Object.entries(headers).map(([key, value]) => [key, filled(value, known)])),
      body: body === undefined ? undefined : filled(body, known, inJson),
      signal: AbortSignal.any([signal, late]),
    });
    signal.throwIfAborted();
    if ("failure" in answer) {
      if (!late.aborted) throw new NotJudged(`the backend did not answer “${name}”: ${answer.failure}`);
      return { isDone: false, found: undefined, words: `no answer in ${String(patienceMs / 1000)} s` };
    }
    const { status, text, quoted = "" } = answer;
    if (status === 404 || status === 405)
      throw new NotJudged(
        `the request “${name}” (${method} ${new URL(url).pathname}) was answered HTTP ${String(status)}`,
      );
    const isDone = status < 300;
    const path = pathOf(action);
    return {
      isDone,
      words: `HTTP ${String(status)}${quoted}`,
      found: isDone && path !== undefined ? valueIn(text, name, path) : undefined,
    };
  }
}
