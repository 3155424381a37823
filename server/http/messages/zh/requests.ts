import type { SentenceTable } from "../translate.ts";

/** What the conventions of every request refuse. */
export const requestSentences: SentenceTable = {
  "{} in the query": "查询参数 {0}",
  "{} in the path": "路径参数 {0}",
  "The body": "请求正文",
  "The data": "数据",
  "The query": "查询参数",
  "The path": "路径",
  "{}: {}.": "{0}：[1]。",
  "{}: {}": "{0}：[1]",

  "The body is longer than {} bytes.": "请求正文超过 {0} 字节。",
  "The connection ended before the body did.": "连接在请求正文传完之前中断了。",
  "The body has no Content-Type, so nobody knows what it is: send Content-Type: {}.":
    "请求正文没有 Content-Type，无法判断其类型：请发送 Content-Type: {0}。",
  'Content-Type "{}" is not taken here: send {}.': "此处不接受 Content-Type“{0}”：请发送 {1}。",
  'Charset "{}" is not taken: send UTF-8.': "不接受字符集“{0}”：请使用 UTF-8。",
  "A compressed body is not taken: send it as it is.": "不接受压缩的请求正文：请原样发送。",
  "The body is not valid UTF-8.": "请求正文不是有效的 UTF-8。",
  "The body is not valid JSON: look at line {}, column {}.": "请求正文不是有效的 JSON：请查看第 {0} 行第 {1} 列。",
  "The body is not valid JSON: it ends too early.": "请求正文不是有效的 JSON：内容不完整。",
  "The body is not valid JSON: names and texts need double quotes, and nothing may follow the value.":
    "请求正文不是有效的 JSON：名称和文本要用双引号，且值之后不能再有内容。",
  "The body is nested deeper than {} levels.": "请求正文的嵌套超过 {0} 层。",
  '"{}" holds an unpaired surrogate.': "“{0}”含有不成对的代理字符。",
  '"{}" is a number beyond 1.8e308.': "“{0}”是超出 1.8e308 的数。",
  '"{}" is not allowed as a name.': "“{0}”不能用作名称。",
  "The XML has more than {} tags and attributes: send less, or send it as JSON.":
    "XML 的标签和属性超过 {0} 个：请减少内容，或改用 JSON 发送。",
  "The XML has a document type, which is refused: send elements only.":
    "XML 含有文档类型声明，不予接受：请只发送元素。",
  'The XML holds a "<" that begins no tag, as in an attribute: write "&lt;" there.':
    "XML 中有一个“<”不是标签的开头，例如在属性值中：请在那里写“&lt;”。",
  'The XML holds a character that XML forbids: send the base64 of such a text with encoding="base64".':
    'XML 中有 XML 不允许的字符：请把这样的文本以 base64 发送，并加上 encoding="base64"。',
  "The query is too long for a link to another page.": "查询过长，无法写成指向其他页的链接。",
  "The body is not well-formed XML: look at line {}, column {}.":
    "请求正文不是格式正确的 XML：请查看第 {0} 行第 {1} 列。",
  "The XML has something beside its root element: send one element, and the rest in it.":
    "XML 的根元素之外还有内容：请只发送一个元素，其余内容放在其中。",
  'The XML refers to an entity that XML does not know: write "&amp;" for "&".':
    "XML 引用了未知的实体：请把“&”写成“&amp;”。",
  'The XML holds "]]>" in a text: write "]]&gt;" there.': "XML 的文本中含有“]]>”：请写成“]]&gt;”。",
  "The XML has no root element.": "XML 没有根元素。",
  "The XML holds a name or a reference that is refused.": "XML 含有不予接受的名称或引用。",
  '"{}" is not the base64 of UTF-8.': "“{0}”不是 UTF-8 文本的 base64。",
  '"{}" is given twice in the body: send it once.': "“{0}”在请求正文中出现了两次：请只发送一次。",
  '"{}" is given twice in the query: send it once.': "“{0}”在查询参数中出现了两次：请只发送一次。",
  '"{}" has text beside elements: send either.': "“{0}”中文本与元素并存：请只发送其中一种。",
  'The body holds malformed percent-encoding in "{}": encode it as UTF-8.':
    "请求正文中“{0}”的百分号编码有误：请按 UTF-8 编码。",
  'The query holds malformed percent-encoding in "{}": encode it as UTF-8.':
    "查询参数中“{0}”的百分号编码有误：请按 UTF-8 编码。",
  "The path holds malformed percent-encoding.": "路径的百分号编码有误。",
  "The query string starts with '&'.": "查询字符串以“&”开头。",
  "A token in the query ends up in logs and histories: send it as Authorization: Bearer or X-Access-Token.":
    "查询参数中的令牌会留在日志和历史记录里：请用 Authorization: Bearer 或 X-Access-Token 发送。",
  'format: "{}" is not json or yaml.': "format：“{0}”不是 json 或 yaml。",

  "The session token is missing, unknown or expired: log in with POST /api/sessions and send it as Authorization: Bearer.":
    "会话令牌缺失、未知或已过期：请用 POST /api/sessions 登录，并以 Authorization: Bearer 发送令牌。",
  "User info has not been obtained: call getUserInfo and send its result to POST /api/userinfos.":
    "尚未取得用户信息：请调用 getUserInfo，并将结果发送到 POST /api/userinfos。",
  "The phone number has not been obtained: call getPhoneNumber and send its result to POST /api/phonenumbers.":
    "尚未取得手机号：请调用 getPhoneNumber，并将结果发送到 POST /api/phonenumbers。",
  "Authorization: Basic must be the base64 of user:password.": "Authorization: Basic 必须是 user:password 的 base64。",
  "Send a user and a password as Authorization: Basic.": "请用 Authorization: Basic 发送用户名和密码。",
  "Accept names no format that is written here: use application/json or application/xml.":
    "Accept 中没有此处提供的格式：请使用 application/json 或 application/xml。",
  "{} is not allowed here; allowed: {}.": "此处不允许 {0}；允许的方法：{1}。",
  "There is nothing at {}.": "{0} 处什么也没有。",
  "If-None-Match names the version that it has: nothing was changed.":
    "If-None-Match 指明的正是它现有的版本：没有更改任何内容。",
  "It has been changed since you read it: read it again and repeat the change.":
    "自你读取之后它已被修改：请重新读取后再修改。",

  "HTTP/1.1 asks for a Host header.": "HTTP/1.1 要求有 Host 头。",
  "There is more than one Host header.": "Host 头不止一个。",
  "The Host header names no host.": "Host 头没有指明主机。",
  'Other machines can answer to the name "{}", so it is open to programs, not to browsers. To open it to browsers, add it to the setting allowed_hosts (--allowed-hosts {}).':
    "其他机器也能以名称“{0}”应答，因此它只对程序开放，不对浏览器开放。如需对浏览器开放，请把它加入设置 allowed_hosts（--allowed-hosts {1}）。",
  'The Host "{}" is no name of this machine. If it shall be one, add it to the setting allowed_hosts (--allowed-hosts {}).':
    "Host“{0}”不是本机的名称。如应当是，请将其加入设置 allowed_hosts（--allowed-hosts {1}）。",
  'The Host "{}" is not the address that was asked.': "Host“{0}”不是所请求的地址。",
  "This route asks other machines, and programs that pass requests on, for the console's token: send it as Authorization: Bearer. The file of --ready-file has it, in the console's address.":
    "此接口要求其他机器以及转发请求的程序提供控制台令牌：请用 Authorization: Bearer 发送。令牌在 --ready-file 文件的控制台地址中。",
  "A key is needed: send it as Authorization: Bearer. `hearth keys add` makes one.":
    "需要密钥：请用 Authorization: Bearer 发送。可用 `hearth keys add` 创建。",
  "There is no such key; it may have been removed.": "没有这个密钥；它可能已被删除。",
  "This key has expired ({}).": "此密钥已过期（{0}）。",
  "This key has not the scope {}.": "此密钥没有权限 {0}。",
  "This key may send {} requests a minute: try again in the next one.":
    "此密钥每分钟最多可发 {0} 个请求：请在下一分钟再试。",
  "This key may have {} requests at a time: wait for an answer.": "此密钥最多可同时有 {0} 个请求：请等待应答。",
  "This key may take {} tokens a day: try again tomorrow (UTC).": "此密钥每天最多可用 {0} 个词元：请明天（UTC）再试。",
  "There is no key {}.": "没有密钥 {0}。",
  "This route answers no page of another origin.": "此接口不应答其他来源的页面。",
  "This route answers no page of another site.": "此接口不应答其他网站的页面。",
  "This route answers programs alone. Pages ask the console's own port.":
    "此接口只供程序调用。页面请使用控制台自己的端口。",

  "The server is in maintenance (setting maintenance): try again later.":
    "服务器正在维护（设置 maintenance）：请稍后再试。",
  "The server has more work than it can take: try again in a moment.": "服务器过载：请稍后再试。",
  "The server has as many files open as it may: try again later.": "服务器打开的文件数已达上限：请稍后再试。",
  "The disk that holds the data directory is full, so nothing was stored: make room on it, then try again.":
    "数据目录所在的磁盘已满，因此未保存任何内容：请腾出空间后再试。",
  "Something went wrong in the server; its log says what.": "服务器内部出错，详情见其日志。",
  "The bodies of all requests are larger than {} MB together: try again later.":
    "所有请求的正文合计超过 {0} MB：请稍后再试。",
  "No byte of the body has come for {} s.": "已有 {0} 秒没有收到请求正文的数据。",
  "The body has not come whole within {} s.": "请求正文未能在 {0} 秒内传完。",
  "There are {} event streams already: try again later.": "已有 {0} 个事件流：请稍后再试。",
  "The service does not answer; the Overview page shows its state.": "该服务没有应答；其状态见“总览”页。",
};
