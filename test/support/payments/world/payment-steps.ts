/** Random lives of orders: what buyers, merchants, the provider and the machines do, one after another or at once. */
import fc from "fast-check";
import type { FaultInput } from "../faulted-provider.ts";

type Product = "JSAPI" | "NATIVE" | "APP" | "MWEB";
/** Of the orders so far, counted round and round. */
export type Which = { readonly order: number };

export type Step =
  | { readonly do: "place"; readonly type: Product; readonly amount: number }
  | { readonly do: "pay by code"; readonly outcome: "paid" | "asks-password" | "refused" }
  | ({ readonly do: "place again" | "pay" | "fail to pay" | "cancel" | "close" | "reverse" | "ask" } & Which)
  | ({ readonly do: "refund"; readonly percent: number; readonly times: 1 | 2 } & Which)
  | ({ readonly do: "tell"; readonly kind: string; readonly params?: object } & Which)
  | { readonly do: "fault"; readonly fault: FaultInput }
  | { readonly do: "wait"; readonly seconds: number }
  | { readonly do: "restart"; readonly what: "application server" | "simulator" | "both" }
  | { readonly do: "at once"; readonly steps: readonly [Step, Step] };

const which = fc.nat({ max: 2 });
const once = { times: 1 } as const;

/** Calls after which nobody knows what has come of them, before and after they took effect. */
const lostCalls: FaultInput[] = (["before", "after"] as const).flatMap((when): FaultInput[] => [
  { kind: "reset", params: { when }, ...once },
  { kind: "reset", params: { when }, times: 2 },
  { kind: "http_status", params: { when, status: 500 }, ...once },
  { kind: "http_status", params: { when, status: 503 }, times: 3 },
  { kind: "return_code_fail", params: { when }, ...once },
  { kind: "return_code_fail", params: { when }, times: 2 },
  { kind: "err_code", params: { when, code: "SYSTEMERROR" }, ...once },
  { kind: "err_code", params: { when, code: "SYSTEMERROR", calls: ["refund", "refundquery"] }, times: 2 },
  { kind: "err_code", params: { when, code: "ERROR", calls: ["refund"] }, ...once },
  { kind: "reset", params: { when, calls: ["closeorder", "reverse", "refund"] }, ...once },
]);

const otherFaults: FaultInput[] = [
  { kind: "truncated_body", ...once },
  { kind: "truncated_body", times: 2 },
  { kind: "reply_signature", ...once },
  { kind: "reply_signature", params: { how: "changed_body" }, times: 2 },
  { kind: "reply_signature", params: { how: "missing", calls: ["orderquery"] }, times: 2 },
  { kind: "err_code", params: { code: "FREQUENCY_LIMITED", calls: ["closeorder"] }, ...once },
  { kind: "err_code", params: { code: "NOTENOUGH", calls: ["refund"] }, ...once },
  { kind: "order_not_exist", ...once },
  { kind: "order_not_exist", params: { queries: 2 }, times: 2 },
  { kind: "trade_state", params: { state: "NOTPAY" }, ...once },
  { kind: "trade_state", params: { state: "USERPAYING" }, ...once },
  { kind: "close_race", ...once },
  { kind: "close_race", params: { answer: "FREQUENCY_LIMITED" }, ...once },
  { kind: "pay_error", ...once },
  { kind: "pay_error", params: { outcome: "SUCCESS" }, ...once },
  { kind: "user_paying", params: { outcome: "SUCCESS", after_queries: 2 }, ...once },
  { kind: "user_paying", params: { outcome: "PAYERROR", after_seconds: 15 }, ...once },
  { kind: "refund_outcome", params: { status: "ABNORMAL" }, ...once },
  { kind: "refund_outcome", params: { status: "CLOSED", after_seconds: 90 }, ...once },
  { kind: "forged_success", ...once },
  { kind: "notification_lost", ...once },
  { kind: "notification_lost" },
  { kind: "notification_duplicate", params: { copies: 3, concurrent: true } },
  { kind: "notification_duplicate", params: { copies: 2 }, times: 2 },
  { kind: "notification_delayed", params: { until: "queried" }, ...once },
  { kind: "notification_delayed", params: { until: "expired" }, ...once },
  { kind: "notification_order", params: { how: "refund_first" } },
  { kind: "notification_order", params: { how: "older_after_newer" } },
  { kind: "notification_order", params: { how: "payment_after_close" } },
  { kind: "notification_result_code_fail", ...once },
  { kind: "notification_signature", params: { how: "changed_field" }, ...once },
];

/** As long as the life goes on: queries of what nobody has paid yet tell amounts, too. */
const wrongAmounts: FaultInput[] = [
  { kind: "wrong_amount", params: { where: "query", by: 1 } },
  { kind: "wrong_amount", params: { where: "both", by: -1 } },
  { kind: "wrong_amount", params: { where: "query", currency: "USD" } },
  { kind: "wrong_amount", params: { where: "notification", by: 100 } },
];

