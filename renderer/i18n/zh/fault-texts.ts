/** Chinese translations of the schemas of faults and of notifications to send. */
export const faultTexts: Readonly<Record<string, string>> = {
  "Communication fails: version 2 answers an unsigned return_code FAIL, version 3 an unsigned HTTP 500.":
    "通信失败：v2 返回未签名的 return_code FAIL，v3 返回未签名的 HTTP 500。",
  "The calls that it is for; all unless given.": "针对哪些调用，默认全部。",
  "`before`: nothing has been done. `after`: the call has been carried out, only its answer is wrong.":
    "`before`：尚未执行任何操作。`after`：调用已执行，只是应答有误。",
  "The return_msg.": "return_msg 的内容。",
  "What it is for: one order, one merchant, or everything.": "针对某一订单、某一商户，或全部。",
  "Only this merchant's.": "仅此商户。",
  "Only this order's.": "仅此订单。",
  "It hits so often and then no more; always unless given.": "命中这么多次后停止，默认一直有效。",
  "The share of its occasions at which it hits.": "在所有时机中命中的比例。",
  "Which of its occasions, if not all: the same seed hits the same ones.":
    "并非每次都命中时决定命中哪些：相同的种子命中相同的时机。",
  "Why it is there, for whoever reads the list.": "为何添加，供查看列表的人参考。",
  "The call is refused: a signed result_code FAIL with an err_code, or version 3's code with its HTTP status.":
    "调用被拒绝：已签名的 result_code FAIL 及 err_code，或 v3 的错误码及其 HTTP 状态码。",
  "In the words of version 2.": "使用 v2 的错误码。",
  "The err_code_des; a text of its own unless given.": "err_code_des，默认用自带的文字。",
  "Queries answer result_code SUCCESS and a trade_state that is not the order's.":
    "查询返回 result_code SUCCESS，但 trade_state 与订单实际状态不符。",
  "What queries say.": "查询返回的状态。",
  "Only the first so many queries of each order.": "仅每个订单的前几次查询。",
  "The first queries of an order answer ORDERNOTEXIST, as right after it was placed.":
    "订单最初的几次查询返回 ORDERNOTEXIST，如同刚下单时。",
  "So many of each order.": "每个订单的次数。",
  "A payment by code asks for the buyer's password: USERPAYING until it ends.":
    "付款码支付要求买家输入密码，结束前一直是 USERPAYING。",
  "What becomes of it. `never`: the buyer types no password.": "最终结果。`never`：买家始终不输入密码。",
  "So many queries still say USERPAYING.": "仍返回 USERPAYING 的查询次数。",
  "So long after the payment was asked for.": "从发起支付起的时长。",
  "A payment by code fails at the bank: queries say PAYERROR.": "付款码支付被银行拒绝，查询返回 PAYERROR。",
  "`SUCCESS`: the money was taken all the same, and queries say so later.":
    "`SUCCESS`：实际已扣款，之后的查询会反映出来。",
  "With SUCCESS: so many queries say PAYERROR before.": "为 SUCCESS 时：此前返回 PAYERROR 的查询次数。",
  "The buyer's payment arrives while the order is being closed, and wins.": "关闭订单的同时买家支付成功，以支付为准。",
  "How the close is refused.": "关闭请求如何被拒绝。",
  "An accepted refund ends otherwise, or at another time, than the settings say.":
    "已受理的退款以与设置不同的结果或时间结束。",
  "`PROCESSING`: it never ends. Version 2 says CHANGE for ABNORMAL, REFUNDCLOSE for CLOSED.":
    "`PROCESSING`：永不结束。v2 以 CHANGE 表示 ABNORMAL，以 REFUNDCLOSE 表示 CLOSED。",
  "After it was accepted; timeScale is not applied.": "受理之后的时长，不受 timeScale 影响。",
  "The request is accepted and never answered.": "接受请求但从不应答。",
  "The answer takes long.": "应答很慢。",
  "So long.": "时长。",
  "`before`: it waits, then carries the call out. `after`: the other way round.":
    "`before`：先等待再执行。`after`：先执行再等待。",
  "The connection is reset in place of an answer.": "以重置连接代替应答。",
  "A server in between answers: an HTTP error without a signature.": "由中间服务器应答：未签名的 HTTP 错误。",
  "The HTTP status.": "HTTP 状态码。",
  "The call is carried out, and its answer breaks off half-way.": "调用已执行，但应答中途断开。",
  "The call is carried out, and the answer's signature is none.": "调用已执行，但应答的签名无效。",
  "`changed_sign`: one character is another. `changed_body`: the trade_state is SUCCESS where it was not, else one character is another. `missing`: no sign, no Wechatpay headers. Version 3 only, else as `changed_sign`: `signtest` (WECHATPAY/SIGNTEST/…) and `unknown_serial`.":
    "`changed_sign`：改动签名的一个字符。`changed_body`：把非 SUCCESS 的 trade_state 改为 SUCCESS，否则改动一个字符。`missing`：没有 sign，也没有 Wechatpay 头。仅 v3，否则同 `changed_sign`：`signtest`（WECHATPAY/SIGNTEST/…）和 `unknown_serial`。",
  "The signature is forged or missing, or what was encrypted has been tampered with.":
    "签名是伪造的或缺失，或加密内容被篡改。",
  "The notifications that it is for; those of payments and of refunds unless given.":
    "针对哪类通知，默认支付和退款通知都包括。",
  "`changed_field`: the right signature of other values. `other_type`: of a type that the order does not use. The last six are of version 3 (timestamps are 6 minutes off); version 2 has a changed signature in their place, and in a refund, which has none, a changed req_info.":
    "`changed_field`：签名正确但对应其他值。`other_type`：用订单未采用的签名类型。后六种属于 v3（时间戳相差 6 分钟）；v2 以改动的签名代替，退款通知没有签名，则改动 req_info。",
  "The notification comes several times.": "通知重复到达。",
  "How many in all.": "总份数。",
  "All at the same time, not one after another.": "全部同时发送，而非依次发送。",
  "One after another: so long between them.": "依次发送时的间隔。",
  "It is signed rightly, and one of its ids is somebody else's.": "签名正确，但其中一个编号属于别人。",
  "Which id.": "哪个编号。",
  "The id in its place; one that nobody has unless given.": "替换成的编号，默认是不存在的编号。",
  "The body is broken, or holds what nobody expects.": "正文损坏，或含有意料之外的内容。",
  "`no_markup`: neither XML nor JSON. `doctype`: with a document type and an entity (version 3: XML in place of JSON). `huge`: 10 MB. `extra_fields`: unknown ones, signed with the others; the receiver must take it. `sign_type`: version 2, a payment: with that field where it is missing otherwise, and without it where it is not; the receiver must take both.":
    "`no_markup`：既非 XML 也非 JSON。`doctype`：带文档类型和实体（v3：以 XML 代替 JSON）。`huge`：10 MB。`extra_fields`：含未知字段且一并签名，接收端必须接受。`sign_type`：v2 支付通知，原本没有该字段则加上，原本有则去掉，接收端两者都必须接受。",
  "It tells of a failed communication, unsigned; it is no news of an order.":
    "通知通信失败，未签名，不含任何订单消息。",
  "It is signed and says result_code FAIL (version 3: trade_state PAYERROR), though the order is paid.":
    "已签名且声称 result_code FAIL（v3：trade_state PAYERROR），但订单已支付。",
  "The err_code.": "err_code 的值。",
  "The amount is not that of the order: in notifications, in the answers of queries, or in both.":
    "通知、查询应答或两者中的金额与订单不符。",
  "What tells the wrong amount.": "哪里出现错误金额。",
  "Fen that it is off by.": "相差多少分。",
  "Another currency.": "其他币种。",
  "Version 3: the platform's key is switched under you. Another key than the merchant's mode says signs, rightly.":
    "v3：平台密钥突然被切换。签名正确，但所用密钥与商户的模式不同。",
  "The messages that the other key signs. `about` selects among notifications.":
    "哪些消息由另一把密钥签名，`about` 用于选择通知。",
  "The key that signs: the newest certificate, or the public key.": "用于签名的密钥：最新的平台证书，或微信支付公钥。",
  "Version 3: signed rightly by this key of the platform, whatever the merchant's mode.":
    "v3：无论商户是何模式，都由平台的这把密钥正确签名。",
  "As soon as an order has been placed, a rightly signed notification says that it is paid. It is not.":
    "刚下单就收到签名正确的支付成功通知，而实际未支付。",
  "So long after it was placed.": "下单之后的时长。",
  "Notifications come in another order than things happened.": "通知的顺序与事情发生的顺序不同。",
  "`refund_first`: the payment's comes after the refund's. `older_after_newer`: the payment's comes once more after it. `payment_after_close`: one of a payment comes when the order has been closed unpaid.":
    "`refund_first`：支付通知晚于退款通知。`older_after_newer`：支付通知在其后再次到达。`payment_after_close`：订单未支付即关闭后仍收到支付通知。",
  "The notification is never sent.": "通知从未发送。",
  "The notification comes late.": "通知延迟到达。",
  "Until the merchant has asked for the order by itself, or until the order's time is over.":
    "直到商户自行查询订单，或直到订单过期。",
  "The call is refused before anything is looked at; a login code is not used up.":
    "在检查任何内容之前就拒绝调用，登录 code 不会被消耗。",
  "-1: system busy. 45011: too many calls a minute. 40029: invalid code …":
    "-1：系统繁忙。45011：每分钟调用过多。40029：code 无效……",
  "A server in between answers an HTTP error.": "由中间服务器返回 HTTP 错误。",
  "What would be sent of the order as it is: of a paid one that it is paid, of a refund how it stands.":
    "按订单现状应发送的通知：已支付的通知支付成功，退款则通知其状态。",
  "A rightly signed notification that the order is paid, whatever it is.":
    "无论实际状态如何，签名正确地声称订单已支付。",
  "The amount is not that of the order.": "金额与订单不符。",
  "Methods that it is for; all unless given.": "针对哪些方法，默认全部。",
  "Paths that it is for; `*` stands for text without '/', `{name}` for one segment, `**` at the end for everything below.":
    "针对哪些路径；`*` 表示不含“/”的文本，`{name}` 表示一段，末尾的 `**` 表示其下全部。",
  "Wait so long first.": "先等待多久。",
  "Answer this instead of what the request asks for.": "以此状态码代替正常应答。",
  "The answer's `Message`.": "应答中的 `Message`。",
  "The whole body of the answer, as JSON, instead of `{Message, code}`.":
    "应答的完整正文（JSON），代替 `{Message, code}`。",
  "Headers of the answer.": "应答头。",
  "Cut the connection without an answer.": "不应答，直接断开连接。",
  "The share of the requests that it hits.": "命中的请求比例。",
  "Which of them, if not all: the same seed hits the same ones.":
    "并非全部命中时决定命中哪些：相同的种子命中相同的请求。",
  "It hits so often and then no more.": "命中这么多次后停止。",
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
