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
  simulated: "Simulated payment: no money moves",
  title: "Pay",
  merchant: "Merchant",
  goods: "For",
  orderNumber: "Order number",
  scan: "The code that the merchant shows. Here you act as the buyer who has scanned it.",
  actions: "What does the buyer do?",
  backToMerchant: "Back to the merchant",
  unknownOrder: "This order does not exist or cannot be paid.",
  expiredLink: "This link works no more. Place the order again for a new one.",
  outcomes: {
    pay: "Pay",
    slow: "Pay slowly",
    wrong_password: "Wrong password",
    no_funds: "Not enough money",
    cancel: "Cancel",
  } satisfies Record<BuyerOutcome, string>,
  messages: {
    waiting: "Waiting for payment",
    paying: "The payment is being processed …",
    paid: "Paid",
    refunded: "Paid, and refunded",
    closed: "The order is closed. It cannot be paid.",
    failed: "The payment failed.",
    expired: "The time to pay is over.",
    cancelled: "You have cancelled. The order can still be paid.",
    wrong_password: "The password was wrong. The order can still be paid.",
    no_funds: "There was not enough money. The order can still be paid.",
  } satisfies Record<PageMessage, string>,
};

export type PageTexts = typeof english;

const chinese: PageTexts = {
  lang: "zh-CN",
  simulated: "模拟支付：不会产生真实扣款",
  title: "支付",
  merchant: "收款商户",
  goods: "商品",
  orderNumber: "商户单号",
  scan: "商户展示的二维码。你在此代替扫码后的买家操作。",
  actions: "买家怎么做？",
  backToMerchant: "返回商户",
  unknownOrder: "没有可在此支付的订单。",
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
    refunded: "已支付，已转入退款",
    closed: "订单已关闭，无法支付。",
    failed: "支付失败。",
    expired: "已超过支付时间。",
    cancelled: "你已取消，订单仍可支付。",
    wrong_password: "密码错误，订单仍可支付。",
    no_funds: "余额不足，订单仍可支付。",
  },
};

/** The texts in the browser's preferred language; English if it requests neither. */
export function textsFor(acceptLanguage: string | undefined): PageTexts {
  const preferences = (acceptLanguage ?? "").split(",").map((entry) => {
    const [range = "", ...parameters] = entry.split(";").map((part) => part.trim().toLowerCase());
    const quality = Number(parameters.find((one) => one.startsWith("q="))?.slice(2) ?? 1);
    return { language: range.split("-")[0], quality: Number.isNaN(quality) ? 0 : quality };
  });
  const best = preferences
    .filter(({ language, quality }) => quality > 0 && (language === "zh" || language === "en"))
    .toSorted((a, b) => b.quality - a.quality)[0];
  return best?.language === "zh" ? chinese : english;
}
