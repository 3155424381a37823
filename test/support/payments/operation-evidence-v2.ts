/** The tests by which an operation of version 2 may be called exact. */
import type { Evidence, TestReference } from "./operation-evidence.ts";

const ownDescribed = (title: string): TestReference => ["contract/platform-descriptions-v2.test.ts", title];
const axiosV2 = (title: string): TestReference => ["contract/payment-sdk-axios-v2.test.ts", title];
const axiosV2Calls = (title: string): TestReference => ["contract/payment-sdk-axios-v2-calls.test.ts", title];
const ownV2 = (title: string): TestReference => ["http/provider/payments/provider-payments-v2.test.ts", title];
const refusedV2 = (title: string): TestReference => [
  "http/provider/payments/provider-payments-v2-refusals.test.ts",
  title,
];
const sandboxTest = (title: string): TestReference => [
  "http/provider/payments/provider-payments-v2-sandbox.test.ts",
  title,
];
const ownSharesV2 = (title: string): TestReference => ["http/payments/profit-sharing/profit-sharing-v2.test.ts", title];

const ordersV2: Evidence = {
  refusals: refusedV2("ORDERNOTEXIST for an order that is not there"),
  lives: [
    axiosV2("takes an order of %s, signed by %s, through its life"),
    ownV2("returns payer, amount and time of a paid order, by either number; the platform's takes precedence"),
  ],
};
const placingV2: Evidence = {
  refusals: refusedV2("INVALID_REQUEST for other values than the first time, OUT_TRADE_NO_USED for another product"),
  lives: [
    ordersV2.lives[0],
    ownV2("answers 200 with a prepay id, for NATIVE with the QR code's text too, for MWEB with the page's address"),
  ],
};
const closingV2: Evidence = {
  refusals: refusedV2(
    "ORDERPAID, ORDERCLOSED, USERPAYING and FREQUENCY_LIMITED where an order cannot be closed, in this order",
  ),
  lives: [
    axiosV2("closes an order, and says of the next call which err_code refused it"),
    ownV2("closes an unpaid order; the query then says CLOSED and payments are refused"),
  ],
};
const byCodeV2: Evidence = {
  refusals: refusedV2(
    "AUTH_CODE_ERROR, AUTH_CODE_INVALID and AUTHCODEEXPIRE for codes that are invalid, unknown, used or old",
  ),
  lives: [
    axiosV2("takes a payment by the buyer's code, and reverses it"),
    ownV2("answer as a paid query does, without a state, and are reversed with recall N"),
  ],
};
const refundsV2: Evidence = {
  refusals: refusedV2("REFUND_FEE_MISMATCH for another amount under the same number, ERROR for more than was paid"),
  lives: [ordersV2.lives[0], ownV2("are found one by one by their own numbers and together by the order's")],
};
const billsV2: Evidence = {
  refusals: sandboxTest(
    "is refused with the numbers of this call: 20001 for a bad signature or field, 20002 where there is none",
  ),
  lives: [
    axiosV2("fetches a bill as a stream, plain and compressed"),
    sandboxTest("lists what was paid, refunded and reversed, in yuan, from 09:00 of the next day on"),
  ],
};
const flowsOfHmac = sandboxTest(
  "of the account's money lists what came and went with its fee and the balance, for callers who sign by HMAC",
);
const flowsV2: Evidence = {
  refusals: flowsOfHmac,
  lives: [axiosV2Calls("axios-plugin downloads the bill of the account's money, signed by HMAC"), flowsOfHmac],
};
const sharesV2: Evidence = {
  refusals: ownSharesV2("a single request frees the rest; what cannot be shared is refused"),
  lives: [
    axiosV2Calls("axios-plugin shares an order of version 2 with a receiver, takes a part back, and finishes it"),
    ownSharesV2("an order of version 2 is shared more than once, returned and finished"),
  ],
};
const singleSharesV2: Evidence = {
  ...sharesV2,
  lives: [
    axiosV2Calls("axios-plugin shares an order of version 2 once, which frees the rest"),
    ownSharesV2("a single request frees the rest; what cannot be shared is refused"),
  ],
};
const sandboxByAxios = axiosV2Calls(
  "axios-plugin pays, queries, refunds and downloads in the sandbox under both prefixes, by its key",
);
const described = ownDescribed(
  "every reply of version 2 has the fields that are described, but for explained differences",
);
const sandboxKeys: Evidence = {
  refusals: sandboxTest("returns its key, unsigned, for a signature with the real one, at both addresses"),
  lives: [
    sandboxByAxios,
    sandboxTest("returns its key, unsigned, for a signature with the real one, at both addresses"),
  ],
};
const inSandbox: Evidence = {
  refusals: sandboxTest(
    "takes its own key only, and signs with it, under both prefixes; the real calls take the real one only",
  ),
  lives: [sandboxByAxios, described],
};

