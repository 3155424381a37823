/** Names of tags in Chinese, and the descriptions of parameters, replies, headers and ways to authenticate. */

/** By the English name. Tags of users' collections keep their names. */
export const tagNamesZh: Readonly<Record<string, string>> = {
  uploads: "上传",
  sessions: "会话",
  accounts: "账号",
  articles: "文章",
  raffles: "抽奖",
  orders: "订单",
  "payment-notifications": "支付回调",
  "file-events": "文件事件",
  "fixed-answers": "固定应答",
  "code-routes": "代码路由",
  logins: "登录",
  files: "文件",
  users: "用户",
  collections: "数据集",
  "watched-folders": "监视的文件夹",
  data: "数据",
  bans: "封禁",
  chats: "对话",
  events: "事件",
  "lan-access": "局域网访问",
  requests: "请求",
  clock: "时钟",
  faults: "故障",
  state: "状态",
  keys: "密钥",
  settings: "设置",
  "gpu-engine": "GPU 引擎",
  storage: "存储",
  services: "服务",
  tokens: "会话 token",
  platform: "平台",
  client: "客户端",
  "pay-pages": "付款页面",
  "profit-sharing": "分账",
  transfers: "转账",
  contracts: "委托代扣协议",
  "receiver-checks": "接收端检查",
  people: "用户",
  "mini-program": "小程序",
};

