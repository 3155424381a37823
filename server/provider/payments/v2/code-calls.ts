/** Payments by a code that the buyer shows, and their reversal. */
import type { Ledger, Order } from "../ledger/ledger.ts";
import { refusal } from "../ledger/refusals.ts";
import type { Merchants } from "../merchants/merchants.ts";
import { missingNumber, namedOrder, orderKey, type CallV2 } from "./call-v2.ts";
import { isOneOf, needed, optional, orderNumbers, paymentRules } from "./field-rules.ts";
import { checkTimes, toOrderRequestV2 } from "./order-calls.ts";
import { deviceField, paymentFields } from "./order-fields.ts";

interface Deps {
  readonly ledger: Ledger;
  readonly merchants: Pick<Merchants, "get">;
  /** Unix time in ms. */
  readonly now: () => number;
}

export const micropay = (deps: Deps): CallV2<Order> => ({
  name: "micropay",
  paths: ["/pay/micropay"],
  missing: "LACK_PARAMS",
  malformed: "PARAM_ERROR",
  rules: [...paymentRules, needed("auth_code", 128), optional("deposit", 1, isOneOf(["Y", "N"]))],
  check({ fields }) {
    if (fields["deposit"] === "Y") throw refusal("NOAUTH", "商户未开通押金支付");
  },
  async perform(request, { codePayment }) {
    const order = await toOrderRequestV2(deps, request, "MICROPAY");
    await checkTimes(deps, request, order, "PARAM_ERROR");
    return deps.ledger.payByCode(order, request.fields["auth_code"] ?? "", codePayment);
  },
  reply: (order) => ({ ...deviceField(order), ...paymentFields(order) }),
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
  async perform(request) {
    await namedOrder(ledger, request);
    return ledger.reverse(orderKey(request));
  },
  reply: () => ({ recall: "N" }),
  refused: ({ code }) => ({ recall: passing.has(code) ? "Y" : "N" }),
});
