/** The platform's business refusals, with its message for each. */
import { PaymentRefusal, type Order } from "./ledger.ts";

const descriptions = {
  APPID_MCHID_NOT_MATCH: "appid和mch_id不匹配",
  APPID_NOT_EXIST: "APPID不存在",
  AUTHCODEEXPIRE: "二维码已过期，请用户在微信上刷新后再试",
  AUTH_CODE_ERROR: "付款码参数错误",
  AUTH_CODE_INVALID: "付款码检验错误",
  BANKERROR: "银行系统异常",
  ERROR: "业务错误",
  FREQUENCY_LIMITED: "频率限制，请稍后再试",
  INVALID_REQUEST: "参数与首次请求不一致",
  INVALID_TRANSACTIONID: "无效transaction_id",
  LACK_PARAMS: "缺少参数",
  MCHID_NOT_EXIST: "MCHID不存在",
  NOAUTH: "商户无此接口权限",
  /** For bills; version 2 has numbers for them. */
  NO_STATEMENT_EXIST: "No Bill Exist",
  NOTENOUGH: "基本账户余额不足，请充值后重新发起",
  NOT_UTF8: "编码格式错误，请使用UTF-8编码",
  OPENID_MISMATCH: "openid与appid不匹配",
  ORDERCLOSED: "订单已关闭",
  ORDERNOTEXIST: "此交易订单号不存在",
  ORDERPAID: "该订单已支付",
  ORDERREVERSED: "订单已撤销",
  /** Our own code: the platform shows this only to the buyer. */
  ORDER_EXPIRED: "订单已过期，无法支付",
  OUT_TRADE_NO_USED: "商户订单号重复",
  PARAM_ERROR: "参数错误",
  POST_DATA_EMPTY: "post数据为空",
  RESOURCE_NOT_EXISTS: "资源不存在",
  REFUNDNOTEXIST: "退款订单查询失败",
  REFUND_FEE_MISMATCH: "订单金额或退款金额与之前请求不一致，请核实后再试",
  REQUIRE_POST_METHOD: "请使用post方法",
  REVERSE_EXPIRE: "订单已超过可撤销期限",
  SIGNERROR: "签名错误",
  STATEMENT_CREATING: "Bill Creating",
  SYSTEMERROR: "系统超时",
  TRADE_ERROR: "交易状态不允许此操作",
  TRADE_OVERDUE: "订单已经超过退款期限",
  USERPAYING: "需要用户输入支付密码",
  XML_FORMAT_ERROR: "XML格式错误",
} as const;

export type RefusalCode = keyof typeof descriptions;

/** @param description replaces the code's own where more can be said */
export const refusal = (code: RefusalCode, description: string = descriptions[code]): PaymentRefusal =>
  new PaymentRefusal(code, description);

/** Why an order cannot be paid; undefined while it waits for its buyer. */
export function whyNotPayable({ tradeState }: Pick<Order, "tradeState">): PaymentRefusal | undefined {
  switch (tradeState) {
    case "SUCCESS":
    case "REFUND":
      return refusal("ORDERPAID");
    case "CLOSED":
      return refusal("ORDERCLOSED");
    case "REVOKED":
      return refusal("ORDERREVERSED");
    case "PAYERROR":
      return refusal("TRADE_ERROR", "支付失败，请撤销后使用新订单号");
    case "NOTPAY":
    case "USERPAYING":
      return undefined;
  }
}
