/** The tests by which an operation may be called exact: of its refusals, and of two clients that go through it. */
import { evidenceOfServer } from "./operation-evidence-server.ts";
import { evidenceOfPapay } from "./operation-evidence-papay.ts";
import { evidenceOfV2 } from "./operation-evidence-v2.ts";

/** A test by its file below test/ and its title, as it is written there. */
export type TestReference = readonly [file: string, title: string];

export interface Evidence {
  readonly refusals: TestReference;
  /** Of two different clients. */
  readonly lives: readonly [TestReference, TestReference];
}

const axios = (title: string): TestReference => ["contract/payment-sdk-axios-v3.test.ts", title];
const node = (title: string): TestReference => ["contract/payment-sdk-node-v3.test.ts", title];
const own = (title: string): TestReference => ["http/provider/payments/provider-payments-v3.test.ts", title];
const answers = (title: string): TestReference => [
  "http/provider/payments/provider-payments-v3-answers.test.ts",
  title,
];

const life = "takes an order of %s through its life";
const orders: Evidence = {
  refusals: own("an order that is missing or unpaid, and a refund that is, are 404 RESOURCE_NOT_EXISTS"),
  lives: [axios(life), node(life)],
};
const closing: Evidence = {
  refusals: own(
    "closing is 204 without a body, signed, and so again; a paid order is 400 ORDERPAID, an unknown one 404",
  ),
  lives: [axios("closes an order: 204, whose signature it checks like any other"), node("closes an order")],
};
const byCode: Evidence = {
  refusals: own("asks for the password above the limit, is refused for an unknown code, and names a missing one"),
  lives: [
    axios("takes a payment by the buyer's code, and reverses it"),
    own("is answered at once with the paid order, and is reversed"),
  ],
};
const bills: Evidence = {
  refusals: answers(
    "of a day that is not over is 400 STATEMENT_CREATING, of one without payments 400 NO_STATEMENT_EXIST, signed",
  ),
  lives: [
    axios("fetches a bill whose digest is right, plain and compressed"),
    answers(
      "is there the next day: an address that works for its merchant and for five minutes, unsigned, with the stated digest",
    ),
  ],
};

const axiosShares = (title: string): TestReference => ["contract/payment-sdk-axios-shares.test.ts", title];
const ownShares = (title: string): TestReference => ["http/payments/profit-sharing/profit-sharing-v3.test.ts", title];
const ownTransfers = (title: string): TestReference => ["http/payments/transfers/merchant-transfers.test.ts", title];

const sharesByAxios = axiosShares(
  "axios-plugin shares an order with a receiver, takes a part back, and unfreezes the rest",
);
const receivers: Evidence = {
  refusals: ownShares(
    "a receiver is added with an encrypted name, which comes back encrypted to the merchant, and is deleted",
  ),
  lives: [
    sharesByAxios,
    ownShares("a receiver is added with an encrypted name, which comes back encrypted to the merchant, and is deleted"),
  ],
};
const shares: Evidence = {
  refusals: ownShares("refuses what cannot be shared, with the platform's codes"),
  lives: [
    sharesByAxios,
    ownShares("an order's money is frozen until it is shared by the clock, returned, and unfrozen"),
  ],
};
const transfers: Evidence = {
  refusals: ownTransfers("the name is encrypted and required from 2000 yuan on, and other wrong requests are refused"),
  lives: [
    axiosShares("axios-plugin pays a user who confirms, fetches the receipt, and cancels another transfer"),
    ownTransfers(
      "a transfer waits for the user, who confirms, and arrives; both numbers find it, and it has a receipt",
    ),
  ],
};
const combinedTest = (title: string): TestReference => ["http/payments/combined/combined-orders.test.ts", title];
const partnerTest = (title: string): TestReference => ["http/payments/partner/partner-orders.test.ts", title];
const partnerCodeTest = (title: string): TestReference => ["http/payments/partner/partner-codes.test.ts", title];
const axiosParts = (title: string): TestReference => ["contract/payment-sdk-axios-partners.test.ts", title];