/** A call takes its whole time, which is real: few sequences have one. */
const slowFaults: FaultInput[] = (["before", "after"] as const).map((when) => ({
  kind: "no_answer",
  params: { when },
  ...once,
}));

const notifications = [
  { kind: "genuine" },
  { kind: "genuine", params: { about: "refund" } },
  { kind: "forged_success" },
  { kind: "wrong_amount", params: { by: 1 } },
  { kind: "wrong_amount", params: { currency: "USD" } },
  { kind: "notification_signature", params: { how: "wrong_key" } },
  { kind: "notification_signature", params: { how: "changed_field" } },
  { kind: "notification_signature", params: { how: "missing" } },
  { kind: "notification_signature", params: { how: "tampered_tag" } },
  { kind: "notification_duplicate", params: { copies: 3, concurrent: true } },
  { kind: "notification_duplicate", params: { copies: 2 } },
  { kind: "notification_foreign", params: { field: "mch_id" } },
  { kind: "notification_foreign", params: { field: "transaction_id" } },
  { kind: "notification_malformed", params: { how: "doctype" } },
  { kind: "notification_malformed", params: { how: "extra_fields" } },
  { kind: "notification_return_code_fail" },
  { kind: "notification_result_code_fail" },
];

const place: fc.Arbitrary<Step> = fc.record({
  do: fc.constant("place" as const),
  type: fc.constantFrom<Product>("JSAPI", "NATIVE", "APP", "MWEB"),
  amount: fc.integer({ min: 1, max: 500 }),
});
const byCode: fc.Arbitrary<Step> = fc.record({
  do: fc.constant("pay by code" as const),
  outcome: fc.constantFrom("paid" as const, "asks-password" as const, "refused" as const),
});
const simple = (
  name: "place again" | "pay" | "fail to pay" | "cancel" | "close" | "reverse" | "ask",
): fc.Arbitrary<Step> => fc.record({ do: fc.constant(name), order: which });
const refund: fc.Arbitrary<Step> = fc.record({
  do: fc.constant("refund" as const),
  percent: fc.integer({ min: 1, max: 100 }),
  times: fc.constantFrom(1 as const, 2 as const),
  order: which,
});
const report: fc.Arbitrary<Step> = fc
  .tuple(fc.constantFrom(...notifications), which)
  .map(([what, order]) => ({ do: "tell", ...what, order }));
const fault = (faults: readonly FaultInput[]): fc.Arbitrary<Step> =>
  fc.constantFrom(...faults).map((one) => ({ do: "fault", fault: one }));
const pause: fc.Arbitrary<Step> = fc.constantFrom(1, 10, 45, 600, 7_300).map((seconds) => ({ do: "wait", seconds }));
const restart: fc.Arbitrary<Step> = fc
  .constantFrom("application server" as const, "simulator" as const, "both" as const)
  .map((what) => ({ do: "restart", what }));

const action = fc.oneof(
  { weight: 6, arbitrary: simple("pay") },
  { weight: 3, arbitrary: simple("close") },
  { weight: 2, arbitrary: simple("reverse") },
  { weight: 2, arbitrary: simple("ask") },
  { weight: 1, arbitrary: simple("fail to pay") },
  { weight: 1, arbitrary: simple("cancel") },
  { weight: 2, arbitrary: simple("place again") },
  { weight: 4, arbitrary: refund },
  { weight: 4, arbitrary: report },
);
const atOnce: fc.Arbitrary<Step> = fc
  .tuple(action, fc.oneof({ weight: 12, arbitrary: action }, { weight: 1, arbitrary: restart }))
  .map((steps) => ({ do: "at once", steps }));
const step = fc.oneof(
  { weight: 14, arbitrary: action },
  { weight: 3, arbitrary: place },
  { weight: 3, arbitrary: byCode },
  { weight: 4, arbitrary: fault(lostCalls) },
  { weight: 5, arbitrary: fault(otherFaults) },
  { weight: 1, arbitrary: fault(wrongAmounts) },
  { weight: 4, arbitrary: atOnce },
  { weight: 3, arbitrary: pause },
  { weight: 1, arbitrary: restart },
);
const rarely = fc.oneof({ weight: 60, arbitrary: step }, { weight: 1, arbitrary: fault(slowFaults) });

export const life: fc.Arbitrary<Step[]> = fc
  .tuple(
    fc.oneof({ weight: 3, arbitrary: place }, { weight: 1, arbitrary: byCode }),
    fc.array(rarely, { maxLength: 12 }),
  )
  .map(([first, more]) => [first, ...more]);
