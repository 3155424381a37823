/** A row about more than the receiver: it asks the backend to refund, close, renew or reconcile. */
import type { SimFaultInput } from "../../../../contract/provider/sim-faults.ts";
import { Case, hasSettled, type CaseDeps } from "../case.ts";
import type { Ledger, Order } from "../../ledger/ledger.ts";
import type { OrderSource, OrderUnderTest } from "../orders-under-test.ts";
import { NotJudged } from "../problems.ts";
import type { ActionName, ActionReply, BackendAsked } from "./backend-actions.ts";

export interface IntegrationDeps {
  readonly backend: BackendAsked;
  readonly source: Pick<OrderSource, "attempt">;
  readonly ledger: Pick<Ledger, "refunds" | "list">;
  /** Makes the order's prepay id older. */
  readonly age: (order: Order, ms: number) => Promise<void>;
  /** Places an order of this merchant that only the simulator knows. */
  readonly placeUnknown: () => Promise<Order>;
  /** Whether the day's bill is there before its end. */
  readonly hasBillsAtOnce: boolean;
  /** Unix time in ms. */
  readonly now: () => number;
}

/** Of a reply in the report's line. */
const maxCharacters = 60;

const dayInChina = (at: number) => new Date(at + 8 * 3_600_000).toISOString().slice(0, 10);

export class IntegrationCase extends Case {
  readonly #case: CaseDeps;
  readonly #deps: IntegrationDeps;

  constructor(caseDeps: CaseDeps, under: OrderUnderTest, deps: IntegrationDeps) {
    super(caseDeps, under);
    this.#case = caseDeps;
    this.#deps = deps;
  }

  get today(): string {
    return dayInChina(this.#deps.now());
  }

  /** @throws NotJudged if the backend has no such request */
  async ask(name: ActionName, values: Readonly<Record<string, string | number>> = {}): Promise<ActionReply> {
    if (name === "reconcile" && !this.#deps.hasBillsAtOnce)
      throw new NotJudged("today's bill is not ready: PATCH /sim/settings with bills_at_once true");
    const reply = await this.#deps.backend.send(name, this.under, values, this.#case.signal);
    this.asked.push(`${name}: ${reply.words.slice(0, maxCharacters)}`);
    return reply;
  }

  /** Pays and notifies. @throws NotJudged if the backend does not settle the order, which is another row's matter */
  async mustSettle(): Promise<void> {
    await this.pay();
    await this.genuine();
    const found = await this.waitFor(hasSettled, this.#case.settledWithinMs);
    if (found && !hasSettled(found)) throw new NotJudged("the payment was not settled: see the row “a payment”");
  }

  async showsNoFailure(why: string): Promise<void> {
    const found = await this.lookUp();
    if (found?.failed === true) this.fail(`It shows the payment as failed, although ${why}.`, true);
  }

  /** Waits until the backend shows this amount as refunded. */
  async showsRefunded(fen: number): Promise<void> {
    const found = await this.waitFor(({ refunded }) => refunded === fen, this.#case.settledWithinMs);
    this.#compareRefunded(found?.refunded, fen, "");
  }

  async showsNoRefund(why: string): Promise<void> {
    this.#compareRefunded((await this.lookUp())?.refunded, 0, `, although ${why}`);
  }

  #compareRefunded(shown: number | undefined, fen: number, why: string): void {
    if (shown === undefined) throw new NotJudged("the path of the refunded amount is not set");
    if (shown !== fen) this.fail(`It shows ${String(shown)} fen as refunded instead of ${String(fen)}${why}.`);
  }

  /** Waits until the platform has refunds of this amount, and fails at any other. */
  async refundedAtPlatform(fen: number): Promise<void> {
    const until = performance.now() + this.#case.settledWithinMs;
    let sum = 0;
    do {
      const refunds = await this.#deps.ledger.refunds(this.key);
      sum = refunds.reduce((all, { refund }) => all + refund, 0);
      if (sum >= fen) break;
      await this.pause(50);
    } while (performance.now() < until);
    if (sum !== fen) this.fail(`The platform has refunds of ${String(sum)} fen instead of ${String(fen)}.`);
  }

  async refundNumbers(): Promise<ReadonlySet<string>> {
    const calls = await this.#case.callLog.of(this.key);
    const bodies = calls.filter(({ name }) => name === "refund").map(({ body }) => body);
    const numbers = bodies.flatMap(
      (body) => /out_refund_no(?:"\s*:\s*"|>(?:<!\[CDATA\[)?)([^"<\]]+)/.exec(body)?.[1] ?? [],
    );
    return new Set(numbers);
  }

  async endRefunds(status: "CLOSED" | "SUCCESS"): Promise<void> {
    for (const { refundId } of await this.#deps.ledger.refunds(this.key))
      await this.#case.ledger.finishRefund(refundId, status);
  }

  async stateAtPlatform(): Promise<Order["tradeState"]> {
    return (await this.#case.ledger.get(this.key)).tradeState;
  }

  age(ms: number): Promise<void> {
    return this.#deps.age(this.order, ms);
  }

  /** The unpaid order whose valid prepay id is in the text. */
  async payableBy(text: string): Promise<number | undefined> {
    const open = await this.#deps.ledger.list({ mchId: this.key.mchId, tradeState: "NOTPAY", limit: 100 });
    const now = this.#deps.now();
    return open.find(
      ({ prepayId, prepayExpiresAt }) => prepayId !== "" && prepayExpiresAt > now && text.includes(prepayId),
    )?.id;
  }

  /** @returns how many orders the backend has placed for one request whose first reply got lost */
  async placesWithLostReply(): Promise<number> {
    const { faults, signal } = this.#case;
    const lost: SimFaultInput = {
      kind: "reset",
      params: { calls: ["unifiedorder"], when: "after" },
      scope: { mch_id: this.key.mchId },
      times: 1,
      probability: 1,
      seed: 1,
      note: "check: the reply to one order is lost",
    };
    const { id } = await faults.add(lost);
    try {
      const placed = await this.#deps.source.attempt(signal);
      return new Set(placed.map(({ outTradeNo }) => outTradeNo)).size;
    } finally {
      await faults.remove(id);
    }
  }

  async payUnknownOrder(): Promise<void> {
    const { mchId, outTradeNo } = await this.#deps.placeUnknown();
    await this.#case.ledger.pay({ mchId, outTradeNo });
  }
}