const combinedOrders: Evidence = {
  refusals: combinedTest(
    "are refused when a part is missing, repeated, taken, of an unknown merchant or without the app",
  ),
  lives: [
    axiosParts("axios-plugin takes a combined order of %s through its life"),
    combinedTest("are paid in one act by the combined number, and are found with both parts and their own numbers"),
  ],
};
const combinedClosing: Evidence = {
  refusals: combinedTest(
    "close with all parts named, and so again; ordinary calls and a part of the parts close nothing",
  ),
  lives: [
    axiosParts("axios-plugin closes a combined order"),
    combinedTest("close with all parts named, and so again; ordinary calls and a part of the parts close nothing"),
  ],
};
const partnerCodes: Evidence = {
  refusals: partnerCodeTest("are refused for a sub-merchant that is not bound, and reversed only by its number"),
  lives: [
    axiosParts("axios-plugin takes a payment by code for a sub-merchant, and reverses it"),
    partnerCodeTest("are answered at once with both merchants' ids, and are reversed"),
  ],
};
const subMerchantBill: Evidence = {
  refusals: partnerCodeTest(
    "has a bill of its own money, which is refused for another provider's and for another cipher",
  ),
  lives: [
    axiosParts("axios-plugin fetches and decrypts the bill of a sub-merchant's money"),
    partnerCodeTest("has a bill of its own money, which is refused for another provider's and for another cipher"),
  ],
};

const complaintTest = (title: string): TestReference => ["http/payments/complaints/complaints.test.ts", title];
const complaintAxios = (title: string): TestReference => ["http/payments/complaints/complaints-axios.test.ts", title];
const complaints: Evidence = {
  refusals: complaintTest("that is missing, completed or without a refund is refused, and so is what the rules forbid"),
  lives: [
    complaintAxios("reads and completes a complaint by wechatpay-axios-plugin"),
    complaintTest("is read, answered and completed by the merchant, and goes on when the buyer complains again"),
  ],
};
const complaintReceivers: Evidence = {
  refusals: complaintTest("is created once, read, changed and deleted"),
  lives: [
    complaintAxios("sets the address for notifications of complaints by wechatpay-axios-plugin"),
    complaintTest("is created once, read, changed and deleted"),
  ],
};

const mediaTest = (title: string): TestReference => ["http/payments/media/media.test.ts", title];
const media: Evidence = {
  refusals: mediaTest(
    "is refused for its digest, its kind, its size or its signature, and a file that is missing is 404",
  ),
  lives: [
    mediaTest("goes through wechatpay-axios-plugin"),
    mediaTest("of a picture returns its number, by which the merchant downloads it"),
  ],
};

const placing: Evidence = {
  refusals: axios("names the person who has to pay, encrypted; a name in plain text is refused"),
  lives: [axios(life), node(life)],
};
const partnerOrders: Evidence = {
  refusals: partnerTest("are refused with 403 NO_AUTH for a sub-merchant that is not bound or lacks the product"),
  lives: [
    axiosParts("axios-plugin takes a sub-merchant's order of %s through its life"),
    partnerTest("are placed in every trade type, each with its reply, and the reply is signed"),
  ],
};
const partnerClosing: Evidence = {
  refusals: partnerTest("close with 204, and so again; a paid order is 400 ORDERPAID"),
  lives: [
    axiosParts("axios-plugin closes a sub-merchant's order"),
    partnerTest("close with 204, and so again; a paid order is 400 ORDERPAID"),
  ],
};
const tradeBills: Evidence = {
  refusals: axios("asks for each kind of bill; a merchant without personalised ones gets 403"),
  lives: bills.lives,
};
const abnormalTest = (title: string): TestReference => [
  "http/provider/payments/provider-abnormal-refunds.test.ts",
  title,
];
const abnormalRefunds: Evidence = {
  refusals: abnormalTest(
    "apply-abnormal-refund is refused with 400 or 404 for another refund, another state, and what is not encrypted to the platform",
  ),
  lives: [
    axios("redirects an abnormal refund"),
    abnormalTest("An abnormal refund goes to the merchant's own account, where nothing is encrypted"),
  ],
};

const ratioTest: TestReference = [
  "http/provider/payments/provider-payments-v2-tools.test.ts",
  "the ratio of shares is the one that is set, in both versions, and no other merchant's",
];

