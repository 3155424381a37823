/** Payments by a code that the buyer shows, and their reversal. */
import type { Ledger, Order } from "../ledger/ledger.ts";
import { missingNumber, orderKey, type CallV2 } from "./call-v2.ts";
import { needed, orderNumbers, paymentRules } from "./field-rules.ts";
import { checkTimes, toOrderRequestV2 } from "./order-calls.ts";
import { paymentFields } from "./order-fields.ts";

interface Deps {
  readonly ledger: Ledger;
  /** Unix time in ms. */
  readonly now: () => number;
}

export const micropay = (deps: Deps): CallV2<Order> => ({
  name: "micropay",
  paths: ["/pay/micropay"],
  missing: "LACK_PARAMS",
  malformed: "PARAM_ERROR",
  rules: [...paymentRules, needed("auth_code", 128)],
  async perform(request, { codePayment }) {
    const order = toOrderRequestV2(request, "MICROPAY");
    await checkTimes(deps, request, order, "PARAM_ERROR");
    return deps.ledger.payByCode(order, request.fields["auth_code"] ?? "", codePayment);
  },
  reply: paymentFields,
});

/** Temporary refusals: the same call may still succeed later. */
const passing = new Set(["USERPAYING", "SYSTEMERROR", "FREQUENCY_LIMITED"]);

export const reverse = ({ ledger }: Pick<Deps, "ledger">): CallV2<Order> => ({
  name: "reverse",
  paths: ["/secapi/pay/reverse"],
  needsCertificate: true,
  missing: "PARAM_ERROR",
  malformed: "PARAM_ERROR",
  rules: orderNumbers,
  alsoMissing: missingNumber,
  perform: (request) => ledger.reverse(orderKey(request)),
  reply: () => ({ recall: "N" }),
  refused: ({ code }) => ({ recall: passing.has(code) ? "Y" : "N" }),
});
