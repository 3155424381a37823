/** The well-known SDKs: how a program shows that it uses one, and the operations behind the methods that it calls. */

interface Sdk {
  /** The SDK's name in an import or a list of packages. */
  readonly name: RegExp;
  /** The ending of files that call it. */
  readonly files: RegExp;
  /** Where the name must stand: in the calling file, or anywhere in the program for methods with names of their own. */
  readonly within: "file" | "program";
  /** Called expressions without their opening parenthesis, each with its operations. */
  readonly calls: Readonly<Record<string, string | readonly string[]>>;
}

const orders = "/v3/pay/transactions";
const refunds = "/v3/refund/domestic/refunds";
const queries = [`GET ${orders}/id/{transaction_id}`, `GET ${orders}/out-trade-no/{out_trade_no}`];
const [queryById = "", queryByNumber = ""] = queries;
const close = `POST ${orders}/out-trade-no/{out_trade_no}/close`;
const refund = `POST ${refunds}`;
const queryRefund = `GET ${refunds}/{out_refund_no}`;
const products = ["jsapi", "native", "app", "h5"] as const;

const script = /[.](?:[cm]?[jt]s|[jt]sx)$/;
const java = /[.]java$/;
const go = /[.]go$/;
const php = /[.]php$/;
const python = /[.]py$/;

/** The official SDKs have a module for each product, with the same methods in each. */
const officialModules = products.flatMap((product): Sdk[] => [
  {
    name: new RegExp(`wechat[.]pay[.]java[.]service[.]payments[.]${product === "native" ? "nativepay" : product}[.]`),
    files: java,
    within: "file",
    calls: {
      "[.]prepay(?:WithRequestPayment)?": `POST ${orders}/${product}`,
      "[.]queryOrderById": queryById,
      "[.]queryOrderByOutTradeNo": queryByNumber,
      "[.]closeOrder": close,
    },
  },
  {
    name: new RegExp(`wechatpay-go/services/payments/${product}"`),
    files: go,
    within: "file",
    calls: {
      "[.]Prepay(?:WithRequestPayment)?": `POST ${orders}/${product}`,
      "[.]QueryOrderById": queryById,
      "[.]QueryOrderByOutTradeNo": queryByNumber,
      "[.]CloseOrder": close,
    },
  },
]);

const officialRefunds: readonly Sdk[] = [
  {
    name: /wechat[.]pay[.]java[.]service[.]refund[.]/,
    files: java,
    within: "file",
    calls: { "[rR]efund\\w*[.]create": refund, "[.]queryByOutRefundNo": queryRefund },
  },
  {
    name: /wechatpay-go[/]services[/]refunddomestic"/,
    files: go,
    within: "file",
    calls: { "[.]Create": refund, "[.]QueryByOutRefundNo": queryRefund },
  },
];

const wxJavaPay: Sdk = {
  name: /binarywang[.]wxpay|weixin-java-pay/,
  files: java,
  within: "file",
  calls: {
    "[.](?:createOrder|unifiedOrder)": "POST /pay/unifiedorder",
    ...Object.fromEntries(
      products.map((product) => [
        `[.](?:create|unified)OrderV3[(]\\s*TradeTypeEnum[.]${product.toUpperCase()}\\b[^(]{0,200}?`,
        `POST ${orders}/${product}`,
      ]),
    ),
    "[.]queryOrder": "POST /pay/orderquery",
    "[.]queryOrderV3": queries,
    "[.]closeOrder": "POST /pay/closeorder",
    "[.]closeOrderV3": close,
    "[.]refund": "POST /secapi/pay/refund",
    "[.]refundV3": refund,
    "[.]refundQuery": "POST /pay/refundquery",
    "[.]refundQueryV3": queryRefund,
    "[.]downloadBill": "POST /pay/downloadbill",
    "[.]downloadFundFlow": "POST /pay/downloadfundflow",
    "[.]tradeBillV3": "GET /v3/bill/tradebill",
    "[.]fundFlowBillV3": "GET /v3/bill/fundflowbill",
    "[.]micropay": "POST /pay/micropay",
    "[.]reverseOrder": "POST /secapi/pay/reverse",
    "[.]report": "POST /payitil/report",
    "[.]getSandboxSignKey": "POST /xdc/apiv2getsignkey/sign/getsignkey",
    "[.]sendCoupon": "POST /mmpaymkttransfers/send_coupon",
    "[.]queryCouponStock": "POST /mmpaymkttransfers/query_coupon_stock",
    "[.]queryCouponInfo": "POST /mmpaymkttransfers/querycouponsinfo",
    "[.]queryComment": "POST /billcommentsp/batchquerycomment",
    "[.]sendRedpack": "POST /mmpaymkttransfers/sendredpack",
    "[.]queryRedpack": "POST /mmpaymkttransfers/gethbinfo",
    "[.]entPay": "POST /mmpaymkttransfers/promotion/transfers",
    "[.]queryEntPay": "POST /mmpaymkttransfers/gettransferinfo",
    "getEntPayService[(][)][.]getPublicKey": "POST /risk/getpublickey",
    "[.]payBank": "POST /mmpaysptrans/pay_bank",
    "[.]queryPayBank": "POST /mmpaysptrans/query_bank",
  },
};