export const evidenceOf: Readonly<Record<string, Evidence>> = {
  "POST /v3/pay/transactions/jsapi": placing,
  "POST /v3/pay/transactions/app": placing,
  "POST /v3/pay/transactions/h5": placing,
  "POST /v3/pay/transactions/native": placing,
  "POST /v3/pay/partner/transactions/jsapi": partnerOrders,
  "POST /v3/pay/partner/transactions/app": partnerOrders,
  "POST /v3/pay/partner/transactions/h5": partnerOrders,
  "POST /v3/pay/partner/transactions/native": partnerOrders,
  "GET /v3/pay/partner/transactions/out-trade-no/{out_trade_no}": partnerOrders,
  "GET /v3/pay/partner/transactions/id/{transaction_id}": partnerOrders,
  "POST /v3/pay/partner/transactions/out-trade-no/{out_trade_no}/close": partnerClosing,
  "POST /v3/refund/domestic/refunds/{refund_id}/apply-abnormal-refund": abnormalRefunds,
  "GET /v3/bill/tradebill": tradeBills,
  "POST /v3/pay/partner/transactions/codepay": partnerCodes,
  "POST /v3/pay/partner/transactions/out-trade-no/{out_trade_no}/reverse": partnerCodes,
  "POST /v3/combine-transactions/jsapi": combinedOrders,
  "POST /v3/combine-transactions/h5": combinedOrders,
  "POST /v3/combine-transactions/native": combinedOrders,
  "GET /v3/combine-transactions/out-trade-no/{combine_out_trade_no}": combinedOrders,
  "POST /v3/combine-transactions/out-trade-no/{combine_out_trade_no}/close": combinedClosing,
  "GET /v3/bill/sub-merchant-fundflowbill": subMerchantBill,
  "POST /v3/pay/transactions/codepay": byCode,
  "POST /v3/pay/transactions/out-trade-no/{out_trade_no}/reverse": byCode,
  "GET /v3/pay/transactions/out-trade-no/{out_trade_no}": orders,
  "GET /v3/pay/transactions/id/{transaction_id}": orders,
  "POST /v3/pay/transactions/out-trade-no/{out_trade_no}/close": closing,
  "POST /v3/refund/domestic/refunds": orders,
  "GET /v3/refund/domestic/refunds/{out_refund_no}": orders,
  "GET /v3/bill/fundflowbill": bills,
  "GET /v3/billdownload/file": bills,
  "POST /v3/profitsharing/receivers/add": receivers,
  "POST /v3/profitsharing/receivers/delete": receivers,
  "POST /v3/profitsharing/orders": shares,
  "POST /v3/profitsharing/orders/unfreeze": shares,
  "GET /v3/profitsharing/orders/{out_order_no}": shares,
  "GET /v3/profitsharing/transactions/{transaction_id}/amounts": shares,
  "POST /v3/profitsharing/return-orders": shares,
  "GET /v3/profitsharing/return-orders/{out_return_no}": shares,
  "GET /v3/profitsharing/merchant-configs/{sub_mchid}": {
    refusals: ratioTest,
    lives: [sharesByAxios, ratioTest],
  },
  "POST /v3/fund-app/mch-transfer/transfer-bills": transfers,
  "GET /v3/fund-app/mch-transfer/transfer-bills/out-bill-no/{out_bill_no}": transfers,
  "GET /v3/fund-app/mch-transfer/transfer-bills/transfer-bill-no/{transfer_bill_no}": transfers,
  "POST /v3/fund-app/mch-transfer/transfer-bills/out-bill-no/{out_bill_no}/cancel": transfers,
  "POST /v3/fund-app/mch-transfer/elecsign/out-bill-no": transfers,
  "GET /v3/fund-app/mch-transfer/elecsign/out-bill-no/{out_bill_no}": transfers,
  "POST /v3/fund-app/mch-transfer/elecsign/transfer-bill-no": transfers,
  "GET /v3/fund-app/mch-transfer/elecsign/transfer-bill-no/{transfer_bill_no}": transfers,
  "GET /v3/merchant-service/complaints-v2": complaints,
  "GET /v3/merchant-service/complaints-v2/{complaint_id}": complaints,
  "POST /v3/merchant-service/complaints-v2/{complaint_id}/complete": complaints,
  "POST /v3/merchant-service/images/upload": media,
  "GET /v3/merchant-service/images/{media_id}": media,
  "POST /v3/merchant/media/upload": media,
  "POST /v3/merchant/media/video_upload": media,
  "POST /v3/merchant-service/complaint-notifications": complaintReceivers,
  "GET /v3/merchant-service/complaint-notifications": complaintReceivers,
  "PUT /v3/merchant-service/complaint-notifications": complaintReceivers,
  "DELETE /v3/merchant-service/complaint-notifications": complaintReceivers,
  ...evidenceOfPapay,
  ...evidenceOfV2,
  ...evidenceOfServer,
};
