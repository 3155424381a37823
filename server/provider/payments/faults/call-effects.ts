/** The effect of each kind of fault on a call that it hits. */
import type { callFaults } from "../../../contract/provider/sim-call-faults.ts";
import type { SimFaultOf } from "../../../contract/provider/sim-faults.ts";
import type { PaymentCall, CallHints, WireReply } from "../calls/answer-call.ts";
import type { CallPlan } from "../calls/call-plan.ts";
import type { PlatformSigner } from "../keys/platform-signer.ts";
import { PaymentRefusal, type Ledger, type Order } from "../ledger/ledger.ts";
import { refusal, type RefusalCode } from "../ledger/refusals.ts";
import type { CodePayments, OrderName } from "./code-payments.ts";
import { inState, withAmount } from "./false-orders.ts";
import type { FaultedOrders } from "./faulted-orders.ts";
import { badlySigned, failedCommunication, gatewayError, signedBy } from "./reply-faults.ts";

/** The contract's kinds of faults of calls, so that one without an effect does not compile. A refund's end is no call. */
type CallKind =
  Exclude<(typeof callFaults)[number]["shape"]["kind"]["value"], "refund_outcome"> | "wrong_amount" | "key_switched";

/**
 * The kinds, each with the part of a call that it decides. Of several kinds for the same part only one applies; the
 * others wait for the next call. Kinds that decide nothing always apply.
 */
export const callFaultKinds = {
  return_code_fail: "reply",
  err_code: "reply",
  order_not_exist: "reply",
  close_race: "reply",
  no_answer: "reply",
  reset: "reply",
  http_status: "reply",
  truncated_body: "reply",
  reply_signature: "reply",
  user_paying: "payment",
  pay_error: "payment",
  trade_state: "state",
  wrong_amount: undefined,
  key_switched: undefined,
  slow_answer: undefined,
} as const satisfies Record<CallKind, "reply" | "payment" | "state" | undefined>;

export type CallFaultKind = keyof typeof callFaultKinds;

/** The combined effect of the faults so far. */
export interface EffectDraft {
  hints: CallHints;
  waitBefore: number;
  waitAfter: number;
  performs: boolean;
  /** Reported instead of the outcome. */
  refusal: PaymentRefusal | undefined;
  /** Reported only if the call itself was not refused. */
  refusalOfDone: PaymentRefusal | undefined;
  /** Changes to the order that a query reports. */
  lies: ((order: Order) => Order)[];
  /** A reply that does not depend on the call. */
  replyInstead: WireReply | undefined;
  alter: (reply: WireReply) => WireReply | Promise<WireReply>;
  sends: CallPlan["sends"];
  outcome: string | undefined;
  performed: (() => Promise<void>)[];
}

export const emptyEffectDraft = (): EffectDraft => ({
  hints: {},
  waitBefore: 0,
  waitAfter: 0,
  performs: true,
  refusal: undefined,
  refusalOfDone: undefined,
  lies: [],
  replyInstead: undefined,
  alter: (reply) => reply,
  sends: "all",
  outcome: undefined,
  performed: [],
});

/** The call that was hit, and its order. */
export interface CallHit {
  readonly faultId: number;
  readonly call: PaymentCall;
  readonly order: OrderName | undefined;
}

export interface EffectDeps {
  readonly orders: Pick<FaultedOrders, "begin">;
  readonly codePayments: Pick<CodePayments, "begin">;
  readonly ledger: Pick<Ledger, "pay" | "find">;
  readonly signer: Pick<PlatformSigner, "key">;
  /** Unix time in ms. */
  readonly now: () => number;
}

type Effects = {
  readonly [Kind in CallFaultKind]: (
    draft: EffectDraft,
    params: SimFaultOf<Kind>["params"],
    hit: CallHit,
  ) => Promise<void> | void;
};

/** Recorded for an order that was paid although queries report PAYERROR for a while. */
export const reportedAsFailed = "reported_as_failed";

/** A refusal in the platform's words, unless a description is given. */
const refusalOf = (code: string, description?: string): PaymentRefusal =>
  new PaymentRefusal(code, description ?? (refusal(code as RefusalCode).message || code));

export function createCallEffects({ orders, codePayments, ledger, signer, now }: EffectDeps): Effects {
  async function pay(order: OrderName): Promise<void> {
    try {
      await ledger.pay(order);
    } catch (error) {
      // Nobody can pay it any more, so there is no race.
      if (!(error instanceof PaymentRefusal)) throw error;
    }
  }

  function replaceReply(draft: EffectDraft, kind: string, when: "before" | "after", reply: WireReply): void {
    draft.performs = when === "after";
    draft.replyInstead = reply;
    draft.outcome = kind;
  }

  return {
    return_code_fail: (draft, { when, message }, { call }) =>
      replaceReply(draft, "return_code_fail", when, failedCommunication(call.version, message)),

    http_status: (draft, { when, status }) => replaceReply(draft, "http_status", when, gatewayError(status)),

    err_code(draft, { when, code, description }) {
      draft.performs = when === "after";
      draft.refusal = refusalOf(code, description);
    },

    order_not_exist(draft) {
      draft.performs = false;
      draft.refusal = refusalOf("ORDERNOTEXIST");
    },

    async close_race(draft, { answer }, { order }) {
      if (order) await pay(order);
      if (answer === "ORDERPAID") return; // the close itself notices
      draft.performs = false;
      draft.refusal = refusalOf(answer);
    },

    no_answer(draft, { when }) {
      draft.performs = when === "after";
      draft.sends = "nothing";
      draft.outcome = "no_answer";
    },

    reset(draft, { when }) {
      draft.performs = when === "after";
      draft.sends = "reset";
      draft.outcome = "reset";
    },

    truncated_body(draft) {
      draft.sends = "half";
      draft.outcome = "truncated_body";
    },

    reply_signature(draft, { how }, { call }) {
      const { alter } = draft;
      draft.alter = async (reply) => badlySigned(call.version, how, await alter(reply));
      draft.outcome = "reply_signature";
    },

    slow_answer(draft, { when, delay_ms }) {
      if (when === "before") draft.waitBefore += delay_ms;
      else draft.waitAfter += delay_ms;
    },

    key_switched(draft, { to }) {
      const { alter } = draft;
      draft.alter = async (reply) => alter(await signedBy(await signer.key(to), reply));
    },

    trade_state: (draft, { state }) => void draft.lies.push((order) => inState(order, state, now())),

    wrong_amount: (draft, { by, currency }) => void draft.lies.push((order) => withAmount(order, by, currency)),

    user_paying(draft, params, { faultId, order }) {
      draft.hints = { codePayment: { outcome: "asks-password" } };
      if (order) draft.performed.push(() => codePayments.begin(faultId, order, params));
    },

    pay_error(draft, { outcome }, { faultId, order }) {
      draft.hints = { codePayment: { outcome: outcome === "SUCCESS" ? "paid" : "refused" } };
      if (outcome !== "SUCCESS" || !order) return;
      draft.refusalOfDone = refusalOf("BANKERROR");
      const { mchId, outTradeNo } = order;
      draft.performed.push(() => orders.begin({ faultId, mchId, outTradeNo }, { step: reportedAsFailed }));
    },
  };
}
