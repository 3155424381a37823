/** The sources of the orders that a check pays: placed by the backend, already waiting for payment, or made up. */
import { randomBytes } from "node:crypto";
import { internalNumbers } from "../../../contract/provider/internal-people.ts";
import { platformOrderNo } from "../../../contract/provider/payment-terms.ts";
import type { ReceiverCheckInput } from "../../../contract/provider/checks/receiver-checks.ts";
import type { Ledger, Order } from "../ledger/ledger.ts";
import type { Merchants } from "../merchants/merchants.ts";
import type { AskBackend } from "./ask-backend.ts";
import type { CheckedOrders } from "./checked-orders.ts";
import { filled, conditionText, valueAt } from "./json-path.ts";
import { BackendProblem, CheckFailed, NotJudged } from "./problems.ts";
import type { OrderClaims } from "./order-claims.ts";

export interface OrderUnderTest {
  readonly order: Order;
  /** The backend's reply to the request to place it: JSON, or undefined. */
  readonly reply: unknown;
}

export interface OrderSource {
  /** Whether the receiver should know the orders. */
  readonly areKnown: boolean;
  /** Whether the check had them placed. It then ends those that are left unpaid. */
  readonly areOurs: boolean;
  /** @throws NotJudged if there is no other order, CheckFailed if continuing makes no sense */
  next(signal: AbortSignal): Promise<OrderUnderTest>;
  /** Lets the backend try to place one more. @returns the orders that have appeared, in whatever way the backend replied */
  attempt(signal: AbortSignal): Promise<readonly Order[]>;
  /** The orders that the check had placed so far. */
  readonly placed: readonly Order[];
  /** Leaves the orders that are still open to other checks. */
  [Symbol.dispose](): void;
}

interface Deps {
  readonly ask: AskBackend;
  readonly ledger: Pick<Ledger, "list" | "find" | "place">;
  readonly merchants: Pick<Merchants, "get">;
  readonly mchId: string;
  readonly pause: (ms: number) => Promise<void>;
  readonly checked: Pick<CheckedOrders, "place">;
  /** With the checks that run at the same time. */
  readonly claims: OrderClaims;
}

type Unshared = Omit<OrderSource, "placed" | "attempt" | typeof Symbol.dispose>;
type From<Name extends ReceiverCheckInput["orders"]["from"]> = Extract<ReceiverCheckInput["orders"], { from: Name }>;

const uniqueText = () => randomBytes(8).toString("hex");

export function orderSource(deps: Deps, orders: ReceiverCheckInput["orders"]): OrderSource {
  const { claims, mchId, checked } = deps;
  const source = unsharedSource(deps, orders);
  const taken = new Set<number>();
  const placed: Order[] = [];
  return {
    ...source,
    placed,
    next: (signal) =>
      claims.alone(mchId, async () => {
        signal.throwIfAborted();
        const under = await (source.areOurs ? checked.place(mchId, () => source.next(signal)) : source.next(signal));
        if (source.areOurs) placed.push(under.order);
        taken.add(under.order.id);
        claims.taken.add(under.order.id);
        return under;
      }),
    attempt: (signal) =>
      claims.alone(mchId, async () => {
        const before = (await deps.ledger.list({ mchId, limit: 1 }))[0]?.id ?? 0;
        await source.next(signal).catch((error: unknown) => {
          if (!(error instanceof CheckFailed)) throw error;
        });
        const newest = await deps.ledger.list({ mchId, limit: 50 });
        const appeared = newest.filter(({ id }) => id > before);
        placed.push(...appeared);
        return appeared;
      }),
    [Symbol.dispose]() {
      for (const id of taken) claims.taken.delete(id);
    },
  };
}

function unsharedSource(deps: Deps, orders: ReceiverCheckInput["orders"]): Unshared {
  switch (orders.from) {
    case "backend":
      return fromBackend(deps, orders);
    case "open":
      return fromOpen(deps);
    case "simulator":
      return fromSimulator(deps, orders);
  }
}

const placeWithinMs = 15_000;
/** A backend may place the order after its reply. */
const appearsWithinMs = 3_000;
const pollIntervalMs = 50;