const wxJavaMiniProgram: Sdk = {
  name: /binarywang[.]wx[.]miniapp|weixin-java-miniapp/,
  files: java,
  within: "file",
  calls: {
    "[.](?:getSessionInfo|jsCode2SessionInfo)": "GET /sns/jscode2session",
    "[.](?:getNewPhoneNoInfo|getPhoneNumber)": "POST /wxa/business/getuserphonenumber",
    "[.]sendSubscribeMsg": "POST /cgi-bin/message/subscribe/send",
    "[.]sendKefuMsg": "POST /cgi-bin/message/custom/send",
    "[.]uploadMedia": "POST /cgi-bin/media/upload",
    "[.]getMedia": "GET /cgi-bin/media/get",
    "[.]createQrcode": "POST /cgi-bin/wxaapp/createwxaqrcode",
    "[.]createWxaCode": "POST /wxa/getwxacode",
    "[.]createWxaCodeUnlimit\\w*": "POST /wxa/getwxacodeunlimit",
    "[.]checkMessage": "POST /wxa/msg_sec_check",
    "[.]checkImage": "POST /wxa/img_sec_check",
    "[.]mediaCheckAsync": "POST /wxa/media_check_async",
    "[.]generateUrlLink": "POST /wxa/generate_urllink",
    "SchemeService[(][)][.]generate": "POST /wxa/generatescheme",
  },
};

const scripts: readonly Sdk[] = [
  {
    name: /wechatpay-node-v3/,
    files: script,
    within: "program",
    calls: {
      ...Object.fromEntries(products.map((product) => [`[.]transactions_${product}`, `POST ${orders}/${product}`])),
      "[.]find_refunds": queryRefund,
      "[.]tradebill": "GET /v3/bill/tradebill",
      "[.]fundflowbill": "GET /v3/bill/fundflowbill",
    },
  },
  {
    name: /['"]wechatpay-node-v3['"]/,
    files: script,
    within: "file",
    calls: { "[.]refunds": refund, "(?:pay|wx\\w*)[.]query": queries, "(?:pay|wx\\w*)[.]close": close },
  },
  {
    name: /['"]tenpay['"]/,
    files: script,
    within: "file",
    calls: {
      "[.](?:unifiedOrder|getPayParams|getAppParams)": "POST /pay/unifiedorder",
      "[.]orderQuery": "POST /pay/orderquery",
      "[.]closeOrder": "POST /pay/closeorder",
      "[.]refund": "POST /secapi/pay/refund",
      "[.]refundQuery": "POST /pay/refundquery",
      "[.]micropay": "POST /pay/micropay",
      "[.]reverse": "POST /secapi/pay/reverse",
      "[.]downloadBill": "POST /pay/downloadbill",
      "[.]downloadFundflow": "POST /pay/downloadfundflow",
      "[.]sendRedpack": "POST /mmpaymkttransfers/sendredpack",
      "[.]transfers": "POST /mmpaymkttransfers/promotion/transfers",
    },
  },
];

const others: readonly Sdk[] = [
  {
    name: /EasyWeChat/,
    files: php,
    within: "file",
    calls: {
      "->order->unify": "POST /pay/unifiedorder",
      "->order->queryBy\\w+": "POST /pay/orderquery",
      "->order->close": "POST /pay/closeorder",
      "->refund->by\\w+": "POST /secapi/pay/refund",
      "->refund->queryBy\\w+": "POST /pay/refundquery",
      "->redpack->sendNormal": "POST /mmpaymkttransfers/sendredpack",
      "->transfer->toBalance": "POST /mmpaymkttransfers/promotion/transfers",
      "->auth->session": "GET /sns/jscode2session",
      "->phone_number->getUserPhoneNumber": "POST /wxa/business/getuserphonenumber",
      "->app_code->get": "POST /wxa/getwxacode",
      "->app_code->getUnlimit": "POST /wxa/getwxacodeunlimit",
      "->app_code->getQrCode": "POST /cgi-bin/wxaapp/createwxaqrcode",
      "->subscribe_message->send": "POST /cgi-bin/message/subscribe/send",
      "->content_security->checkText": "POST /wxa/msg_sec_check",
    },
  },
  {
    name: /\bwechatpayv3\b/,
    files: python,
    within: "file",
    calls: {
      "[.]query": queries,
      "[.]close": close,
      "[.]refund": refund,
      "[.]query_refund": queryRefund,
      "[.]trade_bill": "GET /v3/bill/tradebill",
      "[.]fundflow_bill": "GET /v3/bill/fundflowbill",
    },
  },
  {
    name: /\bwechatpy\b/,
    files: python,
    within: "file",
    calls: {
      "[.]order[.]create": "POST /pay/unifiedorder",
      "[.]order[.]query": "POST /pay/orderquery",
      "[.]order[.]close": "POST /pay/closeorder",
      "[.]refund[.]apply": "POST /secapi/pay/refund",
      "[.]refund[.]query": "POST /pay/refundquery",
      "[.]wxa[.]code_to_session": "GET /sns/jscode2session",
      "[.]wxa[.]get_wxa_code": "POST /wxa/getwxacode",
      "[.]wxa[.]get_wxa_code_unlimited": "POST /wxa/getwxacodeunlimit",
      "[.]wxa[.]send_subscribe_message": "POST /cgi-bin/message/subscribe/send",
      "[.]wxa[.]check_text_security": "POST /wxa/msg_sec_check",
    },
  },
  {
    name: /silenceper[/]wechat/,
    files: go,
    within: "file",
    calls: {
      "[.]Code2Session\\w*": "GET /sns/jscode2session",
      "[.]GetPhoneNumber\\w*": "POST /wxa/business/getuserphonenumber",
      "[.]GetWXACodeUnlimit": "POST /wxa/getwxacodeunlimit",
      "[.]GetWXACode": "POST /wxa/getwxacode",
      "[.]CreateWXAQRCode": "POST /cgi-bin/wxaapp/createwxaqrcode",
    },
  },
];

export const sdks: readonly Sdk[] = [
  ...officialModules,
  ...officialRefunds,
  wxJavaPay,
  wxJavaMiniProgram,
  ...scripts,
  ...others,
];
