/** Merges both sides' knowledge of an order into one history, by causality and time. */
import type { FaultMark } from "../../../../server/contract/fault-mark.ts";
import { refusalHeader } from "../../../../server/contract/app/hearth-headers.ts";
import { notificationReason } from "../../../../server/contract/app/notification-reasons.ts";
import type { HistoryEntry, StoredOrderDetail } from "../../../../server/contract/app/payments.ts";
import type { NotificationVerdict } from "../../../../server/contract/provider/notification-verdicts.ts";
import type { SimOrderDetail } from "../order/use-order.ts";

/**
 * The words of a message, which are independent: return_code is about the communication, result_code about the call,
 * trade_state about the order.
 */
export interface Words {
  readonly return_code?: string;
  readonly result_code?: string;
  readonly trade_state?: string;
  readonly err_code?: string;
}

/** A message as it was on the wire. */
export interface RawMessage {
  /** Its first line: method and target, or status. */
  readonly line: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: string;
}

export interface HistoryItem {
  readonly key: string;
  /** Unix ms. */
  readonly at: number;
  readonly side: "merchant" | "provider";
  readonly kind:
    HistoryEntry["kind"] | "served" | "attempt" | "waiting" | "ordered" | "failed" | "paid" | "refund" | "ended";
  /** The name of the call, the notification or the decision, as on the wire. */
  readonly name: string;
  /** The result in one word. */
  readonly outcome?: string;
  /** In a sentence, written by the server in the reader's language. */
  readonly text?: string;
  /** Why Hearth's receiver has refused the notification, in the contract's English. */
  readonly refusal?: string;
  readonly words: Words;
  readonly status?: number;
  readonly verdict?: NotificationVerdict;
  /** The receiver said yes without query order, so it took result_code for proof. */
  readonly trusted?: boolean;
  /** When it is sent, or sent again, in Unix ms, or that it never will be. */
  readonly next?: number | "given_up";
  /** Whether the call was carried out, where its reply may not be the true one. */
  readonly performed?: boolean;
  readonly times?: number;
  readonly durationMs?: number;
  readonly faults?: readonly FaultMark[];
  readonly request?: RawMessage;
  readonly reply?: RawMessage;
}

type SimCall = SimOrderDetail["calls"][number];
type SimNotification = SimOrderDetail["notifications"][number];

const wordNames = ["return_code", "result_code", "trade_state", "err_code"] as const;

/** The words in a message of either version, or of Alipay. Version 3 calls its error code `code`, Alipay `sub_code`. */
export function wordsOf(body: string): Words {
  const words: Partial<Record<(typeof wordNames)[number], string>> = {};
  for (const name of wordNames) {
    const xml = new RegExp(`<${name}>(?:<!\\[CDATA\\[)?([A-Z_]+)`).exec(body);
    const json = new RegExp(`"${name === "err_code" ? "code" : name}"\\s*:\\s*"([A-Z_]+)"`).exec(body);
    const word = xml?.[1] ?? (body.trimStart().startsWith("{") ? json?.[1] : undefined);
    if (word !== undefined) words[name] = word;
  }
  const subCode = /"sub_code":"([\w.-]+)"/.exec(body)?.[1];
  return subCode === undefined ? words : { ...words, err_code: subCode };
}

type Reply = NonNullable<SimNotification["attempts"][number]["reply"]>;

/** Hearth's own receiver names its reason by a code, which has words in every language; others write a text. */
function refusalIn({ headers, body }: Reply): Pick<HistoryItem, "outcome" | "refusal"> {
  const code = headers[refusalHeader.toLowerCase()] ?? "";
  const refusal = notificationReason(code);
  return refusal === undefined ? { outcome: textBy(body) } : { outcome: code, refusal };
}

/** The receiver's text in a refusal: return_msg of version 2, message of version 3. Empty for OK or none. */
function textBy(reply: string): string {
  const xml = /<return_msg>(?:<!\[CDATA\[)?([^\]<]*)/.exec(reply)?.[1];
  const message = xml ?? /"message"\s*:\s*"([^"]*)"/.exec(reply)?.[1] ?? "";
  return message === "OK" ? "" : message;
}

const withoutUndefined = <Value extends object>(value: Value) =>
  Object.fromEntries(Object.entries(value).filter(([, one]) => one !== undefined)) as {
    [Key in keyof Value]: Exclude<Value[Key], undefined>;
  };

const storedItem = (entry: HistoryEntry): HistoryItem => ({
  key: `m${entry.id}`,
  at: Date.parse(entry.at),
  side: "merchant",
  kind: entry.kind,
  name: entry.name,
  outcome: entry.reason,
  text: entry.text,
  words: withoutUndefined({
    return_code: entry.return_code,
    result_code: entry.result_code,
    trade_state: entry.trade_state,
    err_code: entry.err_code,
  }),
  times: entry.times,
  ...(entry.http_status !== undefined && { status: entry.http_status }),
  ...(entry.faults && { faults: entry.faults }),
});

