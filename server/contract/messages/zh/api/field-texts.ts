/** Descriptions of the fields of the application server's API in Chinese, by the English text. */
export const fieldTextsZh: Readonly<Record<string, string>> = {
  // Uploads
  "The file.": "文件。",
  "A short category word, for example `project`.": "分类，一个短词，例如 `project`。",
  "False when there are more.": "还有更多时为 false。",
  "The category word that the client sent.": "客户端发送的分类。",
  "As the client sent it.": "与客户端发送的一致。",
  "By what the file holds.": "由文件内容判断。",
  "Bytes.": "字节数。",
  "Bytes when unpacked, as the archive says.": "解压后的字节数，取自压缩包的记录。",
  "Identifies the uploaded file; present on success.": "上传文件的编号，成功时返回。",
  "Why it failed, for the user; present on failure.": "给用户看的失败原因，失败时返回。",
  // Login state
  "The code that the client's login call gave; required unless HTTP Basic is on and used.":
    "客户端登录接口返回的 code。除非启用并使用了 HTTP Basic，否则必填。",
  "As the callback got it; anything but `getUserInfo:ok` is refused.": "回调收到的原值；不是 `getUserInfo:ok` 则拒绝。",
  "Base64, as the callback got it; only the server can read it.": "回调收到的原值（base64）；只有服务器能解密。",
  "Base64 of the encryption's initial vector, as the callback got it.": "加密的初始向量（base64），回调收到的原值。",
  "The user info as JSON text, byte for byte as the callback got it.": "用户信息的 JSON 文本，与回调收到的逐字节一致。",
  "SHA-1 of rawData and the session key, in hexadecimal.": "rawData 与 session_key 拼接后的 SHA-1，十六进制。",
  "As the callback got it; anything but `getPhoneNumber:ok` is refused.":
    "回调收到的原值；不是 `getPhoneNumber:ok` 则拒绝。",
  "The code from the callback; otherwise send encryptedData and iv.":
    "回调收到的 code；没有时发送 encryptedData 和 iv。",
  "Session token.": "会话 token。",
  "Whole seconds that the token stays valid.": "token 剩余的有效期，整秒。",
  "The user's id; empty until the user is identified.": "用户的 id；识别用户之前为空。",
  "Whether user info or the unionid has been obtained; only while the setting require_userinfo is on.":
    "是否已获得用户信息或 unionid；只在设置 require_userinfo 开启时返回。",
  "Whether a phone number has been obtained; only while phone_is_identity is on.":
    "是否已获得手机号；只在设置 phone_is_identity 开启时返回。",
  // Errors
  "Problem and remedy, for people.": "给人看的问题和解决办法。",
  "`Message`, for the user.": "即 `Message`，给用户看。",
  "Machine-readable reason, lower case with underscores.": "机器可读的原因，小写加下划线。",
  "One entry per offending field, for the first 100.": "每个有问题的字段一项，最多 100 项。",
  // Collections
  "Uid of the creator.": "创建者的 uid。",
  'Default: "".': "默认为空字符串。",
  "Only the owner may read it. Default: false.": "只有所有者可读。默认为 false。",
  "Only the owner may read it.": "只有所有者可读。",
  "1 for the first draw.": "第几次抽奖，从 1 开始。",
  "Position of the winner in entries, from 0: two entries may have the same name.":
    "中奖者在 entries 中的位置，从 0 开始；两个参与者可能同名。",
  "Winners so far. Set by the server.": "目前的中奖者，由服务器设置。",
  "Participants.": "参与者。",
  "How many are drawn; not more than there are entries.": "奖品数量，不超过参与者人数。",
  "Stored as a hash and never answered.": "只保存哈希值，从不返回。",
  // File events
  "Directory plus name of the changed file.": "变更文件的目录加文件名。",
  "Kind of change.": "变更类型。",
  // Orders
  "Description of the goods, shown to the buyer.": "商品描述，显示给买家。",
  "In fen, 1/100 CNY.": "单位为分。",
  'How it is paid: JSAPI in the mini-program, NATIVE by a QR code, MICROPAY by the buyer\'s payment code. Default: "JSAPI".':
    "支付方式：JSAPI（小程序内）、NATIVE（扫二维码）、MICROPAY（买家出示付款码）。默认为 JSAPI。",
  "The payment code that the buyer shows; for MICROPAY only, and needed there. It is not kept.":
    "买家出示的付款码。只用于 MICROPAY，且必填；不会保存。",
  "Our number of it.": "商户侧的单号。",
  "The provider's number of it, once it was accepted.": "平台侧的单号，平台受理后返回。",
  "PROCESSING: asked for, and possibly accepted, not finished. SUCCESS: the buyer has the money. ABNORMAL: it could not be paid out. CLOSED: given up or refused; its amount can be refunded again.":
    "PROCESSING：已申请，平台可能已受理，尚未完成。SUCCESS：买家已收到退款。ABNORMAL：无法退回。CLOSED：已放弃或被拒绝，该金额可以再次退款。",
  "The provider has taken it, which is not yet a success.": "平台已受理，但还不算成功。",
  "Of its last call, while that has failed and had one. While it is PROCESSING, it is tried again.":
    "最近一次调用失败且带有错误码时返回。处于 PROCESSING 时会重试。",
  "Why its last call has failed, or what in its answer was wrong, in a sentence.":
    "一句话说明最近一次调用失败的原因，或应答中的错误。",
  "When query refund told its end.": "退款查询得知结果的时间。",
  "The number by which the provider knows it.": "平台据以识别此订单的商户订单号。",
  "The order's state, as query order told it; no other answer and no notification decides it. NOTPAY becomes SUCCESS (paid), CLOSED, by QR or payment code USERPAYING, and by payment code PAYERROR or REVOKED; USERPAYING becomes SUCCESS, NOTPAY, PAYERROR or REVOKED; SUCCESS becomes REFUND or REVOKED; PAYERROR becomes REVOKED. Nothing follows REFUND, CLOSED and REVOKED.":
    "订单状态，只以查单结果为准，其他应答和回调通知都不算。NOTPAY 可变为 SUCCESS（已支付）、CLOSED；扫码或付款码支付可变为 USERPAYING，付款码支付还可变为 PAYERROR 或 REVOKED。USERPAYING 可变为 SUCCESS、NOTPAY、PAYERROR 或 REVOKED。SUCCESS 可变为 REFUND 或 REVOKED。PAYERROR 可变为 REVOKED。REFUND、CLOSED 和 REVOKED 之后不再变化。",
  "A notification or query order told another amount or currency: nothing is settled until a person has looked at it.":
    "回调通知或查单返回了不同的金额或币种：人工处理之前不入账。",
  "The provider's number of the payment.": "平台的支付单号。",
  "Nobody can pay it after that.": "此后无法支付。",
  "When the buyer paid, by the provider's clock.": "买家支付的时间，以平台时钟为准。",
  "When the payment was taken for good, once, and what was bought became the buyer's.":
    "入账并交付商品的时间，只发生一次。",
  "While it can be paid: what the client hands to the platform, signed, without any key. For JSAPI the parameters of requestPayment; `code_url` for NATIVE; for MWEB `mweb_url`, which is good for five minutes: repeat the request with the same Idempotency-Key for another one.":
    "可支付期间返回：客户端交给平台的已签名参数，不含任何密钥。JSAPI 为 requestPayment 的参数；NATIVE 为 `code_url`；MWEB 为 `mweb_url`，五分钟内有效，用同一个 Idempotency-Key 重复请求可以得到新的。",
  "In fen; everything that has not been given back yet unless given.": "单位为分。默认为尚未退款的全部金额。",
  "As the buyer reads it.": "显示给买家。",
  // Notifications of the platform
  "Of the communication. FAIL is acknowledged and ignored.": "通信结果。FAIL 会应答并忽略。",
  "MD5 or HMAC-SHA256 over all other fields, known or not.": "对其他所有字段（无论是否已知）的 MD5 或 HMAC-SHA256。",
  "Of this notification. It proves nothing: query order is asked, and trade_state decides.":
    "此通知的业务结果，不能作为依据：会查单，以 trade_state 为准。",
  "The order.": "订单。",
  "The payment; must be that of query order.": "支付单，必须与查单结果一致。",
  "In fen; must be the order's and that of query order.": "单位为分，必须与订单和查单结果一致。",
  "Signed over its exact bytes by the Wechatpay- headers.": "由 Wechatpay- 请求头对其原始字节签名。",
  "The encrypted fields of the refund. Nothing is signed: query refund is asked.":
    "退款的加密字段。没有签名：会查询退款结果。",
};
