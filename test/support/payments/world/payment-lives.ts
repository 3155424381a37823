/** Lives the lives of orders, step by step, against both halves. */
import { idempotencyKeyHeader } from "../../../../server/contract/app/payments.ts";
import type { Step, Which } from "./payment-steps.ts";
import type { Answered, PaymentWorld } from "./payment-world.ts";

/** What was asked for in a life, to be held against what has come of it. */
export interface Lived {
  /** Orders with greater ids are of this life. */
  readonly after: number;
  /** What orders were asked for by, by their Idempotency-Key. */
  readonly placed: Map<string, object>;
  /** Refunds that the client has wanted, by order. */
  readonly requests: Map<number, number>;
  /** What must not happen whatever comes after. */
  readonly wrong: string[];
}

/** What else happens at the same time. */
type Company = "none" | "action" | "restart";

async function take(world: PaymentWorld, lived: Lived, taken: Step, company: Company = "none"): Promise<void> {
  const answered = ({ status, body }: Answered) => {
    // Whoever asks something that is just being stopped may hear that it went wrong.
    if (status === 500 && company !== "restart")
      lived.wrong.push(`${JSON.stringify(taken)} was answered 500: ${JSON.stringify(body)}`);
  };
  if ("order" in taken) {
    const all = (await world.orders()).filter(({ id }) => id > lived.after);
    const order = all[taken.order % all.length];
    if (order) answered(await act(world, lived, taken, order, company === "none"));
    return;
  }
  switch (taken.do) {
    case "place":
      return answered(await place(world, lived, { amount: taken.amount, trade_type: taken.type }));
    case "pay by code": {
      const { body } = await world.sim("POST", "/users/payer/payment-codes", { outcome: taken.outcome });
      const { auth_code } = body as { auth_code: string };
      return answered(await place(world, lived, { amount: 101, trade_type: "MICROPAY", auth_code }));
    }
    case "fault":
      return answered(await world.sim("POST", "/faults", taken.fault));
    case "wait":
      return world.later(taken.seconds * 1000);
    case "restart":
      if (taken.what !== "simulator") await world.restartApp();
      if (taken.what !== "application server") await world.restartSimulator();
      return;
    case "at once":
      await Promise.all(taken.steps.map((one) => take(world, lived, one, companyIn(taken.steps))));
      return;
  }
}

/** Under a key of its own, so that it can be asked for again. */
async function place(world: PaymentWorld, { after, placed }: Lived, wanted: object): Promise<Answered> {
  const key = `order-${String(after)}-${String(placed.size)}`;
  const body = { description: "Tea", ...wanted };
  placed.set(key, body);
  return world.api("POST", "/orders", body, { [idempotencyKeyHeader]: key });
}

const companyIn = (steps: readonly Step[]) => (steps.some((one) => one.do === "restart") ? "restart" : "action");

type Action = Extract<Step, Which>;
type ActedOn = Awaited<ReturnType<PaymentWorld["orders"]>>[number];

async function act(world: PaymentWorld, lived: Lived, taken: Action, order: ActedOn, alone: boolean) {
  const { id, out_trade_no: number, amount, idempotency_key: placedUnder } = order;
  switch (taken.do) {
    case "place again":
      return world.api("POST", "/orders", lived.placed.get(placedUnder ?? ""), {
        [idempotencyKeyHeader]: placedUnder ?? "",
      });
    case "pay":
      return world.sim("POST", `/orders/${number}/pay`);
    case "fail to pay":
    case "cancel":
      return world.sim("POST", `/orders/${number}/fail`, { how: taken.do === "cancel" ? "cancel" : "bank" });
    case "ask":
      return world.api("GET", `/orders/${String(id)}`);
    case "close":
      return world.api("POST", `/orders/${String(id)}/closures`);
    case "reverse":
      return world.api("POST", `/orders/${String(id)}/reversals`);
    case "refund": {
      const requested = lived.requests.get(id) ?? 0;
      lived.requests.set(id, requested + 1);
      const key = { [idempotencyKeyHeader]: `wish-${String(requested)}` };
      const part = { amount: Math.max(1, Math.floor((amount * taken.percent) / 100)) };
      const ask = () => world.api("POST", `/orders/${String(id)}/refunds`, part, key);
      const [answer] = await Promise.all(Array.from({ length: taken.times }, ask));
      return answer ?? { status: 0, body: undefined };
    }
    case "tell": {
      const sending = { kind: taken.kind, ...(taken.params && { params: taken.params }) };
      if (alone) await world.quiet();
      const answer = await world.sim("POST", `/orders/${number}/notifications`, sending);
      const { deliveries = [] } = (answer.body ?? {}) as { deliveries?: { expected: string; accepted: boolean }[] };
      const believed = deliveries.some(({ expected, accepted }) => expected === "refuse" && accepted);
      if (alone && believed) lived.wrong.push(`${JSON.stringify(taken)} was believed`);
      return answer;
    }
  }
}

/** Lives a life; afterwards nothing is under way. */
export async function live(world: PaymentWorld, steps: readonly Step[]): Promise<Lived> {
  const lived: Lived = {
    after: (await world.orders()).at(-1)?.id ?? 0,
    placed: new Map(),
    requests: new Map(),
    wrong: [],
  };
  for (const one of steps) await take(world, lived, one);
  await world.quiet();
  return lived;
}

/** More rounds than the schedule of notifications and the reconcile job have. */
const maxRounds = 200;
const hour = 3_600_000;

/** Lets time pass until nobody waits for anything any more, with a provider that is well again. */
export async function liveToTheEnd(world: PaymentWorld, { after }: Lived): Promise<void> {
  await world.sim("DELETE", "/faults");
  for (let rounds = 0; rounds < maxRounds; rounds++) {
    await world.quiet();
    for (const { id, amount_mismatch } of await world.orders()) if (id > after && amount_mismatch) await world.lift(id);
    const next = await world.next();
    if (next === undefined) return;
    await world.later(Math.max(next, hour));
  }
  throw new Error("there is no end of it");
}
