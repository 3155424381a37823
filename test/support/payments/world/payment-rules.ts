/** What must be true of orders, whatever has happened to them: the two halves' books and the history against each other. */
import { tradeState } from "../../../../server/contract/provider/payment-terms.ts";
import type { HistoryEntry, ApiRefund, StoredOrderDetail } from "../../../../server/contract/app/payments.ts";
import type { simOrderDetailsSchema } from "../../../../server/contract/provider/sim-orders.ts";
import type { z } from "zod";
import type { Lived } from "./payment-lives.ts";
import type { PaymentWorld } from "./payment-world.ts";

type Booked = z.input<typeof simOrderDetailsSchema>;

interface Books {
  readonly own: StoredOrderDetail;
  /** What the database has seen of it. */
  readonly moves: Awaited<ReturnType<PaymentWorld["moves"]>>;
  /** How often it was said to be settled. */
  readonly settlements: number;
  /** Undefined where the order has never reached the provider. */
  readonly provider: Booked | undefined;
}

/** Written down anew from the documented table: what may follow an end. */
const mayFollow: Readonly<Record<string, readonly string[]>> = {
  NOTPAY: tradeState.options,
  USERPAYING: tradeState.options,
  SUCCESS: ["REFUND", "REVOKED"],
  PAYERROR: ["REVOKED"],
  REFUND: [],
  CLOSED: [],
  REVOKED: [],
};

/** Both of the same moment. */
async function ownBooks(world: PaymentWorld, id: number): Promise<Omit<Books, "provider">> {
  for (;;) {
    const before = await world.moves(id);
    const own = (await world.stored(id)) as StoredOrderDetail;
    const settlements = world.settlements.get(id) ?? 0;
    if ((await world.moves(id)).length === before.length) return { own, moves: before, settlements };
  }
}

async function booksOf(world: PaymentWorld, { after }: Lived): Promise<Books[]> {
  const ids = (await world.orders()).flatMap(({ id }) => (id > after ? [id] : []));
  return Promise.all(
    ids.map(async (id) => {
      const books = await ownBooks(world, id);
      const { status, body } = await world.sim("GET", `/orders/${books.own.out_trade_no}`);
      return { ...books, provider: status === 200 ? (body as Booked) : undefined };
    }),
  );
}

/** Query order said, so that it could be believed, that this is paid with this amount. */
const toldRightly = ({ own, provider }: Books) =>
  (provider?.calls ?? []).some(
    ({ name, outcome, reply }) =>
      name === "orderquery" &&
      outcome === "SUCCESS" &&
      /trade_state(?:><!\[CDATA\[|>|":")SUCCESS/.test(reply) &&
      !reply.includes("USD") &&
      new RegExp(`(?:<total_fee>(?:<!\\[CDATA\\[)?|"total":)${String(own.amount)}\\D`).test(reply),
  );

const decided = (history: readonly HistoryEntry[], reason: string) =>
  history.filter((entry) => entry.kind === "decision" && entry.reason === reason).length;

/** Rules that hold at every moment. */
function* alwaysWrong(books: Books): Generator<string> {
  const { own, moves, provider } = books;
  const settlements = [
    books.settlements,
    decided(own.history, "settled"),
    moves.filter(({ settles }) => settles).length,
  ];
  const expected = own.settled_at === undefined ? 0 : 1;
  if (settlements.some((count) => count !== expected))
    yield `settled ${String(expected)} time(s), but ${settlements.join(", ")} by events, history and table`;
  if (expected) {
    if (provider?.order.paid_at === undefined) yield "settled, but not paid at the provider";
    else if (!toldRightly(books)) yield "settled, though query order never said so with the right amount";
    if (provider && provider.order.total !== own.amount) yield "settled at a wrong amount";
    if (provider && provider.order.transaction_id !== own.transaction_id) yield "settled by another payment";
  }
  for (const { source, target } of moves) {
    if (source !== target && !mayFollow[source]?.includes(target)) yield `moved from ${source} to ${target}`;
    if (source !== target && !own.history.some((entry) => tellsOf(entry, target)))
      yield `moved to ${target}, and the history does not say why`;
  }
}

/** A refused order is closed without having had a state. */
const tellsOf = ({ kind, trade_state, name, reason }: HistoryEntry, target: string) =>
  kind === "decision" && (trade_state === target || (target === "CLOSED" && name === "place" && reason === "refused"));

/** Rules that hold once everything has come to its end. */
function* wrongAtTheEnd({ own, provider }: Books, requested: number): Generator<string> {
  const state = provider?.order.trade_state ?? "CLOSED";
  if (own.trade_state !== state) yield `${own.trade_state}, but ${provider ? state : "unknown"} at the provider`;
  if (own.trade_state === "SUCCESS" && own.settled_at === undefined) yield "paid, and not settled";
  const booked = provider?.refunds ?? [];
  const given = booked.filter(({ status }) => status !== "CLOSED").reduce((sum, { refund }) => sum + refund, 0);
  if (given > own.amount) yield `${String(given)} fen were given back`;
  if (booked.length > requested) yield `${String(requested)} refund(s) were asked for, ${String(booked.length)} made`;
  for (const { out_refund_no: number, refund, status } of booked) {
    const mine = own.refunds.find((one) => one.out_refund_no === number);
    if (mine?.amount !== refund || mine.status !== status)
      yield `refund ${status} there, ${mine?.status ?? "none"} here`;
  }
  const decisions = own.history.filter(({ kind, name }) => kind === "decision" && name === "refund").length;
  if (decisions < own.refunds.length) yield "a refund of which the history does not tell what was decided";
  for (const mine of own.refunds) if (isLost(mine, booked)) yield `refund ${mine.status} here, none there`;
}

const isLost = ({ out_refund_no: number, status }: ApiRefund, booked: Booked["refunds"]) =>
  status !== "CLOSED" && !booked.some(({ out_refund_no }) => out_refund_no === number);

const named = ({ own }: Books, what: string) => `order ${String(own.id)} (${own.trade_type}): ${what}`;

/** What is wrong by now; empty when nothing is. */
export async function violations(world: PaymentWorld, lived: Lived): Promise<string[]> {
  const all = await booksOf(world, lived);
  return [...lived.wrong, ...all.flatMap((books) => [...alwaysWrong(books)].map((what) => named(books, what)))];
}

/** What is wrong when there is nothing left to come. */
export async function violationsAtTheEnd(world: PaymentWorld, lived: Lived): Promise<string[]> {
  const all = await booksOf(world, lived);
  return all.flatMap((books) =>
    [...alwaysWrong(books), ...wrongAtTheEnd(books, lived.requests.get(books.own.id) ?? 0)].map((what) =>
      named(books, what),
    ),
  );
}
