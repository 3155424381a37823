/** Chinese translations of the schemas of faults and of notifications to send. */
export const faultTexts: Readonly<Record<string, string>> = {
  "Communication fails: version 2 returns an unsigned return_code FAIL, version 3 an unsigned HTTP 500.":
    "通信失败：v2 返回未签名的 return_code FAIL，v3 返回未签名的 HTTP 500。",
  "Calls that it hits. Default: all.": "针对哪些调用，默认全部。",
  "`before`: the platform has done nothing yet. `after`: the call succeeded, only its reply is wrong.":
    "`before`：尚未执行任何操作。`after`：调用已执行，只是应答有误。",
  "The return_msg.": "return_msg 的内容。",
  "Limits the fault to one order or one merchant. Default: no limit.": "针对某一订单、某一商户，或全部。",
  "Merchant number.": "仅此商户。",
  "Order number.": "仅此订单。",
  "How many times it fires. Default: unlimited.": "命中这么多次后停止，默认一直有效。",
  "Share of the matching calls or notifications that it hits.": "在所有时机中命中的比例。",
  "Seed of the choice where not all are hit. The same seed hits the same ones.":
    "并非每次都命中时决定命中哪些：相同的种子命中相同的时机。",
  "Note for people who read the list of faults.": "为何添加，供查看列表的人参考。",
  "The platform refuses the call: a signed result_code FAIL with an err_code, or version 3's code and HTTP status.":
    "调用被拒绝：已签名的 result_code FAIL 及 err_code，或 v3 的错误码及其 HTTP 状态码。",
  "Error code of version 2.": "使用 v2 的错误码。",
  "Value of err_code_des. Default: the platform's text.": "err_code_des，默认用自带的文字。",
  "Queries return result_code SUCCESS with a wrong trade_state.":
    "查询返回 result_code SUCCESS，但 trade_state 与订单实际状态不符。",
  "trade_state that queries return.": "查询返回的状态。",
  "Number of queries per order that are wrong. Default: all.": "仅每个订单的前几次查询。",
  "The first queries of an order return ORDERNOTEXIST.": "订单最初的几次查询返回 ORDERNOTEXIST，如同刚下单时。",
  "Number of queries per order.": "每个订单的次数。",
  "A payment by code asks for the buyer's password. Queries return USERPAYING until it ends.":
    "付款码支付要求买家输入密码，结束前一直是 USERPAYING。",
  "Result of the payment. `never`: the buyer enters no password.": "最终结果。`never`：买家始终不输入密码。",
  "Number of queries that still return USERPAYING.": "仍返回 USERPAYING 的查询次数。",
  "Seconds between the payment request and its result.": "从发起支付起的时长。",
  "The bank refuses a payment by code. Queries return PAYERROR.": "付款码支付被银行拒绝，查询返回 PAYERROR。",
  "`SUCCESS`: the buyer was charged anyway. Later queries return SUCCESS.":
    "`SUCCESS`：实际已扣款，之后的查询会反映出来。",
  "With SUCCESS: number of queries that return PAYERROR first.": "为 SUCCESS 时：此前返回 PAYERROR 的查询次数。",
  "The buyer pays while the merchant closes the order. The payment wins.": "关闭订单的同时买家支付成功，以支付为准。",
  "Error code of the refused close.": "关闭请求如何被拒绝。",
  "An accepted refund ends with another status, or at another time, than the settings say.":
    "已受理的退款以与设置不同的结果或时间结束。",
  "Final status. `PROCESSING`: the refund never ends. Version 2 returns CHANGE for ABNORMAL and REFUNDCLOSE for CLOSED.":
    "`PROCESSING`：永不结束。v2 以 CHANGE 表示 ABNORMAL，以 REFUNDCLOSE 表示 CLOSED。",
  "Time from acceptance to the end. The time scale does not apply.": "受理之后的时长，不受 timeScale 影响。",
  "The platform accepts the request and never replies.": "接受请求但从不应答。",
  "The reply is slow.": "应答很慢。",
  "Delay in milliseconds.": "时长。",
  "`before`: waits, then carries out the call. `after`: carries out the call, then waits.":
    "`before`：先等待再执行。`after`：先执行再等待。",
  "The connection is reset instead of a reply.": "以重置连接代替应答。",
  "A gateway returns an HTTP error without a signature.": "由中间服务器应答：未签名的 HTTP 错误。",
  "The HTTP status.": "HTTP 状态码。",
  "The call succeeds, and its reply breaks off halfway.": "调用已执行，但应答中途断开。",
  "The call succeeds, and the reply's signature is invalid.": "调用已执行，但应答的签名无效。",
  "`changed_sign`: one character of the signature is changed. `changed_body`: trade_state becomes SUCCESS, otherwise one character is changed. `missing`: no sign, no Wechatpay headers. Only version 3 (version 2 uses `changed_sign`): `signtest` (WECHATPAY/SIGNTEST/…) and `unknown_serial`.":
    "`changed_sign`：改动签名的一个字符。`changed_body`：把非 SUCCESS 的 trade_state 改为 SUCCESS，否则改动一个字符。`missing`：没有 sign，也没有 Wechatpay 头。仅 v3，否则同 `changed_sign`：`signtest`（WECHATPAY/SIGNTEST/…）和 `unknown_serial`。",
  "The signature is forged or missing, or the encrypted part was tampered with.":
    "签名是伪造的或缺失，或加密内容被篡改。",
  "Notifications that it hits. Default: payments and refunds.": "针对哪类通知，默认支付和退款通知都包括。",
  "`changed_field`: the right signature of other values. `other_type`: of a type that the order does not use. The last six are of version 3 (timestamps are 6 minutes off); version 2 has a changed signature in their place, and in a refund, which has none, a changed req_info.":
    "`changed_field`：签名正确但对应其他值。`other_type`：用订单未采用的签名类型。后六种属于 v3（时间戳相差 6 分钟）；v2 以改动的签名代替，退款通知没有签名，则改动 req_info。",
  "The notification arrives several times.": "通知重复到达。",
  "Number of copies.": "总份数。",
  "Sends all copies at the same time.": "全部同时发送，而非依次发送。",
  "Pause between copies, in milliseconds.": "依次发送时的间隔。",
  "The signature is valid, but one id belongs to somebody else.": "签名正确，但其中一个编号属于别人。",
  "Field with the wrong id.": "哪个编号。",
  "Id to send instead. Default: an id that does not exist.": "替换成的编号，默认是不存在的编号。",
  "The body is broken or has unexpected content.": "正文损坏，或含有意料之外的内容。",
  "`no_markup`: neither XML nor JSON. `doctype`: with a document type and an entity (version 3: XML in place of JSON). `huge`: 10 MB. `extra_fields`: unknown ones, signed with the others; the receiver must take it. `sign_type`: version 2, a payment: with that field where it is missing otherwise, and without it where it is not; the receiver must take both.":
    "`no_markup`：既非 XML 也非 JSON。`doctype`：带文档类型和实体（v3：以 XML 代替 JSON）。`huge`：10 MB。`extra_fields`：含未知字段且一并签名，接收端必须接受。`sign_type`：v2 支付通知，原本没有该字段则加上，原本有则去掉，接收端两者都必须接受。",
  "The notification reports a communication failure, unsigned. It says nothing about an order.":
    "通知通信失败，未签名，不含任何订单消息。",
  "The notification is signed and reports result_code FAIL (version 3: trade_state PAYERROR), although the order is paid.":
    "已签名且声称 result_code FAIL（v3：trade_state PAYERROR），但订单已支付。",
  "The err_code.": "err_code 的值。",
  "The amount differs from the order's: in notifications, in query replies, or in both.":
    "通知、查询应答或两者中的金额与订单不符。",
  "Messages with the wrong amount.": "哪里出现错误金额。",
  "Difference in fen.": "相差多少分。",
  "Currency to report instead.": "其他币种。",
  "Version 3: the platform switches keys. The signature is valid, but made with another key than the merchant's mode names.":
    "v3：平台密钥突然被切换。签名正确，但所用密钥与商户的模式不同。",
  "Messages signed by the other key. `about` selects among notifications.":
    "哪些消息由另一把密钥签名，`about` 用于选择通知。",
  "Key that signs: the newest certificate or the public key.": "用于签名的密钥：最新的平台证书，或微信支付公钥。",
  "Version 3: signed with this key of the platform, whatever the merchant's mode.":
    "v3：无论商户是何模式，都由平台的这把密钥正确签名。",
  "Right after an order is placed, a validly signed notification says that it is paid. It is not.":
    "刚下单就收到签名正确的支付成功通知，而实际未支付。",
  "Delay after the order was placed, in milliseconds.": "下单之后的时长。",
  "Notifications arrive in the wrong order.": "通知的顺序与事情发生的顺序不同。",
  "`refund_first`: the payment's notification arrives after the refund's. `older_after_newer`: the payment's arrives once more after it. `payment_after_close`: a payment's arrives after the unpaid order was closed.":
    "`refund_first`：支付通知晚于退款通知。`older_after_newer`：支付通知在其后再次到达。`payment_after_close`：订单未支付即关闭后仍收到支付通知。",
  "The notification is never sent.": "通知从未发送。",
  "The notification arrives late.": "通知延迟到达。",
  "Holds the notification until the merchant queries the order, or until the order expires.":
    "直到商户自行查询订单，或直到订单过期。",
  "The platform refuses the call before it checks anything. A login code stays valid.":
    "在检查任何内容之前就拒绝调用，登录 code 不会被消耗。",
  "-1: system busy. 45011: too many calls a minute. 40029: invalid code …":
    "-1：系统繁忙。45011：每分钟调用过多。40029：code 无效……",
  "A gateway returns an HTTP error.": "由中间服务器返回 HTTP 错误。",
  "The notification that matches the order's state: payment succeeded, or the refund's status.":
    "按订单现状应发送的通知：已支付的通知支付成功，退款则通知其状态。",
  "A validly signed notification that the order is paid, whatever its state.":
    "无论实际状态如何，签名正确地声称订单已支付。",
  "The amount differs from the order's.": "金额与订单不符。",
  "Methods that it hits. Default: all.": "针对哪些方法，默认全部。",
  "Paths that it hits. `*` matches text without '/', `{name}` one segment, `**` at the end everything below.":
    "针对哪些路径；`*` 表示不含“/”的文本，`{name}` 表示一段，末尾的 `**` 表示其下全部。",
  "Delay before the reply, in milliseconds.": "先等待多久。",
  "Status to return instead of the real reply.": "以此状态码代替正常应答。",
  "Value of the reply's `Message`.": "应答中的 `Message`。",
  "Whole body of the reply as JSON, instead of `{Message, code}`.": "应答的完整正文（JSON），代替 `{Message, code}`。",
  "Headers of the reply.": "应答头。",
  "Cuts the connection without a reply.": "不应答，直接断开连接。",
  "Share of the matching requests that it hits.": "命中的请求比例。",
  "Seed of the choice where not all requests are hit. The same seed hits the same ones.":
    "并非全部命中时决定命中哪些：相同的种子命中相同的请求。",
  "How many times it fires.": "命中这么多次后停止。",
  "forged signature": "伪造签名",
  "forged but validly shaped, order unpaid": "伪造但格式有效，订单未支付",
  duplicate: "重复",
  "out of order": "乱序",
  lost: "丢失",
  delayed: "延迟",
  "platform key switched": "平台密钥被切换",
  "wrong amount": "金额错误",
  foreign: "属于他人",
  malformed: "格式损坏",
  "result_code SUCCESS, trade_state not": "result_code 为 SUCCESS，trade_state 不是",
  "notification result_code FAIL, order paid": "通知 result_code FAIL，订单已支付",
  "ORDERNOTEXIST right after creation": "刚下单即 ORDERNOTEXIST",
  "close against pay": "关闭与支付竞争",
  "refund PROCESSING": "退款 PROCESSING",
  "time-outs": "超时与中断",
  "identity API": "身份接口",
};
