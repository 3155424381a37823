/** The texts of the payment pages, in the languages of a buyer's browser. */
import type { BuyerOutcome } from "../../../contract/provider/sim-client.ts";

/** The state of the payment, as the buyer sees it. */
export type PageMessage =
  | "waiting"
  | "paying"
  | "paid"
  | "refunded"
  | "closed"
  | "failed"
  | "expired"
  | "cancelled"
  | "wrong_password"
  | "no_funds";

const english = {
  lang: "en",
  simulated: "Simulated payment. No money is charged.",
  title: "Pay",
  merchant: "Merchant",
  goods: "Goods",
  orderNumber: "Order number",
  scan: "The merchant's payment code. On this page, you act as the buyer who scanned it.",
  actions: "Action of the buyer",
  backToMerchant: "Back to the merchant",
  unknownOrder: "This order does not exist or cannot be paid.",
  expiredLink: "This link expired. Place the order again to get a new link.",
  outcomes: {
    pay: "Pay",
    slow: "Pay slowly",
    wrong_password: "Wrong password",
    no_funds: "Insufficient funds",
    cancel: "Cancel",
  } satisfies Record<BuyerOutcome, string>,
  messages: {
    waiting: "Waiting for payment",
    paying: "The payment is being processed …",
    paid: "Paid",
    refunded: "Refunded",
    closed: "The order is closed. It cannot be paid.",
    failed: "The payment failed.",
    expired: "The order expired.",
    cancelled: "Payment cancelled. You can still pay the order.",
    wrong_password: "Wrong password. You can still pay the order.",
    no_funds: "Insufficient funds. You can still pay the order.",
  } satisfies Record<PageMessage, string>,
};

export type PageTexts = typeof english;

const chinese: PageTexts = {
  lang: "zh-CN",
  simulated: "模拟支付，不会实际扣款",
  title: "支付",
  merchant: "收款商户",
  goods: "商品",
  orderNumber: "商户单号",
  scan: "商户的支付二维码。在本页上，你就是已扫码的买家。",
  actions: "买家操作",
  backToMerchant: "返回商户",
  unknownOrder: "订单不存在或无法支付。",
  expiredLink: "链接已失效，请重新下单获取新链接。",
  outcomes: {
    pay: "支付",
    slow: "缓慢支付",
    wrong_password: "密码错误",
    no_funds: "余额不足",
    cancel: "取消",
  },
  messages: {
    waiting: "等待支付",
    paying: "支付处理中……",
    paid: "支付成功",
    refunded: "已退款",
    closed: "订单已关闭，无法支付。",
    failed: "支付失败。",
    expired: "订单已过期。",
    cancelled: "支付已取消，订单仍可支付。",
    wrong_password: "密码错误，订单仍可支付。",
    no_funds: "余额不足，订单仍可支付。",
  },
};

/** The texts of payment pages in the browser's language. */
export const textsFor = (acceptLanguage: string | undefined): PageTexts =>
  prefersChinese(acceptLanguage) ? chinese : english;

/** Whether a browser prefers Chinese to English; false if it requests neither. */
export function prefersChinese(acceptLanguage: string | undefined): boolean {
  const preferences = (acceptLanguage ?? "").split(",").map((entry) => {
    const [range = "", ...parameters] = entry.split(";").map((part) => part.trim().toLowerCase());
    const quality = Number(parameters.find((one) => one.startsWith("q="))?.slice(2) ?? 1);
    return { language: range.split("-")[0], quality: Number.isNaN(quality) ? 0 : quality };
  });
  const best = preferences
    .filter(({ language, quality }) => quality > 0 && (language === "zh" || language === "en"))
    .toSorted((a, b) => b.quality - a.quality)[0];
  return best?.language === "zh";
}
