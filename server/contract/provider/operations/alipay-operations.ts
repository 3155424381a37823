/**
 * The methods that the simulated gateway of Alipay answers. No public list of all of them is known, so that the others are
 * not counted.
 */
import type { MissingPart } from "./simulated-operations.ts";

const optionalFields: MissingPart = { en: "most optional fields have no effect", zh: "多数可选字段不起作用" };
const tradeAtOnce: MissingPart = {
  en: "the trade exists before the buyer has logged in",
  zh: "买家登录之前交易就已存在",
};
const tradeBills: MissingPart = { en: "only bills of the type trade", zh: "只有 trade 类型的账单" };
const fewFacts: MissingPart = { en: "returns only numbers, nickname and avatar", zh: "只返回编号、昵称和头像" };
const oneClient: MissingPart = { en: "tested with one client only", zh: "只用一个客户端测试过" };

export const alipayMethods: Readonly<Record<string, readonly MissingPart[]>> = {
  "alipay.trade.create": [optionalFields, oneClient],
  "alipay.trade.precreate": [optionalFields],
  "alipay.trade.pay": [optionalFields, oneClient],
  "alipay.trade.page.pay": [optionalFields, tradeAtOnce, oneClient],
  "alipay.trade.wap.pay": [optionalFields, tradeAtOnce, oneClient],
  "alipay.trade.app.pay": [optionalFields, tradeAtOnce, oneClient],
  "alipay.trade.query": [optionalFields],
  "alipay.trade.close": [optionalFields, oneClient],
  "alipay.trade.cancel": [optionalFields, oneClient],
  "alipay.trade.refund": [optionalFields],
  "alipay.trade.fastpay.refund.query": [optionalFields],
  "alipay.system.oauth.token": [oneClient],
  "alipay.user.info.share": [fewFacts, oneClient],
  "alipay.data.dataservice.bill.downloadurl.query": [tradeBills, oneClient],
};
