/** Descriptions of faults, receiver checks and settings of the simulator in Chinese, by the English text without its default. */
export const faultFieldTextsZh: Readonly<Record<string, string>> = {
  "Communication fails: version 2 returns an unsigned return_code FAIL, version 3 an unsigned HTTP 500.":
    "通信失败：V2 返回未签名的 return_code FAIL，V3 返回未签名的 HTTP 500。",
  "The platform refuses the call: a signed result_code FAIL with an err_code, or version 3's code and HTTP status.":
    "平台拒绝调用：V2 返回带签名的 result_code FAIL 和 err_code，V3 返回 code 和 HTTP 状态码。",
  "Queries return result_code SUCCESS with a wrong trade_state.": "查单返回 result_code SUCCESS，但 trade_state 有误。",
  "The first queries of an order return ORDERNOTEXIST.": "订单的前几次查单返回 ORDERNOTEXIST。",
  "A payment by code asks for the buyer's password. Queries return USERPAYING until it ends.":
    "付款码支付需要买家输入密码，结束之前查单返回 USERPAYING。",
  "The bank refuses a payment by code. Queries return PAYERROR.": "银行拒绝付款码支付，查单返回 PAYERROR。",
  "The buyer pays while the merchant closes the order. The payment wins.": "商户关单时买家正好付款，以付款为准。",
  "An accepted refund ends with another status, or at another time, than the settings say.":
    "已受理的退款以另一状态结束，或结束时间与设置不同。",
  "The platform accepts the request and never replies.": "平台接受请求后一直不应答。",
  "The reply is slow.": "应答缓慢。",
  "The connection is reset instead of a reply.": "不应答，连接被重置。",
  "A gateway returns an HTTP error without a signature.": "网关返回未签名的 HTTP 错误。",
  "The call succeeds, and its reply breaks off halfway.": "调用成功，但应答中途断开。",
  "The call succeeds, and the reply's signature is invalid.": "调用成功，但应答的签名无效。",
  "The signature is forged or missing, or the encrypted part was tampered with.":
    "签名是伪造的或缺失，或加密部分被篡改。",
  "The notification arrives several times.": "通知重复送达。",
  "The signature is valid, but one id belongs to another party.": "签名有效，但其中一个 id 属于其他人。",
  "The body is broken or has unexpected content.": "内容损坏或不符合预期。",
  "The notification reports a communication failure, unsigned. It says nothing about an order.":
    "通知为未签名的通信失败，不含订单信息。",
  "The notification is signed and reports result_code FAIL (version 3: trade_state PAYERROR), although the order is paid.":
    "通知已签名，内容为 result_code FAIL（V3：trade_state PAYERROR），但订单已支付。",
  "The amount differs from the order's: in notifications, in query replies, or in both.":
    "金额与订单不符：可以在通知中、查单应答中，或两者都不符。",
  "Version 3: the platform switches keys. The signature is valid, but made with another key than the merchant's mode names.":
    "V3：平台更换密钥。签名有效，但使用的密钥与商户的模式不符。",
  "Right after an order is placed, a validly signed notification says that it is paid. It is not.":
    "刚下单就收到签名有效的支付成功通知，而订单并未支付。",
  "Notifications arrive in the wrong order.": "通知的到达顺序有误。",
  "The notification is never sent.": "通知一直不发送。",
  "The notification arrives late.": "通知延迟到达。",
  "The platform refuses the call before it checks anything. A login code stays valid.":
    "平台未做任何检查就拒绝调用。登录码仍然有效。",
  "A gateway returns an HTTP error.": "网关返回 HTTP 错误。",
  "The notification that matches the order's state: payment succeeded, or the refund's status.":
    "与订单状态一致的通知：支付成功，或退款的状态。",
  "A validly signed notification that the order is paid, in any state of the order.":
    "签名有效的支付成功通知，无论订单处于什么状态。",
  "The amount differs from the order's.": "金额与订单不符。",
  "Version 3: signed with this key of the platform, in any mode of the merchant.":
    "V3：用平台的这把密钥签名，无论商户使用哪种模式。",
  "HTTP status. 0: no reply.": "HTTP 状态码。0 表示没有应答。",
  "Whether the receiver accepted the notification.": "接收端是否接受了通知。",
  "Expected behaviour of the receiver.": "接收端应有的行为。",
  "Address of the notification receiver. Default: the notify_url of each order.":
    "接收回调通知的地址。默认为各订单的 notify_url。",
  "Address of the receiver of refund notifications. Some rows require it.": "接收退款通知的地址，部分检查项必填。",
  "Merchant number of the orders. Default: the built-in merchant.": "订单的商户号。默认为内置商户。",
  "Path of the order number in the reply. Default: the order that has just appeared in the simulator.":
    "订单号在应答中的路径。默认取模拟器中刚出现的订单。",
  "The merchant's unpaid orders, one for each row, oldest first.": "该商户未支付的订单，每个检查项一个，最早的在前。",
  "Signature type of version 2.": "V2 的签名类型。",
  "Orders that only the simulator has. Most receivers refuse orders that they did not place.":
    "只存在于模拟器中的订单。多数接收端会拒绝不是自己下的订单。",
  "Address of the status request. `{out_trade_no}` becomes the order number, and `{reply.PATH}` the value at PATH in the reply to the order. Both also work in the paths.":
    "查询状态的地址。`{out_trade_no}` 会换成订单号，`{reply.PATH}` 会换成下单应答中 PATH 处的值。两者在各路径中也可使用。",
  "Condition for a settled order. PATH=VALUE: the value is equal. PATH: the value exists and is not null, false, 0 or empty.":
    "订单已入账的条件。PATH=VALUE：值相等。PATH：值存在，且不是 null、false、0 或空。",
  "Path of the number of settlements in the reply.": "入账次数在应答中的路径。",
  "Condition for an order that the backend shows as failed.": "后端把订单显示为失败的条件。",
  "Path of the refunded amount in fen.": "已退金额（分）的路径。",
  "Address of the receiver of notifications of other products. Their rows require it.":
    "其他产品通知的接收地址，相应的检查项需要它。",
  "Further requests to the backend. With them the check also runs the rows about the whole integration.":
    "对后端的其他请求。有了它们，还会检查整个接入。",
  "Refunds `{amount}` fen of an order.": "对订单退款 `{amount}` 分。",
  "Closes an unpaid order.": "关闭未支付的订单。",
  "Asks again for what the buyer needs to pay an unpaid order.": "为未支付的订单再次获取支付参数。",
  "Path of the prepay id in the reply, or of a text that contains it.": "应答中预支付标识或含它的文本的路径。",
  "Compares the platform's bill of the day `{date}` with the backend's orders.":
    "用平台 `{date}` 当天的账单核对后端的订单。",
  "Path of the number of differences in the reply.": "差异数量在应答中的路径。",
  "Consequence of a mistake here.": "此处出错的后果。",
  "Method, URL and body of a request to the backend.": "对后端的请求：方法、URL 和请求体。",
  "Requests to the backend, other than notifications.": "通知以外对后端的请求。",
  "The simulated person who was logged in for this check. It is removed at the end, with its user.":
    "为此次检查登录的模拟用户。检查结束时连同其用户一起删除。",
  "Rows to run. Default: all.": "要运行的检查项。默认为全部。",
  "Maximum time from acceptance to settlement, in ms.": "从接受通知到入账的最长时间，单位为毫秒。",
  "Maximum time to detect a payment without a notification, in ms. 0: not tested.":
    "没有通知时发现支付的最长时间，单位为毫秒。0 表示不测试。",
  "`failed`: the check could not continue; `problem` has the reason.": "`failed`：检查无法继续，原因见 `problem`。",
  "Source of the orders.": "订单的来源。",
  "Whether the check asks the backend which orders are settled.": "检查时是否向后端查询哪些订单已入账。",
  "Requested rows. Default: all.": "要求运行的检查项。默认为全部。",
  "Rows in the order in which they run.": "检查项，按运行顺序排列。",
  "Behaviour of the receiver, or the reason for no verdict.": "接收端的行为，或没有结论的原因。",
  "Failures, one sentence each.": "失败项，每项一句话。",
  "Number of queries of the order.": "查单次数。",
  "Verdict of the simulated platform.": "模拟平台的判断。",
  "Beginning of the sent body.": "所发送内容的开头。",
  "HTTP status. 0: no answer.": "HTTP 状态码。0 表示没有应答。",
  "Beginning of the reply.": "应答的开头。",
  "Results of the finished rows.": "已完成的检查项的结果。",
  "Lifetime of a session key after the last activity, in seconds. The platform publishes no value.":
    "session_key 在最后一次活动之后的有效时间，单位为秒。平台没有公布此值。",
  "When a login creates a new session key: `always`, or only after the old key has expired.":
    "何时更换 session_key：`always` 每次登录都更换，否则只在旧的过期之后更换。",
  "Append a request id to each errmsg, as the platform does.": "与真实平台一样，在 errmsg 末尾加上请求编号。",
  "Send code2Session's JSON as text/plain, as the platform has done.":
    "与真实平台曾经的做法一样，以 text/plain 返回 code2Session 的 JSON。",
  "Send countryCode as a number, as the platform's own example does.": "与平台自己的示例一样，以数字返回 countryCode。",
  "Factor for pauses between notifications, refund_seconds and slow_seconds. 0.001: a thousand times faster. A change also applies to waiting notifications and refunds, but not to buyers who are already paying slowly.":
    "通知间隔、refund_seconds 和 slow_seconds 的倍率。0.001 表示快一千倍。修改后对正在等待的通知和退款同样生效，但不影响已在慢速支付中的买家。",
  "Duration of PROCESSING of a refund, in seconds.": "退款处于 PROCESSING 的秒数。",
  "Duration of a slow payment, in seconds.": "慢速支付持续的秒数。",
  "Timeout of notification receivers, in ms. The real platform allows 5 seconds.":
    "等待接收端应答的时间，单位为毫秒。真实平台为 5 秒。",
  "Minimum age of an order before a close, in seconds. Earlier closes get FREQUENCY_LIMITED. 300 is realistic.":
    "下单多久之后才能关单，单位为秒；过早关单返回 FREQUENCY_LIMITED。300 与真实平台一致。",
  "Close expired orders.": "自动关闭已过期的订单。",
  "Version 2: return errors of signature and form as err_code, as published, instead of return_code FAIL.":
    "V2：签名和格式错误按官方文档以 err_code 返回，而不是 return_code FAIL。",
  "Refuse orders for openids without a simulated person.": "openid 没有对应的模拟用户时，拒绝下单。",
  "Minimum time between two refunds of one order, in seconds. Earlier refunds get FREQUENCY_LIMITED. 60 is realistic.":
    "同一订单两次退款的最小间隔，单位为秒；间隔不足返回 FREQUENCY_LIMITED。60 与真实平台一致。",
  "Minimum age of a payment by code before a reversal, in seconds. 15 is realistic.":
    "付款码支付多久之后才能撤销，单位为秒。15 与真实平台一致。",
  "Amount in fen above which a payment by code asks for the buyer's password.":
    "付款码支付超过此金额时要求买家输入密码，单位为分。",
  "Number of payments by code per buyer and day (UTC+8) without the password. The next one asks for it.":
    "每个买家每天（UTC+8）免密付款码支付的次数，超过后要求输入密码。",
  "Version 2: require the merchant's client certificate for refunds, reversals and fund-flow bills, as the real host does. Only the stand-in hosts accept it, over HTTPS. Calls over plain HTTP cannot send one.":
    "V2：与真实域名一样，退款、撤销和资金账单要求商户的客户端证书。只有接管的域名通过 HTTPS 接受证书，普通 HTTP 无法携带。",
  "Version 2: include sign_type in payment notifications of HMAC-SHA256 orders. The platform does both.":
    "V2：HMAC-SHA256 订单的支付通知带 sign_type。真实平台两种做法都有。",
  "Time for the buyer's password, in seconds. Then the order is NOTPAY. The real platform allows 30 to 45.":
    "等待买家输入密码的秒数，之后订单为 NOTPAY。真实平台为 30 至 45 秒。",
  "Serve a day's bill at any time, not only from 09:00 on the next day.":
    "任何时候都能下载当日账单，而不是次日 9:00 之后。",
  "Phone number without country code.": "手机号，不含国家码。",
  "Latitude in degrees.": "纬度，单位为度。",
  "Longitude in degrees.": "经度，单位为度。",
  "Whether the person is a high-risk user. Login codes then get 40226.":
    "是否为高风险用户。高风险用户的登录码会得到 40226。",
  "Degrees.": "单位为度。",
  "Metres.": "单位为米。",
  "Metres per second. -1: unknown.": "单位为米每秒。-1 表示未知。",
  "Content of the code, or link.": "码的内容，或链接。",
  "Page without a leading slash. Empty: the first page.": "页面路径，开头不带斜杠。空表示首页。",
  "Query parameters. `scene` has the percent-encoded scene of a code.":
    "查询参数。`scene` 为码中的场景值，已做百分号编码。",
  "Platform's number of the entry: 1047 mini-program code, 1011 QR code, 1065 scheme …":
    "平台的场景值：1047 小程序码、1011 二维码、1065 URL scheme 等。",
  "Content of the template with its values.": "填入数据后的模板内容。",
  "Values by placeholder.": "各占位符的值。",
  "Page that a tap opens. Empty: none.": "点击后打开的页面。空表示不打开。",
  "Text to search for in texts, titles and media addresses.": "在文本、标题和媒体地址中查找的文本。",
  "Platform's label: 100 normal, 20001 politics, 20002 pornography, 20003 abuse, 20006 crime, 20008 fraud …":
    "平台的标签：100 正常、20001 时政、20002 色情、20003 辱骂、20006 违法犯罪、20008 欺诈等。",
  "Platform product of the operation.": "操作所属的平台产品。",
  "`exact`: as published. `partial`: parts are missing. `not_simulated`: returns 501.":
    "`exact`：与官方文档一致。`partial`：缺少部分功能。`not_simulated`：返回 501。",
  "Missing parts of a partial operation.": "部分模拟的操作缺少的功能。",
};
