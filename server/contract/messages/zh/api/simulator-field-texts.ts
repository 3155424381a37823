/** Descriptions of the fields of the simulator's API in Chinese, by the English text without its default. */
export const simulatorFieldTextsZh: Readonly<Record<string, string>> = {
  "Serial number: 40 upper-case hex digits.": "序列号：40 位大写十六进制数字。",
  "Key in PEM form.": "PEM 格式的密钥。",
  "Path of the platform certificate on this machine.": "平台证书在本机上的路径。",
  "Id of the public key (PUB_KEY_ID_…). Absent in mode `certificate`.":
    "公钥 ID（PUB_KEY_ID_…）。`certificate` 模式下不返回。",
  "Key that signs replies and notifications. `certificate`: the platform certificate. `switching`: the public key if the request's Wechatpay-Serial names it, otherwise the certificate. `public_key`: the public key; the platform serves no certificates.":
    "对应答和回调通知签名的密钥。`certificate`：平台证书。`switching`：请求的 Wechatpay-Serial 为公钥 ID 时用公钥，否则用平台证书。`public_key`：微信支付公钥，此时平台不提供证书。",
  "In mode `switching`: percentage of notifications that the public key signs.":
    "`switching` 模式下，由公钥签名的回调通知所占的百分比。",
  "Wechatpay-Serial of replies to requests without one.": "请求未带 Wechatpay-Serial 时，应答中的 Wechatpay-Serial。",
  "Newest certificate and the one before it, newest first.": "最新的证书和上一张证书，最新的在前。",
  "Merchants, the built-in one first.": "商户，内置商户在前。",
  "Permitted refund operations. Others get NOAUTH.": "允许的退款操作，其他退款返回 NOAUTH。",
  "RSA certificate of the merchant, as PEM. The simulator's is at /sim/credentials?mch_id=…":
    "商户的 RSA 证书（PEM）。模拟器内置商户的证书见 /sim/credentials?mch_id=…",
  "Funds for refunds. null: unlimited.": "可用于退款的余额。null 表示不限。",
  "Key mode. Default: unchanged; new merchants use the certificate.": "密钥模式。默认不变；新商户使用平台证书。",
  "Version of the order and of its notifications.": "此订单及其回调通知使用的接口版本。",
  "Address of the payment page of a NATIVE or MWEB order.": "NATIVE 或 MWEB 订单的支付页地址。",
  "Newest first.": "最新的在前。",
  "Newest first unless sorted.": "未指定排序时，最新的在前。",
  "`before` of the next page. Absent on the last page and in a sorted list.":
    "用于获取下一页的 `before`。最后一页和指定排序时不返回。",
  "Service provider to which the sub-merchant is bound.": "特约商户绑定的服务商。",
  "Sub-merchant for which the service provider mch_id placed the order.": "特约商户：服务商 mch_id 代它下单。",
  "Latest failed attempts, oldest first.": "最近的失败尝试，最早的在前。",
  "HTTP status. 0: the caller got no answer.": "HTTP 状态码。0 表示调用方没有收到应答。",
  "Latest calls, oldest first.": "最近的调用，最早的在前。",
  "When the notification is sent again. Absent during a delivery and at the end.":
    "下一次重发的时间。发送期间和全部结束后不返回。",
  "Whether a fault delays the delivery.": "是否被故障推迟发送。",
  "Number of the delivery, from 1.": "第几次发送，从 1 开始。",
  "Reply of the receiver. Absent without one.": "接收端的应答。没有应答时不返回。",
  "Reason for a missing reply.": "没有应答的原因。",
  "Whether the receiver accepted the notification without querying the order since its payment.":
    "接收端是否在支付后没有查单就接受了通知。",
  "Oldest first.": "最早的在前。",
  "openid of the buyer, if the order has none.": "付款人的 openid，仅用于未指定 openid 的订单。",
  "Part of the amount that coupons pay. The buyer pays the rest (payer_total, cash_fee).":
    "由代金券支付的部分。其余部分由买家支付（payer_total、cash_fee）。",
  "Result: requestPayment:ok, requestPayment:fail cancel, or requestPayment:fail with the reason.":
    "结果：requestPayment:ok、requestPayment:fail cancel，或 requestPayment:fail 加原因。",
  "Payment code: 18 digits, valid once.": "付款码：18 位数字，只能使用一次。",
  "Calls that the fault hits. Default: all.": "故障命中的调用。默认为全部。",
  "`before`: the platform has done nothing yet. `after`: the call succeeded, only its reply is wrong.":
    "`before`：平台尚未执行任何操作。`after`：调用已成功，只是应答有误。",
  "Value of return_msg.": "return_msg 的值。",
  "Limits the fault to one order or one merchant. Default: no limit.": "只对一个订单或一个商户生效。默认不限。",
  "Merchant number.": "商户号。",
  "Order number.": "订单号。",
  "Share of the matching calls or notifications that the fault hits.": "命中的调用或通知在匹配项中所占的比例。",
  "Seed of the random choice. The same seed hits the same ones.": "随机选择的种子。种子相同，命中的调用或通知也相同。",
  "Note for people who read the list of faults.": "备注，显示在故障列表中。",
  "Number of times that the fault has fired.": "故障已触发的次数。",
  "Error code of version 2.": "V2 的错误码。",
  "Value of err_code_des. Default: the platform's text.": "err_code_des 的值。默认为平台的文本。",
  "trade_state that queries return.": "查单返回的 trade_state。",
  "Number of queries per order that are wrong. Default: all.": "每个订单返回错误结果的查询次数。默认为全部。",
  "Number of queries per order.": "每个订单的查询次数。",
  "Result of the payment. `never`: the buyer enters no password.": "支付结果。`never`：买家始终没有输入密码。",
  "Number of queries that still return USERPAYING.": "仍然返回 USERPAYING 的查询次数。",
  "Seconds between the payment request and its result.": "从发起支付到出结果的秒数。",
  "`SUCCESS`: the buyer was charged anyway. Later queries return SUCCESS.":
    "`SUCCESS`：买家实际已扣款，之后的查询返回 SUCCESS。",
  "With SUCCESS: number of queries that return PAYERROR first.": "结果为 SUCCESS 时，先返回 PAYERROR 的查询次数。",
  "Error code of the refused close.": "关单被拒绝的错误码。",
  "Final status. `PROCESSING`: the refund never ends. Version 2 returns CHANGE for ABNORMAL and REFUNDCLOSE for CLOSED.":
    "最终状态。`PROCESSING`：退款一直不结束。V2 中 ABNORMAL 返回 CHANGE，CLOSED 返回 REFUNDCLOSE。",
  "Time from acceptance to the end. The time scale does not apply.": "从受理到结束的时间。不受时间倍率影响。",
  "Delay in milliseconds.": "延迟的毫秒数。",
  "`before`: waits, then carries out the call. `after`: carries out the call, then waits.":
    "`before`：先等待，再执行调用。`after`：先执行调用，再等待。",
  "HTTP status.": "HTTP 状态码。",
  "`changed_sign`: one character of the signature is changed. `changed_body`: trade_state becomes SUCCESS, otherwise one character is changed. `missing`: no sign, no Wechatpay headers. Only version 3 (version 2 uses `changed_sign`): `signtest` (WECHATPAY/SIGNTEST/…) and `unknown_serial`.":
    "`changed_sign`：改动签名中的一个字符。`changed_body`：trade_state 改为 SUCCESS，没有该字段时改动一个字符。`missing`：没有 sign，也没有 Wechatpay 头。仅 V3 支持（V2 按 `changed_sign` 处理）：`signtest`（WECHATPAY/SIGNTEST/…）和 `unknown_serial`。",
  "Notifications that the fault hits. Default: payments and refunds.": "故障命中的通知。默认为支付通知和退款通知。",
  "`changed_field`: the signature of other values. `other_type`: a type that the order does not use. The last six need version 3 (timestamps are 6 minutes off). In version 2 they change the signature, or req_info of a refund.":
    "`changed_field`：签名对应的是其他值。`other_type`：订单没有使用的签名类型。最后六种需要 V3（时间戳相差 6 分钟）；在 V2 中改为改动签名，退款通知则改动 req_info。",
  "Number of copies.": "发送的份数。",
  "Sends all copies at the same time.": "同时发送所有通知。",
  "Pause between copies, in milliseconds.": "两份通知的间隔，单位为毫秒。",
  "Field with the wrong id.": "值为错误 id 的字段。",
  "Id to send instead. Default: an id that does not exist.": "代替的 id。默认为不存在的 id。",
  "`no_markup`: neither XML nor JSON. `doctype`: with a document type and an entity (version 3: XML instead of JSON). `huge`: 10 MB. `extra_fields`: signed unknown fields, which the receiver must accept. `sign_type` (payments of version 2): adds or removes that field; the receiver must accept both.":
    "`no_markup`：既不是 XML 也不是 JSON。`doctype`：带文档类型声明和实体（V3：用 XML 代替 JSON）。`huge`：10 MB。`extra_fields`：已签名的未知字段，接收端必须接受。`sign_type`（V2 支付通知）：添加或去掉该字段，接收端都必须接受。",
  "Value of err_code.": "err_code 的值。",
  "Messages with the wrong amount.": "金额错误的消息。",
  "Difference in fen.": "相差的分数。",
  "Currency to report instead.": "代替的币种。",
  "Messages signed by the other key. `about` selects among notifications.":
    "由另一把密钥签名的消息。其中的通知由 `about` 选定。",
  "Key that signs: the newest certificate or the public key.": "用于签名的密钥：最新的平台证书或公钥。",
  "Delay after the order was placed, in milliseconds.": "下单之后的延迟，单位为毫秒。",
  "`refund_first`: the payment's notification arrives after the refund's. `older_after_newer`: the payment's notification arrives again after the refund's. `payment_after_close`: a payment's notification arrives after the unpaid order was closed.":
    "`refund_first`：先收到退款通知，后收到支付通知。`older_after_newer`：收到退款通知之后又收到支付通知。`payment_after_close`：未支付的订单已关单，之后收到支付通知。",
  "Holds the notification until the merchant queries the order, or until the order expires.":
    "等到商户查单或订单过期才发送通知。",
  "Value of errcode. -1: system busy. 45011: too many calls per minute. 40029: invalid code …":
    "errcode 的值。-1：系统繁忙。45011：每分钟调用过多。40029：code 无效。",
  // Profit sharing, shipping, complaints and messages
  "Address of your server.": "你的服务器的地址。",
  "Address with the query that the platform signed.": "地址，带有平台签名的查询参数。",
  "Amount that the buyer wants back, in fen.": "买家要求退款的金额，单位为分。",
  "Buyer's description of what has happened.": "买家对经过的描述。",
  "Buyer's phone number, which the merchant gets encrypted.": "买家的手机号，加密后提供给商户。",
  "Address for notifications that a contract ended. Default: that of its signing.":
    "解约通知的地址。默认：签约通知的地址。",
  "Days until a signed contract ends.": "签约后协议的有效天数。",
  "Deductions: at once, after 24 hours, or on days after the user was told.":
    "扣款方式：即时、24 小时后，或在预扣费通知之后的可扣费期内。",
  "Page on which the user signs, refuses or ends the contract.": "用户签约、拒绝或解约的页面。",
  "Result of the next deduction. Absent: it succeeds.": "下一次扣款的结果。没有此字段时扣款成功。",
  "Start of the days on which the announced deduction is allowed.": "可扣费期的开始时间。",
  "The user, once known.": "用户，签约前可能未知。",
  "Person who signs, if the merchant named nobody.": "签约的用户，仅在商户未指定用户时有效。",
  "null: it succeeds.": "null 表示扣款成功。",
  "Decrypted.": "解密后的内容。",
  "EncodingAESKey, which encrypts messages in safe mode.": "EncodingAESKey，在安全模式下用于加密消息。",
  "Fen that came back.": "已回退的金额，单位为分。",
  "HTTP status of the reply. 0: no reply.": "应答的 HTTP 状态码。0 表示没有应答。",
  "Largest part of an order that others get, in ten thousandths.": "一个订单最多可分给他人的比例，单位为万分之一。",
  "Message before encryption.": "加密前的消息。",
  "Number of the platform.": "平台侧的单号。",
  "Page that messages about shipping open. Empty: none.": "点击发货消息后打开的页面。空表示不打开。",
  "Passed to wx.requestMerchantTransfer.": "传给 wx.requestMerchantTransfer 的参数。",
  "Platform's number of the state: 1 to ship, 2 shipped, 3 received, 4 completed, 5 refunded.":
    "平台的状态值：1 待发货、2 已发货、3 已收货、4 已完成、5 已退款。",
  "Short description of the problem.": "问题的简短描述。",
  "The platform reminds the app to upload shipping information.": "平台提醒小程序上传发货信息。",
  "Token with which the platform signs.": "平台签名所用的 Token。",
  "Value of FromUserName.": "FromUserName 的值。",
  "Where the merchant is notified of parts that it gets and returns.": "商户接收分账和分账回退通知的地址。",
  "Whether the app has confirmed the settlement rules.": "小程序是否已确认结算规则。",
  "Whether the app has reminded the buyer to confirm the receipt.": "小程序是否已提醒买家确认收货。",
  "Whether the merchant cannot yet use the money.": "资金是否仍被冻结，商户暂时不能使用。",
  "Whether the platform freezes payments until the goods are shipped and received.":
    "发货并确认收货之前，平台是否冻结资金。",
  "Why the receiver has not accepted the latest delivery.": "接收端没有接受最近一次发送的原因。",
  "Why the receiver has not accepted the message.": "接收端没有接受消息的原因。",
  "`plain`: messages as they are. `safe`: encrypted messages.": "`plain`：明文模式。`safe`：安全模式，消息加密。",
};
