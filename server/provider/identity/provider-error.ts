import { randomBytes } from "node:crypto";

/** The provider's documented refusals: errcode and the main part of errmsg. */
const messages = {
  [-1]: "system error",
  40001: "invalid credential, access_token is invalid or not latest",
  40002: "invalid grant_type",
  40003: "invalid openid",
  40013: "invalid appid",
  40014: "invalid access_token",
  40029: "invalid code",
  40037: "invalid template_id",
  40066: "invalid url",
  40097: "invalid args",
  40125: "invalid appsecret",
  40129: "invalid scene",
  40159: "invalid length for path, or the data is not json string",
  40163: "code been used",
  40164: "invalid ip, not in whitelist",
  40165: "invalid weapp pagepath",
  40169: "invalid length for scene, or the data is not json string",
  40212: "invalid query",
  40226: "code blocked",
  41001: "access_token missing",
  41002: "appid missing",
  41004: "appsecret missing",
  41008: "missing code",
  41030: "invalid page",
  42001: "access_token expired",
  43002: "require POST method",
  43101: "user refuse to accept the msg",
  44002: "empty post data",
  45009: "reach max api daily quota limit",
  45011: "api minute-quota reach limit mustslower retry next minute",
  47001: "data format error",
  47003: "argument invalid!",
  48001: "api unauthorized",
  61010: "code is expired",
  85401: "time limit between 1min and 30days",
  87009: "invalid signature",
  87014: "risky content",
  10060001: "支付单不存在",
  10060002: "支付单已完成发货，无法继续发货",
  10060003: "支付单已使用重新发货机会",
  10060004: "支付单处于不可发货的状态",
  10060005: "物流类型有误",
  10060006: "非快递发货时不允许分拆发货",
  10060007: "分拆发货模式下必须填写 is_all_delivered 字段",
  10060008: "商品描述 item_desc 字段不能为空",
  10060009: "商品描述 item_desc 字段太长",
  10060011: "last_index不合法",
  10060014: "参数错误",
  10060023: "发货信息未更新",
  10060024: "物流信息列表太长",
  10060025: "物流公司编码太长",
  10060026: "物流单号太长",
  10060028: "支付单不是已发货状态",
  10060029: "签收时间非法",
  10060030: "支付单已使用提醒收货机会",
  10060031: "该笔支付单不属于 openid 所指定的用户",
  10060032: "只有物流快递发货时允许提醒用户确认收货",
  268485194: "订单单号类型非法",
  268485195: "微信支付单号形式下 transaction_id 字段不能为空",
  268485196: "商户侧单号形式下 mchid 字段不能为空",
  268485197: "商户侧单号形式下 out_trade_no 字段不能为空",
  268485216: "上传时间非法，请按照 RFC 3339 格式填写",
  268485224: "发货模式非法",
  268485226: "物流单号不能为空",
  268485227: "物流公司编码不能为空",
  268485228: "统一发货模式下，物流信息列表长度必须为 1",
  268546000: "type非法",
  268546001: "delay_to非法",
  268546002: "账户不存在这个待发货单号",
} as const;

export type IdentityErrorCode = keyof typeof messages;

/** A refusal in the provider's form: HTTP 200 with errcode and errmsg. */
export class ProviderError extends Error {
  override readonly name = "ProviderError";
  readonly errcode: IdentityErrorCode;

  /** @param detail follows the code's text */
  constructor(errcode: IdentityErrorCode, detail = "") {
    super(messages[errcode] + detail);
    this.errcode = errcode;
  }

  /** The reply's body. The real provider ends every errmsg with a request id (`withRid`). */
  toBody(withRid: boolean) {
    const rid = [4, 4, 4].map((bytes) => randomBytes(bytes).toString("hex")).join("-");
    return { errcode: this.errcode, errmsg: withRid ? `${this.message}, rid: ${rid}` : this.message };
  }
}
