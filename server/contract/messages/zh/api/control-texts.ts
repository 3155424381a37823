/** Descriptions of the parameters of the console's API and of the simulator's in Chinese, by the English text. */
export const controlTextsZh: Readonly<Record<string, string>> = {
  "Order of the list; '-' reverses it. Default: newest first.": "排序方式，前加 `-` 表示倒序。默认最新的在前。",
  "Rows to skip in a sorted list, for its next page.": "排序后的列表要跳过的行数，用于取下一页。",
  "Only uploads with lost content.": "只返回内容已丢失的上传。",
  "Only users with a smaller id.": "只返回 id 小于此值的用户。",
  "Maximum number of results.": "最多返回的数量。",
  "Uid, or a part of the nickname or of the simulated person's name.": "uid，或昵称、模拟用户名的一部分。",
  "The collection's name.": "数据集的名称。",
  "The item's id.": "条目的 id。",
  "`true`: only orders that are held because of their amount. `false`: only others.":
    "只返回因金额不符而等待人工处理的订单，或只返回其他订单。",
  "Only the order with this number.": "只返回此订单号的订单。",
  "Excludes the orders of running receiver checks and of the console's own user.":
    "不返回正在运行的接收端检查的订单，以及控制台自己的用户的订单。",
  "Text in the order number, the platform's number or the description.": "商户订单号、平台订单号或商品描述中的文本。",
  "Only orders with a smaller id. For the next page, pass the last id of a page.":
    "只返回 id 更小的订单，用于取下一页。",
  "Text in a path. Case of ASCII letters does not matter.": "路径中的文本，ASCII 字母不区分大小写。",
  "Path of a file or folder. A file returns its timeline, a folder everything below it.":
    "文件路径（返回它的变更记录），或文件夹路径（包括其中所有内容）。",
  "Only events with a smaller id. For the next page, pass the last id of a page.":
    "只返回 id 更小的事件，用于取下一页。",
  "Name of the collection, its file and its path.": "数据集的名称，与其文件名和路径相同。",
  "`include` also exports secret fields.": "同时导出从不返回的字段。",
  "An IPv4 or IPv6 address.": "IPv4 或 IPv6 地址。",
  "Only events with this source.": "与此来源完全相同。",
  "Only events with this subject.": "与此主题完全相同。",
  "Text in the type, source, subject or data.": "类型、来源、主题或数据中的文本。",
  "Types to add to the matches of `q`, separated by commas.":
    "同样视为匹配 `q` 的类型，用逗号分隔：它们的说明文字包含该文本。",
  "Events of this time or later.": "此时间及以后的事件。",
  "Events before this time.": "此时间以前的事件。",
  "At most this many bars.": "最多返回的柱数。",
  "One or more methods, separated by commas.": "请求方法，多个用逗号分隔。",
  "Path without query. `*` matches text without '/', `{name}` one segment, `**` at the end everything below.":
    "不含查询的路径。`*` 匹配不含 `/` 的文本，`{name}` 匹配一段，末尾的 `**` 匹配其下所有路径。",
  "Regular expression to search for in the path.": "在路径中搜索的正则表达式。",
  "Status, class such as `4xx`, or `none` for unanswered requests. Separate several with commas.":
    "状态码、一类状态码（如 `4xx`），或 `none`（从未得到应答）；多个用逗号分隔。",
  "Service that received the request: application server, platform simulator or model service.":
    "请求的服务：应用服务器、平台模拟器或模型服务。",
  "Sender. `client` excludes Hearth's own requests.": "发送方。`client` 不包括 Hearth 自己的请求。",
  "Only requests of this client `flow`.": "只返回客户端此 `flow` 的请求。",
  "Only requests of the trace with this id.": "只返回此调用链的请求。",
  "Number of the session whose token was sent.": "所发送 token 的会话编号。",
  "`true`: only requests that were refused (4xx), failed (5xx), cut off or unanswered. `false`: only others.":
    "`true` 只返回被拒绝（4xx）、失败（5xx）、中断或从未得到应答的请求；`false` 只返回其他请求。",
  "Uid of the session's user.": "会话所属的用户。",
  "Text anywhere in path, query, headers or bodies.": "路径、查询、请求头或正文中任意位置的文本。",
  "Only requests at this time or later.": "此时间及以后收到的请求。",
  "Only requests before this time.": "此时间以前收到的请求。",
  "Only requests with a greater id.": "id 大于此值的请求。",
  "Only requests with a smaller id.": "id 小于此值的请求。",
  "Number of matching requests to wait for.": "等到有这么多条。",
  "Maximum time to wait, in ms.": "最长等待时间，单位毫秒。",
  "Maximum number of requests, newest first.": "最多返回的数量，取最新的。",
  "Ids of users, separated by commas.": "用户 id，用逗号分隔。",
  "Merchant number. Default: the built-in merchant.": "商户。默认为内置商户。",
  "Text in the merchant's number, the platform's number or the description.":
    "商户订单号、平台订单号或商品描述中的文本。",
  "Only entries with a smaller id. For the next page, pass `next_before`.":
    "只返回 id 更小的：填上一页的 `next_before`。",
  "Reason of the failure. Default: the bank refuses.": "失败原因。默认为银行拒绝。",
  "`unscheduled`: sent once by a fault or a check, never repeated.": "unscheduled 表示由故障或检查发送一次，不会重发。",
  "Result of the form.": "表单提交的结果。",
  "App id. Default: the built-in app.": "应用。默认为内置应用。",
  "Refuses a prompt that appears. The value does not matter.": "有此参数时拒绝出现的授权提示，值不限。",
  "As getUserProfile: asks each time, and the encrypted data has no ids. The value does not matter.":
    "有此参数时与 getUserProfile 相同：每次都询问，加密数据中没有 openId 和 unionId。值不限。",
  "Changes with the session key, without revealing it. null: expired, or never logged in.":
    "随会话密钥变化的标识，不会泄露密钥。null 表示密钥已过期或从未登录。",
  "Rejects all templates. The value does not matter.": "有此参数时全部拒绝，值不限。",
  "Part of the product's name.": "商品名称的一部分。",
};