const servedItem = (call: SimCall): HistoryItem => ({
  key: `c${call.id}`,
  at: Date.parse(call.at),
  side: "provider",
  kind: "served",
  name: call.name,
  outcome: call.outcome,
  words: wordsOf(call.reply),
  status: call.status,
  durationMs: call.duration_ms,
  faults: marksOf(call.faults),
  ...((call.faults.length > 0 || call.status === 0) && { performed: call.performed }),
  request: { line: `${call.method} ${call.target}`, body: call.body },
  reply: { line: `HTTP ${call.status}`, body: call.reply },
});

function nextOf({ state, due_at }: SimNotification): Pick<HistoryItem, "next"> {
  if (state === "given_up") return { next: state };
  return due_at === undefined ? {} : { next: Date.parse(due_at) };
}

function attemptItems(notification: SimNotification, refunds: SimOrderDetail["refunds"]): HistoryItem[] {
  const { id, about, url, attempts } = notification;
  // The message itself does not tell: it is encrypted.
  const refund = refunds.find(({ refund_id }) => refund_id === notification.refund_id);
  return attempts.map((one, index) => ({
    key: `n${id}.${index}`, // the copies of a fault are one attempt
    at: Date.parse(one.started_at),
    side: "provider",
    kind: "attempt",
    name: refund ? `${about} ${refund.out_refund_no}` : about,
    ...(one.reason !== undefined && { outcome: one.reason }),
    ...(one.reply && refusalIn(one.reply)),
    words: wordsOf(one.request.body),
    verdict: one.verdict,
    trusted: one.trusted_result_code,
    ...(one === attempts.at(-1) && nextOf(notification)),
    times: one.attempt,
    durationMs: one.duration_ms,
    faults: marksOf(one.faults),
    request: { line: `POST ${url}`, ...one.request },
    ...(one.reply && {
      status: one.reply.status,
      reply: { line: `HTTP ${one.reply.status}`, headers: one.reply.headers, body: one.reply.body },
    }),
  }));
}

/** A notification of which nothing was sent yet. */
function waitingItems({ id, about, state, created_at, due_at, held, attempts }: SimNotification): HistoryItem[] {
  const until = held?.until ?? due_at;
  if (state !== "pending" || attempts.length > 0) return [];
  return [
    {
      key: `n${id}`,
      at: Date.parse(created_at),
      side: "provider",
      kind: "waiting",
      name: about,
      words: {},
      ...(until !== undefined && { next: Date.parse(until) }),
      faults: marksOf(held?.faults ?? []),
    },
  ];
}

/** Events within the provider, without a message. */
function providerItems({ order, attempts, refunds }: SimOrderDetail): HistoryItem[] {
  const base = { side: "provider" as const, words: {} };
  const items: HistoryItem[] = [
    { ...base, key: "placed", at: Date.parse(order.created_at), kind: "ordered", name: order.trade_type },
  ];
  for (const [index, { at, reason }] of attempts.entries())
    items.push({ ...base, key: `failed${index}`, at: Date.parse(at), kind: "failed", name: reason });
  if (order.paid_at !== undefined)
    items.push({ ...base, key: "paid", at: Date.parse(order.paid_at), kind: "paid", name: order.transaction_id ?? "" });
  if (order.ended_at !== undefined)
    items.push({ ...base, key: "ended", at: Date.parse(order.ended_at), kind: "ended", name: order.trade_state });
  for (const refund of refunds)
    if (refund.finished_at !== undefined)
      items.push({
        ...base,
        key: refund.refund_id,
        at: Date.parse(refund.finished_at),
        kind: "refund",
        name: refund.out_refund_no,
        outcome: refund.status,
      });
  return items;
}

/**
 * Merges two lists, each in its own order, by time. At the same moment the provider's entry comes first, because it caused
 * the merchant's, unless the merchant still has to send the call that the entry replies to.
 */
function merged(merchant: readonly HistoryItem[], provider: readonly HistoryItem[]): HistoryItem[] {
  const items: HistoryItem[] = [];
  let served = 0;
  for (const [index, item] of merchant.entries()) {
    const isCause = ({ at, name }: HistoryItem) =>
      !merchant.slice(index).some((later) => later.at === at && later.kind === "call" && later.name === name);
    const isEarlier = (one: HistoryItem) =>
      one.at < item.at || (one.at === item.at && item.kind !== "call" && isCause(one));
    for (let next = provider[served]; next && isEarlier(next); next = provider[++served]) items.push(next);
    items.push(item);
  }
  return [...items, ...provider.slice(served)];
}

export function orderHistoryOf(merchant: StoredOrderDetail | null, provider: SimOrderDetail | null): HistoryItem[] {
  const attempts = (notification: SimNotification) => attemptItems(notification, provider?.refunds ?? []);
  const ofProvider = provider
    ? [
        ...provider.calls.map(servedItem),
        ...providerItems(provider),
        ...provider.notifications.flatMap(attempts),
        ...provider.notifications.flatMap(waitingItems),
      ]
    : [];
  return merged(
    merchant?.history.map(storedItem) ?? [],
    ofProvider.toSorted((one, other) => one.at - other.at),
  );
}

const marksOf = (faults: readonly { readonly id: number; readonly kind: string }[]): FaultMark[] =>
  faults.map(({ id, kind }) => ({ key: `sim-${id}`, kind }));
