/** Chinese translations of the schemas of faults and of notifications to send. */
export const faultTexts: Readonly<Record<string, string>> = {
  "Communication fails: version 2 returns an unsigned return_code FAIL, version 3 an unsigned HTTP 500.":
    "通信失败：v2 返回未签名的 return_code FAIL，v3 返回未签名的 HTTP 500。",
  "Calls that the fault hits. Default: all.": "命中哪些调用，默认全部。",
  "`before`: the platform has done nothing yet. `after`: the call succeeded, only its reply is wrong.":
    "`before`：尚未执行任何操作。`after`：调用已执行，只是应答有误。",
  "Value of return_msg.": "return_msg 的内容。",
  "Limits the fault to one order or one merchant. Default: no limit.": "把故障限定在一个订单或一个商户。默认不限。",
  "Merchant number.": "商户号。",
  "Order number.": "订单号。",
  "How many times it fires. Default: unlimited.": "触发次数，默认不限。",
  "Share of the matching calls or notifications that the fault hits.": "在匹配的调用或通知中命中的比例。",
  "Seed of the random choice. The same seed hits the same ones.": "随机选择的种子。种子相同，命中的也相同。",
  "Note for people who read the list of faults.": "备注，显示在故障列表中。",
  "The platform refuses the call: a signed result_code FAIL with an err_code, or version 3's code and HTTP status.":
    "调用被拒绝：已签名的 result_code FAIL 及 err_code，或 v3 的错误码及其 HTTP 状态码。",
  "Error code of version 2.": "v2 的错误码。",
  "Value of err_code_des. Default: the platform's text.": "err_code_des 的内容，默认为平台的说明。",
  "Queries return result_code SUCCESS with a wrong trade_state.":
    "查询返回 result_code SUCCESS，但 trade_state 与订单实际状态不符。",
  "trade_state that queries return.": "查询返回的 trade_state。",
  "Number of queries per order that are wrong. Default: all.": "每个订单有多少次查询返回错误状态，默认全部。",
  "The first queries of an order return ORDERNOTEXIST.": "订单最初的几次查询返回 ORDERNOTEXIST。",
  "Number of queries per order.": "每个订单的查询次数。",
  "A payment by code asks for the buyer's password. Queries return USERPAYING until it ends.":
    "付款码支付要求买家输入密码，结束前查询返回 USERPAYING。",
  "Result of the payment. `never`: the buyer enters no password.": "付款结果。`never`：买家始终不输入密码。",
  "Number of queries that still return USERPAYING.": "仍返回 USERPAYING 的查询次数。",
  "Seconds between the payment request and its result.": "从发起支付到得出结果的秒数。",
  "The bank refuses a payment by code. Queries return PAYERROR.": "付款码支付被银行拒绝，查询返回 PAYERROR。",
  "`SUCCESS`: the buyer was charged anyway. Later queries return SUCCESS.":
    "`SUCCESS`：买家实际已扣款，之后的查询返回 SUCCESS。",
  "With SUCCESS: number of queries that return PAYERROR first.": "选择 SUCCESS 时，先有多少次查询返回 PAYERROR。",
  "The buyer pays while the merchant closes the order. The payment wins.": "商户关单的同时买家付款成功，以付款为准。",
  "Error code of the refused close.": "关单失败的错误码。",
  "An accepted refund ends with another status, or at another time, than the settings say.":
    "已受理的退款，结果或完成时间与设置不同。",
  "Final status. `PROCESSING`: the refund never ends. Version 2 returns CHANGE for ABNORMAL and REFUNDCLOSE for CLOSED.":
    "最终状态。`PROCESSING`：退款一直不结束。v2 中 ABNORMAL 返回 CHANGE，CLOSED 返回 REFUNDCLOSE。",
  "Time from acceptance to the end. The time scale does not apply.": "从受理到结束的时间，不受 timeScale 影响。",
  "The platform accepts the request and never replies.": "平台收下请求，但一直不应答。",
  "The reply is slow.": "应答很慢。",
  "Delay in milliseconds.": "延迟，单位毫秒。",
  "`before`: waits, then carries out the call. `after`: carries out the call, then waits.":
    "`before`：先等待，再执行调用。`after`：先执行调用，再等待。",
  "The connection is reset instead of a reply.": "不应答，直接重置连接。",
  "A gateway returns an HTTP error without a signature.": "网关返回未签名的 HTTP 错误。",
  "HTTP status.": "HTTP 状态码。",
  "The call succeeds, and its reply breaks off halfway.": "调用成功，但应答中途断开。",
  "The call succeeds, and the reply's signature is invalid.": "调用成功，但应答的签名无效。",
  "`changed_sign`: one character of the signature is changed. `changed_body`: trade_state becomes SUCCESS, otherwise one character is changed. `missing`: no sign, no Wechatpay headers. Only version 3 (version 2 uses `changed_sign`): `signtest` (WECHATPAY/SIGNTEST/…) and `unknown_serial`.":
    "`changed_sign`：改动签名的一个字符。`changed_body`：把 trade_state 改为 SUCCESS，没有时改动一个字符。`missing`：没有 sign 和 Wechatpay 头。`signtest`（WECHATPAY/SIGNTEST/…）和 `unknown_serial` 仅用于 v3，v2 按 `changed_sign` 处理。",
  "The signature is forged or missing, or the encrypted part was tampered with.":
    "签名是伪造的，或缺少签名，或加密内容被篡改。",
  "Notifications that the fault hits. Default: payments and refunds.": "命中哪类通知，默认包括支付和退款通知。",
  "`changed_field`: the signature of other values. `other_type`: a type that the order does not use. The last six need version 3 (timestamps are 6 minutes off). In version 2 they change the signature, or req_info of a refund.":
    "`changed_field`：签名对应的是其他值。`other_type`：使用订单没有采用的签名类型。后六种用于 v3（时间戳相差 6 分钟）；v2 改为改动签名，退款通知没有签名，改动 req_info。",
  "The notification arrives several times.": "通知重复到达。",
  "Number of copies.": "份数。",
  "Sends all copies at the same time.": "同时发送所有份。",
  "Pause between copies, in milliseconds.": "每份之间的间隔，单位毫秒。",
  "The signature is valid, but one id belongs to another party.": "签名有效，但其中一个编号是别人的。",
  "Field with the wrong id.": "编号错误的字段。",
  "Id to send instead. Default: an id that does not exist.": "改用的编号，默认是一个不存在的编号。",
  "The body is broken or has unexpected content.": "通知内容损坏，或含有意料之外的内容。",
  "`no_markup`: neither XML nor JSON. `doctype`: with a document type and an entity (version 3: XML instead of JSON). `huge`: 10 MB. `extra_fields`: signed unknown fields, which the receiver must accept. `sign_type` (payments of version 2): adds or removes that field; the receiver must accept both.":
    "`no_markup`：不是 XML，也不是 JSON。`doctype`：带文档类型和实体（v3 用 XML 代替 JSON）。`huge`：10 MB。`extra_fields`：含已签名的未知字段，接收端必须接受。`sign_type`（v2 支付通知）：没有该字段就加上，有就去掉，接收端两种都必须接受。",
  "The notification reports a communication failure, unsigned. It says nothing about an order.":
    "通知报告通信失败，没有签名，也不含订单信息。",
  "The notification is signed and reports result_code FAIL (version 3: trade_state PAYERROR), although the order is paid.":
    "通知签名有效，报告 result_code FAIL（v3：trade_state PAYERROR），但订单已支付。",
  "Value of err_code.": "err_code 的值。",
  "The amount differs from the order's: in notifications, in query replies, or in both.":
    "通知、查询应答或两者中的金额与订单不符。",
  "Messages with the wrong amount.": "哪些消息中的金额错误。",
  "Difference in fen.": "相差多少分。",
  "Currency to report instead.": "改用的币种。",
  "Version 3: the platform switches keys. The signature is valid, but made with another key than the merchant's mode names.":
    "v3：平台切换密钥。签名有效，但所用密钥与商户的模式不符。",
  "Messages signed by the other key. `about` selects among notifications.":
    "哪些消息由另一把密钥签名，`about` 用于选择通知。",
  "Key that signs: the newest certificate or the public key.": "用于签名的密钥：最新的平台证书，或微信支付公钥。",
  "Version 3: signed with this key of the platform, in any mode of the merchant.":
    "v3：不论商户是什么模式，都用平台的这把密钥签名。",
  "Right after an order is placed, a validly signed notification says that it is paid. It is not.":
    "刚下单就收到签名有效的支付成功通知，但订单实际未支付。",
  "Delay after the order was placed, in milliseconds.": "下单后的延迟，单位毫秒。",
  "Notifications arrive in the wrong order.": "通知到达的顺序不对。",
  "`refund_first`: the payment's notification arrives after the refund's. `older_after_newer`: the payment's notification arrives again after the refund's. `payment_after_close`: a payment's notification arrives after the unpaid order was closed.":
    "`refund_first`：退款通知先到，支付通知后到。`older_after_newer`：退款通知之后，支付通知再次到达。`payment_after_close`：未支付的订单关闭后，又收到支付通知。",
  "The notification is never sent.": "通知一直没有发出。",
  "The notification arrives late.": "通知延迟到达。",
  "Holds the notification until the merchant queries the order, or until the order expires.":
    "暂不发送通知，直到商户查单或订单过期。",
  "The platform refuses the call before it checks anything. A login code stays valid.":
    "平台不做任何检查就拒绝调用，登录码仍然有效。",
  "Value of errcode. -1: system busy. 45011: too many calls per minute. 40029: invalid code …":
    "errcode 的值。-1：系统繁忙。45011：每分钟调用次数过多。40029：登录码无效……",
  "A gateway returns an HTTP error.": "网关返回 HTTP 错误。",
  "The notification that matches the order's state: payment succeeded, or the refund's status.":
    "与订单状态一致的通知：支付成功，或退款的状态。",
  "A validly signed notification that the order is paid, in any state of the order.":
    "签名有效的支付成功通知，不论订单的实际状态。",
  "The amount differs from the order's.": "金额与订单不符。",
  "Methods that the fault hits. Default: all.": "命中哪些方法，默认全部。",
  "Path that the fault hits. `*` matches text without '/', `{name}` one segment, `**` at the end everything below.":
    "命中哪些路径。`*` 匹配不含“/”的文本，`{name}` 匹配一段，末尾的 `**` 匹配其下所有路径。",
  "Delay before the reply, in milliseconds.": "应答前的延迟，单位毫秒。",
  "Status to return instead of the real reply.": "返回的状态码，代替正常应答。",
  "Value of the reply's `Message`.": "应答中 `Message` 的值。",
  "Whole body of the reply as JSON, instead of `{Message, code}`.": "完整的应答体（JSON），代替 `{Message, code}`。",
  "Headers of the reply.": "应答头。",
  "Cuts the connection without a reply.": "不应答，直接断开连接。",
  "Share of the matching requests that the fault hits.": "命中的请求比例。",
  "Seed of the random choice. The same seed hits the same requests.": "随机选择的种子。种子相同，命中的请求也相同。",
  "forged signature": "伪造签名",
  "forged but validly shaped, order unpaid": "伪造但签名有效，订单未支付",
  duplicate: "重复",
  "out of order": "乱序",
  lost: "丢失",
  delayed: "延迟",
  "platform key switched": "平台密钥被切换",
  "wrong amount": "金额错误",
  foreign: "编号是别人的",
  malformed: "格式损坏",
  "result_code SUCCESS, trade_state not": "result_code 为 SUCCESS，trade_state 不是",
  "notification result_code FAIL, order paid": "通知 result_code FAIL，订单已支付",
  "ORDERNOTEXIST right after creation": "刚下单即 ORDERNOTEXIST",
  "close against pay": "关单时付款",
  "refund PROCESSING": "退款 PROCESSING",
  "time-outs": "超时与中断",
  "identity API": "身份接口",
};
