/** Descriptions of the fields of the application server's API in Chinese, by the English text. */
export const fieldTextsZh: Readonly<Record<string, string>> = {
  // Uploads
  "The file.": "文件。",
  "A short category word, for example `project`.": "分类，一个短词，例如 `project`。",
  "False if there are more.": "还有更多时为 false。",
  "Category word from the client.": "客户端发送的分类。",
  "File name from the client.": "与客户端发送的一致。",
  "Media type of the file's content.": "由文件内容判断。",
  "Bytes.": "字节数。",
  "Unpacked size according to the archive, in bytes.": "解压后的字节数，取自压缩包的记录。",
  "Id of the upload. Present on success.": "上传文件的编号，成功时返回。",
  "Reason for the user. Present on failure.": "给用户看的失败原因，失败时返回。",
  // Login state
  "Login code from the client's login call. Required unless HTTP Basic is on and used.":
    "客户端登录接口返回的 code。除非启用并使用了 HTTP Basic，否则必填。",
  "Result from the callback. Everything except `getUserInfo:ok` is refused.":
    "回调收到的原值；不是 `getUserInfo:ok` 则拒绝。",
  "Encrypted data from the callback, in base64. Only the server can decrypt it.":
    "回调收到的原值（base64）；只有服务器能解密。",
  "Initialization vector from the callback, in base64.": "加密的初始向量（base64），回调收到的原值。",
  "User info from the callback: the JSON text, byte for byte.": "用户信息的 JSON 文本，与回调收到的逐字节一致。",
  "SHA-1 of rawData and the session key, in hexadecimal.": "rawData 与 session_key 拼接后的 SHA-1，十六进制。",
  "Result from the callback. Everything except `getPhoneNumber:ok` is refused.":
    "回调收到的原值；不是 `getPhoneNumber:ok` 则拒绝。",
  "Code from the callback. Without a code, send encryptedData and iv.":
    "回调收到的 code；没有时发送 encryptedData 和 iv。",
  "Session token.": "会话 token。",
  "Seconds until the token expires.": "token 剩余的有效期，整秒。",
  "The user's id; empty until the user is identified.": "用户的 id；识别用户之前为空。",
  "Whether user info or the unionid is known. Present only if the setting require_userinfo is on.":
    "是否已获得用户信息或 unionid；只在设置 require_userinfo 开启时返回。",
  "Whether a phone number is known. Present only if the setting phone_is_identity is on.":
    "是否已获得手机号；只在设置 phone_is_identity 开启时返回。",
  // Errors
  "Problem and remedy, for people.": "给人看的问题和解决办法。",
  "`Message`, for the user.": "即 `Message`，给用户看。",
  "Machine-readable reason, lower case with underscores.": "机器可读的原因，小写加下划线。",
  "One entry per offending field, for the first 100.": "每个有问题的字段一项，最多 100 项。",
  // Collections
  "Uid of the creator.": "创建者的 uid。",
  'Default: "".': "默认为空字符串。",
  "Whether only the owner may read the article. Default: false.": "是否只有所有者可读。默认为 false。",
  "Whether only the owner may read the article.": "是否只有所有者可读。",
  "1 for the first draw.": "第几次抽奖，从 1 开始。",
  "Index of the winner in entries, from 0. Two entries may have the same name.":
    "中奖者在 entries 中的位置，从 0 开始；两个参与者可能同名。",
  "Winners so far. Set by the server.": "目前的中奖者，由服务器设置。",
  "Participants.": "参与者。",
  "Number of prizes, at most the number of entries.": "奖品数量，不超过参与者人数。",
  "Stored as a hash and never returned.": "只保存哈希值，从不返回。",
  // File events
  "Directory plus name of the changed file.": "变更文件的目录加文件名。",
  "Kind of change.": "变更类型。",
  // Orders
  "Description of the goods, shown to the buyer.": "商品描述，显示给买家。",
  "Amount in fen (1/100 CNY).": "单位为分。",
  'Way of payment. JSAPI: in the mini-program. NATIVE: by a QR code. MICROPAY: by the buyer\'s payment code. Default: "JSAPI".':
    "支付方式：JSAPI（小程序内）、NATIVE（扫二维码）、MICROPAY（买家出示付款码）。默认为 JSAPI。",
  "Payment code that the buyer shows. Required for MICROPAY, otherwise not allowed. It is not stored.":
    "买家出示的付款码。只用于 MICROPAY，且必填；不会保存。",
  "Refund number of this server.": "商户侧的单号。",
  "Refund number of the platform, once accepted.": "平台侧的单号，平台受理后返回。",
  "PROCESSING: requested, perhaps accepted, not finished. SUCCESS: the buyer has the money. ABNORMAL: the payout failed. CLOSED: abandoned or refused; the amount can be refunded again.":
    "PROCESSING：已申请，平台可能已受理，尚未完成。SUCCESS：买家已收到退款。ABNORMAL：无法退回。CLOSED：已放弃或被拒绝，该金额可以再次退款。",
  "Whether the platform has accepted the refund. This is not yet a success.": "平台已受理，但还不算成功。",
  "Error code of the last call, if it failed with one. While the refund is PROCESSING, the call is retried.":
    "最近一次调用失败且带有错误码时返回。处于 PROCESSING 时会重试。",
  "Error of the last call or of its reply, in one sentence.": "一句话说明最近一次调用失败的原因，或应答中的错误。",
  "When query refund reported the end of the refund.": "退款查询得知结果的时间。",
  "Order number of this server, as sent to the platform.": "平台据以识别此订单的商户订单号。",
  "State of the order from query order. No other answer and no notification decides it. NOTPAY becomes SUCCESS (paid) or CLOSED. With a QR or payment code, it may become USERPAYING. With a payment code, it may become PAYERROR or REVOKED. USERPAYING becomes SUCCESS, NOTPAY, PAYERROR or REVOKED. SUCCESS becomes REFUND or REVOKED. PAYERROR becomes REVOKED. Nothing follows REFUND, CLOSED and REVOKED.":
    "订单状态，只以查单结果为准，其他应答和回调通知都不算。NOTPAY 可变为 SUCCESS（已支付）、CLOSED；扫码或付款码支付可变为 USERPAYING，付款码支付还可变为 PAYERROR 或 REVOKED。USERPAYING 可变为 SUCCESS、NOTPAY、PAYERROR 或 REVOKED。SUCCESS 可变为 REFUND 或 REVOKED。PAYERROR 可变为 REVOKED。REFUND、CLOSED 和 REVOKED 之后不再变化。",
  "Whether a notification or query order reported another amount or currency. The order is not settled until a person allows it.":
    "回调通知或查单返回了不同的金额或币种：人工处理之前不入账。",
  "Payment number of the platform.": "平台的支付单号。",
  "When the order can no longer be paid.": "此后无法支付。",
  "When the buyer paid, by the platform's clock.": "买家支付的时间，以平台时钟为准。",
  "When the payment was accepted as final and the goods became the buyer's.": "入账并交付商品的时间，只发生一次。",
  "Parameters with which the client pays, while the order can be paid. They are signed and contain no key. JSAPI: parameters of requestPayment. NATIVE: `code_url`. With Alipay, JSAPI: `tradeNO`, APP: `orderStr`. MWEB: `mweb_url`, valid for five minutes; to get a new one, repeat the request with the same Idempotency-Key.":
    "可支付期间返回：客户端交给平台的已签名参数，不含任何密钥。JSAPI 为 requestPayment 的参数；NATIVE 为 `code_url`；支付宝的 JSAPI 为 `tradeNO`，APP 为 `orderStr`；MWEB 为 `mweb_url`，五分钟内有效，用同一个 Idempotency-Key 重复请求可以得到新的。",
  "Amount in fen. Default: the rest of the order that is not refunded yet.": "单位为分。默认为尚未退款的全部金额。",
  "Reason that the buyer sees.": "显示给买家。",
  // Notifications of the platform
  "Status of the communication. FAIL is acknowledged and ignored.": "通信结果。FAIL 会应答并忽略。",
  "Signature over all other fields, known or unknown: MD5 or HMAC-SHA256.":
    "对其他所有字段（无论是否已知）的 MD5 或 HMAC-SHA256。",
  "Result in this notification. It proves nothing: only trade_state of query order decides.":
    "此通知的业务结果，不能作为依据：会查单，以 trade_state 为准。",
  "Merchant's order number.": "订单。",
  "Number of the payment. Must equal that of query order.": "支付单，必须与查单结果一致。",
  "Amount in fen. Must equal that of the order and of query order.": "单位为分，必须与订单和查单结果一致。",
  "Body whose exact bytes are signed in the Wechatpay- headers.": "由 Wechatpay- 请求头对其原始字节签名。",
  "Encrypted fields of the refund. They are not signed, so only query refund decides.":
    "退款的加密字段。没有签名：会查询退款结果。",
};