/** By the English text, in which `{name}` stands for any text. */
export const partTextsZh: Readonly<Record<string, string>> = {
  "The server of this description.": "提供此说明的服务器。",
  "The server's own address.": "它自己的地址。",
  "The collection {name}.": "数据集 {name}。",
  // Replies
  OK: "成功",
  Created: "已创建",
  Accepted: "已接收，稍后处理",
  "No Content": "成功，没有响应体",
  "No Content: the client sent `Prefer: return=minimal`.": "成功；按 `Prefer: return=minimal` 不返回响应体",
  "Partial Content": "部分内容",
  Found: "临时重定向",
  "See Other": "重定向到其他地址",
  "Not Modified: If-None-Match names the current version.": "未变更：If-None-Match 与当前版本一致",
  "Temporary Redirect: the uploads' store sends the content.": "临时重定向：由存放上传内容的存储直接返回",
  "The query started with '&'. Location has the same address without it.": "查询以 `&` 开头：重定向到去掉它的地址",
  "Bad Request": "请求无效",
  "Bad Request: the upload is refused, or the request is malformed.": "上传被拒绝，或请求格式有误",
  "Unauthorized: the client's next step is in WWW-Authenticate.": "未登录：WWW-Authenticate 给出客户端的下一步",
  "Unauthorized: no user and password were sent.": "未认证：没有发送用户名和密码",
  "Unauthorized: the console token is missing or belongs to another run.":
    "未认证：缺少本次运行的控制台 token，或它属于另一次运行",
  Forbidden: "禁止访问",
  "Not Found": "不存在",
  "Method Not Allowed": "不支持该方法",
  "Not Acceptable": "不支持 Accept 要求的格式",
  Conflict: "与当前状态冲突",
  Gone: "已失效",
  "Precondition Failed": "版本不符",
  "Unsupported Media Type": "不支持该内容类型",
  "Range Not Satisfiable": "请求的范围无效",
  "Too Many Requests": "请求过多",
  "Internal Server Error": "服务器内部错误",
  "Not Implemented": "未实现",
  "Service Unavailable": "服务暂不可用",
  // Headers
  "Address of the resource.": "资源的地址。",
  "Version, for If-Match and If-None-Match.": "版本，用于 If-Match 和 If-None-Match。",
  "Other pages (RFC 8288): first, prev, next, last. With a long query, the header may contain only some, next first.":
    "相邻页的地址（RFC 8288）：first、prev、next、last。查询很长时只给出放得下的，优先 next。",
  "Number of items on all pages.": "所有页的条目总数。",
  "File name. Browsers save the file instead of showing it.": "文件名。浏览器会保存文件，而不是显示它。",
  "Content that browsers may load.": "浏览器可以加载的内容。",
  "Browsers must not guess another type than Content-Type.": "浏览器必须以 Content-Type 为准。",
  "Range requests are supported.": "可以用 Range 请求其中一部分。",
  "Status package, as base64url of its JSON. The reply has no body that could contain it.":
    "状态包 JSON 的 base64url 编码：此应答没有可以放它的响应体。",
  "Methods that this path supports.": "此路径支持的方法。",
  "Range of this part.": "返回的是哪一部分。",
  "Confirms that the body was omitted as requested.": "已按要求省略响应体。",
  "Seconds to wait before the next try.": "重试前等待的秒数。",
  "Id of this request in the log. A valid id from the client is kept.":
    "此请求在日志中的编号。客户端发送的编号有效时沿用。",
  "Trace and span of this request (W3C Trace Context). A trace from the client is continued.":
    "此请求所属的调用链及其 span（W3C Trace Context）。客户端发送了 traceparent 时沿用它的调用链。",
  "`Bearer`: log in again. Otherwise: the call whose result the server needs next.":
    "`Bearer` 表示重新登录；其他值是下一步要调用的接口，服务器需要它的结果。",
  "Makes a browser ask for user and password.": "让浏览器询问用户名和密码。",
  "Send the console token as Bearer.": "以 Bearer 发送控制台 token。",
  // Ways to authenticate
  "Session token: `status.access_token` in the answer to `POST /api/sessions`. To try operations, get a simulated user's token with `hearth login`.":
    "会话 token：`POST /api/sessions` 应答中的 `status.access_token`。试用时可以运行 `hearth login`，它会输出一个模拟用户的 token。",
  "The same token, for clients that cannot set Authorization.": "同一个 token，供无法设置 Authorization 的客户端使用。",
  "User and password of an account. Discouraged: they travel in clear text.":
    "账号的用户名和密码。以明文传输，不建议使用。",
  "Console token of the run. The file of `--ready-file` contains it, or `HEARTH_CONSOLE_TOKEN` sets it. A browser that is logged in to the console needs no token.":
    "本次运行的控制台 token：在 `--ready-file` 指定的文件里，或由 `HEARTH_CONSOLE_TOKEN` 设置。已登录控制台的浏览器不需要它。",
  // Headers of requests
  "Change only this version (412 otherwise).": "只修改这个版本；版本不符时返回 412。",
  "Only if the version differs (304 otherwise, 412 for a change).":
    "只在版本不同时返回；版本相同时读取返回 304，修改返回 412。",
  "`return=minimal` asks for 204 instead of the changed resource.": "`return=minimal`：返回 204，而不是修改后的资源。",
  "Part of the file to return.": "只返回这一部分。",
  "Id of the last event that the client has. Later events are sent first.":
    "客户端已收到的最后一个事件的 id：先发送它之后的事件。",
  "Id of the notification in all its deliveries. A repeated notification is stored once.":
    "此通知的编号，重发时不变；重复的通知只保存一次。",
  "Ties the two notifications of a move: the X-Event-Id of the one with the old path.":
    "关联一次移动的两条通知：旧路径那条通知的 X-Event-Id。",
  "Key of the request. A repeat with the same key counts as the same request.":
    "幂等键：带同一个键的重复请求视为同一请求，不会再次执行。",
  // Lists of the application server
  "Number of the page, from 1.": "页码，从 1 开始。",
  "Items per page, at most {most}. More is refused.": "每页条数，最多 {most}；超过则拒绝。",
  "Random part of the address.": "地址中的随机部分。",
  "Only items with this {field}.": "只返回 {field} 等于此值的条目。",
  "Only items that contain this text.": "只返回包含此文本的条目。",
  "Fields to sort by, separated by commas; '-' reverses one.": "排序字段，用逗号分隔；字段前加 `-` 表示倒序。",
  "Fields to sort by, separated by commas; '-' reverses one. Fields: {fields}.":
    "排序字段，用逗号分隔；字段前加 `-` 表示倒序。可用字段：{fields}。",
  "Only orders in this state.": "只返回此状态的订单。",
  "Only orders with this way of payment.": "只返回使用此支付方式的订单。",
};