const tools = (title: string): TestReference => ["http/provider/payments/provider-payments-v2-tools.test.ts", title];
const byTools = (title: string): Evidence => ({
  refusals: tools(title),
  lives: [
    axiosV2Calls(
      "axios-plugin asks who shows a code, shortens the text of a QR code, reports, and reads the ratio of shares",
    ),
    tools(title),
  ],
});
const goodsRefunds: Evidence = {
  refusals: tools("refunds by the calls for single goods are those of the order, and the detail is JSON"),
  lives: [
    axiosV2Calls("axios-plugin refunds an order by the calls for single goods, with the part of the coupon"),
    tools("refunds by the calls for single goods are those of the order, and the detail is JSON"),
  ],
};

const ownPapayV2 = (title: string): TestReference => ["http/payments/papay/papay-v2.test.ts", title];
const axiosPapayV2 = (title: string): TestReference => ["contract/payment-sdk-axios-papay.test.ts", title];
const papayRefused = ownPapayV2("refuses what is missing, wrong, signed before, or not of a contract");
const papayByAxios = axiosPapayV2("axios-plugin signs, deducts and ends a contract of version 2 at %s");
const contractsV2: Evidence = {
  refusals: papayRefused,
  lives: [papayByAxios, ownPapayV2("a contract is signed, queried by both numbers, deducted from, and ended")],
};
const partnerContractsV2: Evidence = {
  refusals: ownPapayV2("a service provider signs, queries, deducts and ends contracts for its sub-merchant"),
  lives: [
    papayByAxios,
    ownPapayV2("a service provider signs, queries, deducts and ends contracts for its sub-merchant"),
  ],
};
const signingOrders = ownPapayV2(
  "the payment of an order signs its contract, and an order whose contract was signed before has none",
);

export const evidenceOfV2: Readonly<Record<string, Evidence>> = {
  "POST /papay/preentrustweb": contractsV2,
  "POST /papay/querycontract": contractsV2,
  "POST /papay/deletecontract": contractsV2,
  "POST /pay/pappayapply": contractsV2,
  "POST /pay/paporderquery": contractsV2,
  "POST /papay/partner/preentrustweb": partnerContractsV2,
  "POST /papay/partner/querycontract": partnerContractsV2,
  "POST /papay/partner/deletecontract": partnerContractsV2,
  "POST /pay/partner/pappayapply": partnerContractsV2,
  "POST /pay/partner/paporderquery": partnerContractsV2,
  "POST /pay/contractorder": {
    refusals: signingOrders,
    lives: [axiosPapayV2("axios-plugin places an order of version 2 whose payment signs a contract"), signingOrders],
  },
  "POST /pay/unifiedorder": placingV2,
  "POST /pay/orderquery": ordersV2,
  "POST /pay/closeorder": closingV2,
  "POST /pay/micropay": byCodeV2,
  "POST /pay/refundquery": refundsV2,
  "POST /pay/downloadbill": billsV2,
  "POST /pay/downloadfundflow": flowsV2,
  "POST /secapi/pay/refund": refundsV2,
  "POST /secapi/pay/reverse": byCodeV2,
  "POST /pay/profitsharingaddreceiver": sharesV2,
  "POST /pay/profitsharingremovereceiver": sharesV2,
  "POST /secapi/pay/profitsharing": singleSharesV2,
  "POST /secapi/pay/multiprofitsharing": sharesV2,
  "POST /secapi/pay/profitsharingfinish": sharesV2,
  "POST /pay/profitsharingquery": sharesV2,
  "POST /pay/profitsharingorderamountquery": sharesV2,
  "POST /secapi/pay/profitsharingreturn": sharesV2,
  "POST /pay/profitsharingreturnquery": sharesV2,
  "POST /sandboxnew/pay/getsignkey": sandboxKeys,
  "POST /xdc/apiv2getsignkey/sign/getsignkey": sandboxKeys,
  "POST /sandboxnew/pay/downloadbill": inSandbox,
  "POST /sandboxnew/pay/micropay": inSandbox,
  "POST /sandboxnew/pay/orderquery": inSandbox,
  "POST /sandboxnew/pay/refundquery": inSandbox,
  "POST /sandboxnew/pay/unifiedorder": inSandbox,
  "POST /xdc/apiv2sandbox/pay/micropay": inSandbox,
  "POST /xdc/apiv2sandbox/pay/orderquery": inSandbox,
  "POST /sandboxnew/pay/refund": inSandbox,
  "POST /secapi/pay/refundv2": goodsRefunds,
  "POST /pay/refundqueryv2": goodsRefunds,
  "POST /tools/authcodetoopenid": byTools(
    "a code tells its buyer's openid before it is used, not after, and not once it is old",
  ),
  "POST /tools/shorturl": byTools("the text of a QR code has one short form; another text is refused"),
  "POST /payitil/report": byTools("a report is accepted, unsigned; one without its list is refused"),
  "POST /pay/profitsharingmerchantratioquery": byTools(
    "the ratio of shares is the one that is set, in both versions, and no other merchant's",
  ),
};
