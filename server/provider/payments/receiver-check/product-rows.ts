/** The rows about notifications of the products beside payments. They are of version 3 and need no order of the receiver. */
import { offsetTime } from "../../../payment-wire/provider-time.ts";
import { combinedOrderV3 } from "../combined/combined-views-v3.ts";
import type { SimSending } from "../../../contract/provider/sim-notification-faults.ts";
import type { Order } from "../ledger/ledger.ts";
import { contentOfNotice, type NoticeContent } from "../notifier/product-notices.ts";
import { orderV3 } from "../v3/views-v3.ts";
import type { Case } from "./case.ts";

const openid = "oHearthReceiverCheck";
const platformId = "1000000000000000000000000000";

const contractNotice =
  (event: "ENTRUST.SIGN" | "ENTRUST.TERMINATE") =>
  (order: Order): NoticeContent => {
    const now = offsetTime(order.paidAt ?? 0);
    const isSigned = event === "ENTRUST.SIGN";
    return {
      ...{ about: "contract", event, summary: isSigned ? "签约成功" : "解约成功", originalType: "papay" },
      resource: {
        ...{ mchid: order.mchId, appid: order.appId, openid, contract_id: platformId, plan_id: 1 },
        ...{ out_contract_code: order.outTradeNo, contract_display_account: "Receiver check-up" },
        ...{ contract_state: isSigned ? "SIGNED" : "TERMINATED", contract_signed_time: now },
        ...(!isSigned && {
          contract_terminate_info: { contract_termination_mode: "USER_TERMINATE", contract_terminated_time: now },
        }),
      },
    };
  };

/** What each product notifies of, for an order that is paid. */
const notices = {
  shares: (order: Order): NoticeContent => ({
    ...{ about: "profit_sharing", event: "PROFITSHARING.SUCCESS", summary: "分账", originalType: "profitsharing" },
    resource: {
      ...{ mchid: order.mchId, transaction_id: order.transactionId, order_id: platformId },
      out_order_no: order.outTradeNo,
      receiver: { type: "MERCHANT_ID", account: order.mchId, amount: 1, description: "Receiver check-up" },
      success_time: offsetTime(order.paidAt ?? 0),
    },
  }),
  transfer: (order: Order): NoticeContent => ({
    ...{ about: "transfer", event: "MCHTRANSFER.BILL.FINISHED", summary: "商家转账单据终态通知" },
    originalType: "mch_payment",
    resource: {
      ...{ mch_id: order.mchId, out_bill_no: order.outTradeNo, transfer_bill_no: platformId, openid },
      ...{ state: "SUCCESS", transfer_amount: order.total },
      ...{ create_time: offsetTime(order.paidAt ?? 0), update_time: offsetTime(order.paidAt ?? 0) },
    },
  }),
  complaint: (): NoticeContent => ({
    ...{ about: "complaint", event: "COMPLAINT.CREATE", summary: "产生新投诉", originalType: "complaint" },
    resource: { complaint_id: platformId, action_type: "CREATE_COMPLAINT" },
  }),
  "contract-signed": contractNotice("ENTRUST.SIGN"),
  "contract-ended": contractNotice("ENTRUST.TERMINATE"),
  deduction: (order: Order): NoticeContent => ({
    ...{ about: "contract", event: "TRANSACTION.FAIL", summary: "支付失败", originalType: "transaction" },
    resource: { ...orderV3({ ...order, tradeState: "PAYERROR" }), trade_type: "PAP" },
  }),
  combined: (order: Order): NoticeContent => ({
    ...{ about: "payment", event: "TRANSACTION.SUCCESS", summary: "支付成功", originalType: "transaction" },
    resource: combinedOrderV3(order, [order]),
  }),
} as const;
type Product = keyof typeof notices;

const genuine: SimSending = { kind: "genuine", params: {} };
const forgeries = [
  ["wrong_key", "signed with an unknown key", "Verify Wechatpay-Signature with the key that Wechatpay-Serial names."],
  ["missing", "without a signature", "Require the headers Wechatpay-Signature, Timestamp, Nonce and Serial."],
  ["tampered_tag", "with a changed resource", "Decrypt resource with AES-256-GCM, and refuse it if its tag is wrong."],
] as const;

async function sender(product: Product, order: Case) {
  const paid = await order.payForProduct();
  const content = contentOfNotice(notices[product](paid), paid.paidAt ?? 0);
  return (sending: SimSending) => order.sendProduct(content, sending);
}

/** The platform repeats a notification until it is accepted, and may do so afterwards. */
const accepts = (product: Product) => async (order: Case) => {
  const send = await sender(product, order);
  for (const which of ["the notification", "its copy"]) {
    const [sent] = await send(genuine);
    if (sent?.claimed === "yes" && sent.accepted) continue;
    return order.fail(
      `Reply to ${which}: ${sent?.words ?? "none"}. Decrypt resource with the APIv3 key, and answer 200 or 204, also to a copy.`,
      true,
    );
  }
};

const refuses = (product: Product) => async (order: Case) => {
  const send = await sender(product, order);
  for (const [how, what, remedy] of forgeries) {
    const [sent] = await send({ kind: "notification_signature", params: { how } });
    if (sent?.claimed === "yes") order.fail(`It accepted one ${what}. ${remedy}`, true);
    if (sent?.claimed === "nothing") order.fail(`Reply to one ${what}: ${sent.words}. Answer with 4xx or 5xx.`, true);
  }
};

export const productRows = {
  shares: accepts("shares"),
  "shares-forged": refuses("shares"),
  transfer: accepts("transfer"),
  "transfer-forged": refuses("transfer"),
  complaint: accepts("complaint"),
  "complaint-forged": refuses("complaint"),
  "contract-signed": accepts("contract-signed"),
  "contract-signed-forged": refuses("contract-signed"),
  "contract-ended": accepts("contract-ended"),
  "contract-ended-forged": refuses("contract-ended"),
  deduction: accepts("deduction"),
  "deduction-forged": refuses("deduction"),
  combined: accepts("combined"),
  "combined-forged": refuses("combined"),
};
