/** Composes contracts and their deductions, which end by the clock. */
import { BackgroundWork } from "../background-work.ts";
import { DueRows } from "../due-rows.ts";
import type { Ledger, Order, OrderKey } from "../ledger/ledger.ts";
import type { NoticeOutbox } from "../notifier/product-notices.ts";
import type { PaymentParts } from "../open-records.ts";
import { Contracts } from "./contracts.ts";
import { Deductions } from "./deductions.ts";

export type Papay = ReturnType<typeof openPapay>;

/** The member of an order's `extra` that names the contract which its payment signs. */
export const signedByPayment = "signs_contract";

/** @param outbox stores the notifications of contracts and of failed deductions */
export function openPapay(parts: PaymentParts, ledger: Ledger, outbox: NoticeOutbox) {
  const contracts = new Contracts({
    ...{ ...parts, outbox },
    onDue: (at) => ends.add(at),
  });
  const deductions = new Deductions({
    ...{ ...parts, ledger, contracts, outbox },
    onDue: (at) => results.add(at),
  });
  const results = new DueRows({
    ...parts,
    waits: { table: "pay_deductions", due: "due_at", since: "created_at" },
    runDue: (at) => deductions.endDue(at),
  });
  const ends = new DueRows({
    ...parts,
    waits: { table: "pay_contracts", due: "due_at" },
    runDue: (at) => contracts.endDue(at),
  });
  const work = new BackgroundWork({
    onError: (error) => parts.log.error({ err: error }, "a contract could not be signed after its payment"),
  });
  let unsubscribe = (): void => undefined;

  /** Deductions come first: the last one of a contract may be due before its end. */
  async function settle(): Promise<void> {
    await work.wait();
    await results.settle();
    await ends.settle();
  }

  async function signPaid({ mchId, outTradeNo, extra, payer, openid }: Order): Promise<void> {
    const contractId = extra[signedByPayment];
    if (typeof contractId !== "string") return;
    const contract = await contracts.byId(contractId);
    const isFor = contract.mch_id === mchId && contract.out_trade_no === outTradeNo && contract.state === "WAITING";
    if (isFor) await contracts.sign(contract, openid ?? payer);
  }

  /** A deduction whose time is over has its result. */
  async function latest(order: Order | undefined, key: OrderKey): Promise<Order | undefined> {
    if (order?.tradeType !== "PAP" || order.tradeState !== "NOTPAY") return order;
    await settle();
    return ledger.find(key);
  }

  return {
    contracts,
    deductions,
    timed: [results, ends],
    settle,
    reads: {
      find: async (key: OrderKey) => latest(await ledger.find(key), key),
      async get(key: OrderKey): Promise<Order> {
        const order = await ledger.get(key);
        return (await latest(order, key)) ?? order;
      },
    },
    async start(): Promise<void> {
      unsubscribe = ledger.subscribe((change) => {
        if (change.kind === "order" && change.order.tradeState === "SUCCESS" && signedByPayment in change.order.extra)
          work.run(signPaid(change.order));
      });
      // Orders whose payment was the last act of an earlier run.
      for (const { mch_id: mchId, out_trade_no: outTradeNo } of await contracts.waitingForOrders()) {
        const order = await ledger.find({ mchId, outTradeNo: outTradeNo ?? "" });
        if (order?.tradeState === "SUCCESS") await signPaid(order);
      }
    },
    async close(): Promise<void> {
      unsubscribe();
      await work.wait();
    },
  };
}