function fromBackend({ ask: askBackend, ledger, mchId, pause }: Deps, request: From<"backend">): Unshared {
  async function ask(signal: AbortSignal): Promise<unknown> {
    const unique = uniqueText();
    // Only digits and letters, so that it needs no escaping in a URL, in JSON or in a header.
    const values: Readonly<Record<string, string>> = { unique, amount: "101" };
    const plain = (text: string) => filled(text, (name) => values[name]);
    const headers = Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, plain(value)]));
    const url = plain(request.url);
    const reply = await askBackend(url, {
      method: request.method,
      headers,
      body: request.body === undefined ? undefined : plain(request.body),
      signal: AbortSignal.any([signal, AbortSignal.timeout(placeWithinMs)]),
    });
    if ("failure" in reply)
      throw new BackendProblem(
        `The backend at ${originOf(url)} did not place an order: ${reply.failure.replace(/[.]$/, "")}.`,
      );
    const words = `HTTP ${String(reply.status)}${reply.quoted ?? ""}`;
    if (reply.status >= 500) throw new BackendProblem(`The backend did not place an order: ${words}`);
    if (reply.status >= 300) throw new CheckFailed(`The backend did not place an order: ${words}`);
    if (/^\s*<(?:!doctype html|html)/i.test(reply.text))
      throw new BackendProblem(`The backend answered with a page instead of JSON: ${words}`);
    return jsonOf(reply.text);
  }

  const newest = async () => (await ledger.list({ mchId, limit: 1 }))[0];

  async function appeared(after: number): Promise<Order> {
    for (let waited = 0; waited <= appearsWithinMs; waited += pollIntervalMs) {
      const order = await newest();
      if (order && order.id > after) return order;
      await pause(pollIntervalMs);
    }
    throw new CheckFailed(
      `The backend replied, but no order of merchant ${mchId} appeared here. Its base URL for payments must be this simulator's address, and its merchant number that one.`,
    );
  }

  async function named(reply: unknown, path: string): Promise<Order> {
    const number = platformOrderNo.safeParse(conditionText(valueAt(reply, path)));
    if (!number.success) throw new CheckFailed(`The backend's reply has no order number at ${path}.`);
    const order = await ledger.find({ mchId, outTradeNo: number.data });
    if (!order)
      throw new CheckFailed(
        `The backend returned the order number ${number.data}, but merchant ${mchId} did not place that order here.`,
      );
    return order;
  }

  return {
    areKnown: true,
    areOurs: true,
    async next(signal) {
      const before = (await newest())?.id ?? 0;
      const reply = await ask(signal);
      const path = request.out_trade_no_at;
      const order = path === undefined ? await appeared(before) : await named(reply, path);
      if (order.tradeType === "MICROPAY")
        throw new CheckFailed(
          "The backend placed an order by payment code, which has no notification: let it place another kind.",
        );
      return { order, reply };
    },
  };
}

/** The query is omitted because it may hold secrets. */
const originOf = (url: string) =>
  URL.canParse(url) ? new URL(url).origin + new URL(url).pathname : "an invalid address";

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

function fromOpen({ ledger, mchId, claims }: Deps): Unshared {
  let after = 0;
  return {
    areKnown: true,
    areOurs: false,
    async next() {
      const open = await ledger.list({ mchId, tradeState: "NOTPAY", limit: 500 });
      const order = open
        .toReversed()
        .find(({ id, tradeType }) => id > after && !claims.taken.has(id) && tradeType !== "MICROPAY");
      if (!order) throw new NotJudged(`merchant ${mchId} has no other unpaid order`);
      after = order.id;
      return { order, reply: undefined };
    },
  };
}

function fromSimulator({ ledger, merchants, mchId }: Deps, { version, sign_type }: From<"simulator">): Unshared {
  return {
    areKnown: false,
    areOurs: true,
    async next() {
      const appId = (await merchants.get(mchId))?.appIds[0];
      if (appId === undefined) throw new CheckFailed(`Merchant ${mchId} does not exist here.`);
      const order = await ledger.place({
        mchId,
        appId,
        outTradeNo: internalNumbers.check + uniqueText(),
        tradeType: "NATIVE",
        version,
        signType: sign_type,
        description: "Receiver check-up",
        total: 101,
        currency: "CNY",
        extra: { product_id: "1" },
      });
      return { order, reply: undefined };
    },
  };
}
