/** The application server's API. */
import type { ApiTexts } from "./api-texts.ts";

export const appApiZh: ApiTexts = {
  title: "Hearth 应用服务器",
  introduction: `
被测客户端调用的接口：登录、数据集、上传、文件事件和支付。展开任一操作即可试用。

<details>
<summary>登录状态、数据格式和通用约定</summary>

## 登录状态

客户端用 \`POST /api/sessions\` 登录，拿到的 token 放在 \`Authorization: Bearer TOKEN\` 或 \`X-Access-Token\` 里发送；放在查询参数里会被拒绝（400）。
凡是识别调用者的操作，应答都带**状态包**：与 \`data\` 并列的 \`status\`；没有应答体时放在 \`Status-Package\` 头里（其 JSON 的 base64url）。
401 用 \`WWW-Authenticate\` 指出客户端的下一步：\`Bearer\` 表示登录；\`getUserInfo\` 和 \`getPhoneNumber\` 表示调用该接口并提交结果。完成后重发原请求。

## 数据格式

请求体可以是 JSON 或 XML；字段都是简单值时也可以是表单。应答默认是 JSON，按 \`Accept\` 也可以是 XML（\`application/xml\` 或 \`text/xml\`）：
根元素是 \`<result>\`，数组写成重复的 \`<item>\`，XML 不允许的名称写成 \`<entry key="…">\`，XML 无法表示的文本用 base64 并带 \`encoding="base64"\`。
值为 null 的成员会省略。有两处例外：用户数据集的条目（XML 写作 \`xsi:nil="true"\`）和 \`/console/api\` 的 JSON。
非 ASCII 字符会转义，除非打开设置 \`json_relaxed\`；加 \`?pretty\` 输出带缩进。

## 通用约定

- \`Message\`、\`details\` 和 \`err_msg\` 默认是英文，按 \`Accept-Language\` 可以是中文；\`code\` 不随语言变化。
- 请求体成员或查询参数不被该操作识别时，应答头 \`Hearth-Warning\` 会指出；打开设置 \`strict_requests\` 后直接拒绝（400）。
- \`Hearth-Faults\` 是已启用的故障数，\`X-Hearth-Fault\` 是命中本次请求的故障。
- 支持 \`GET\` 的地方都支持 \`HEAD\`；\`/api\` 和 \`/avatars\` 下的资源都支持 \`OPTIONS\`。其他方法返回 405；HTTP 标准里有的方法还会带 \`Allow\`。
- 除上传外，错误都是 \`{Message, code, details?}\`，格式由 \`Accept\` 决定；支付平台收到的是它自己的格式，无效的 HTTP 请求收到 JSON。
- 列表可以按字段筛选：\`price=3\`、\`price[gte]=3\`（\`gt\`、\`gte\`、\`lt\`、\`lte\`、\`ne\`）；\`price[null]=true\` 匹配 null 和缺失，\`price[exists]=false\` 只匹配缺失；
  \`tags=a\` 匹配数组元素，\`address.city=x\` 匹配内层字段；同一字段重复出现时匹配其中任一值。用户数据集没有的字段返回 400。
  JSON:API 的 \`page[size]\`、\`filter[…]\` 和以 \`_\` 开头的名称不起作用。
- 带 \`X-HTTP-Method-Override: PATCH\`（或 PUT、DELETE）的 POST 按该方法处理。
- 列表用 \`page\` 和 \`page_size\` 分页；\`page_size\` 超过上限返回 400。
- \`ETag\` 是资源的版本。\`If-Match\` 保护修改（412）；\`If-None-Match\` 省去重复的应答（304），或拒绝修改（412）。
- 查询以 \`&\` 开头的 GET 会重定向到去掉它的地址（设置 \`query_normalization\`）。
- 503 带 \`Retry-After\`：维护中、负载过高、锁被其他请求占用，或平台没有应答。
- 应答带 \`X-Request-Id\`：客户端的值如果不超过 64 个字符，且只含字母、数字、\`_\`、\`.\` 和 \`-\`，就沿用，否则新生成。
  \`traceparent\` 是所属的调用链，客户端的值有效时沿用。
  \`/livez\`、\`/readyz\`、\`/healthz\` 和 \`/metrics\` 的应答没有这两个头；连接过多或 HTTP 无效时的应答也没有。

控制台的接口供测试和脚本使用，说明在已打开的控制台的 \`/console/api/docs\`。

</details>
`.trim(),
  tags: {
    sessions: "登录状态：用客户端的登录码换取会话 token，再完成 401 要求的步骤。",
    articles: "文章：公开的文章人人可读，只有所有者可以修改或删除。",
    raffles: "抽奖：同一抽奖一次只处理一个请求，其他请求返回 503，稍后重试。",
    accounts: "HTTP Basic 的用户名和密码（设置 `basic_auth`），不建议使用。",
    uploads: "客户端以 multipart/form-data 发送的文件，以及头像页面。",
    "file-events": "监视程序在这里上报文件变更。",
    orders: "支付：下单、查询、关单、退款和撤销。订单状态只以平台的查单结果为准。",
    "payment-notifications": "平台在这里通知支付和退款结果，不供客户端调用。",
    "fixed-answers": "路由文件定义的固定应答，用于数据集以外的路径。",
    "code-routes": "由项目自己的代码应答的路由（设置 `routes`）。",
  },
  collections: {
    accounts: "账号：用于 HTTP Basic（设置 basic_auth）的用户名和密码，不建议使用。用户只能看到自己的账号。",
    articles: "文章：公开的文章人人可读；私有文章只有所有者可读；只有所有者可以修改或删除。",
    raffles: "抽奖：包括标题、参与者和奖品数量；中奖者逐个抽出。",
  },
  operations: {
    "*.list":
      "分页返回调用者可见的 {plural}。默认最新的在前，可用 `sort` 改变顺序。应答头 Link 给出其他页的地址，X-Total-Count 给出总数。",
    "*.listNested": "分页返回引用此条目的 {plural}，用法与 {plural} 的完整列表相同。",
    "*.create": "向 {plural} 添加一个条目，归调用者所有。应答头 Location 给出它的地址。",
    "*.createNested": "向 {plural} 添加一个引用此条目的条目。请求体可以省略引用字段。",
    "*.get": "返回 {plural} 中的一个条目。If-None-Match 与当前版本一致时返回 304。",
    "*.replace": "用请求体替换 {plural} 中的一个条目。请求体没有的字段取默认值。",
    "*.update": "按合并补丁（RFC 7396）修改 {plural} 中一个条目的部分成员。null 表示删除该成员。",
    "*.remove": "删除 {plural} 中的一个条目。删除后无法恢复。有其他条目引用它时返回 409。",
    fixedAnswer: "对任何请求都返回固定应答。",
    answeredByCode: "返回项目自己的代码给出的应答。",
    getMyAccount:
      "返回调用者自己的账号。用 HTTP Basic 而不是会话 token 识别调用者。没有该请求头时返回 401，浏览器会询问用户名和密码；填错返回 403。密码以明文传输，不建议使用。",
    createDraw:
      "抽出一个抽奖的下一个奖品。参与者都可以抽，包括其他用户创建的抽奖。一人只中一次，一个奖品只抽一次。同一抽奖正在抽取时，其他抽取请求返回 503 和 Retry-After；奖品全部抽完后返回 403。",
    createFileEvent:
      "接收监视程序的一条文件变更通知。路径末尾有没有斜杠都可以。202 表示已保存、随后处理，之后没有其他应答。X-Event-Id 重复的通知会收下并忽略；该 id 最多 200 个字符。",
    createOrder:
      "向平台下单，返回客户端付款所需的参数。使用统一下单；MICROPAY 使用付款码支付。Idempotency-Key 和请求体都相同的重复请求返回同一订单，首次请求未结束时也是如此；请求体不同则拒绝（400）。结果未知时返回 503 和 Location：用同一个 key 重试，或到该地址查询。期间已结束的订单不会重新下单。平台拒绝时返回 400 或 403，并带平台的 err_code。",
    listOrders: "分页返回调用者的订单，最新的在前。内容是上次得知的状态，不会向平台查单。",
    getOrder:
      "返回一个订单。状态为 NOTPAY 或 USERPAYING 时先向平台查单，客户端由此确认款项是否真的到账。查单失败返回 503。",
    createClosure:
      "关闭订单，之后无法再付款。如果同时有付款到账，以付款为准：返回 403，订单按已支付结清。重复关单也返回成功。平台没有应答或要求稍后再试时返回 503。",
    createRefund:
      "退款，可以全额或部分。201 表示平台已受理，不代表买家已收到款；退款状态以后续查询退款为准。无法确定是否受理，或商户余额不足时，返回 503：本服务器会用同一退款单号重试，客户端重发请求也沿用该单号，因此不会重复退款。",
    createReversal:
      "撤销付款码支付（MICROPAY）。已付的款退回，未付的订单关闭。买家正在输入密码或平台没有应答时返回 503，之后自动继续撤销，即使买家在此期间付款。",
    createPaymentNotification:
      "接收平台的支付结果通知。按内容类型区分：v2 是 XML，v3 是 JSON。先验签，再查单，只以 trade_state 为准；同一订单无论通知多少次只结清一次。按版本应答：v2 返回 XML，return_code 为 SUCCESS 或 FAIL；v3 返回 200，或 4xx、5xx 和 code FAIL。应答失败时应答头 Hearth-Refusal 用一个词说明原因，平台随后会重发。仅供平台调用，不需要登录，不带状态包。",
    createRefundNotification: "接收平台的退款结果通知。处理方式与支付通知相同，退款状态以查询退款为准。",
    createSession:
      "用客户端的登录码换取会话 token。这是登录的第一步。应答中的状态包含有 token 和还缺的步骤；平台不认可的登录码返回 401。",
    getCurrentSession: "返回调用者当前会话的开始和结束时间。只需要有效的 token，登录步骤未完成也可以调用。",
    deleteCurrentSession: "结束调用者的当前会话。该 token 立即失效，同一用户的其他会话不受影响。",
    createUserInfo:
      "保存客户端 getUserInfo 回调的结果。401 带 `WWW-Authenticate: getUserInfo` 时调用。服务器负责验签和解密；不是用已知 session_key 签名的数据返回 401 和 `WWW-Authenticate: Bearer`（请重新登录），属于其他用户的数据返回 403。",
    createPhoneNumber:
      "保存客户端 getPhoneNumber 回调得到的手机号。401 带 `WWW-Authenticate: getPhoneNumber` 时调用，可以提交 code 或加密数据。code 已使用或不存在时仍返回该 401；已知 session_key 都无法解密时返回 401 和 `WWW-Authenticate: Bearer`（请重新登录）。",
    getMyPhoneNumber: "返回调用者的手机号。状态包从不包含手机号，客户端不得保存。",
    createUpload:
      "保存上传组件发来的一个文件。文件放在 `[]` 部分，`type` 字段用一个词说明用途。内容必须与扩展名一致。多个文件请打包成一个压缩包。被拒绝时返回 `{success: false, err_msg}`，不保留任何内容。",
    createAvatar:
      "保存一张图片，并重定向到展示它的页面。图片放在 `Avatar` 部分。页面地址是随机的，知道地址的人都能查看。被拒绝时返回 `{success: false, err_msg}`。",
    getAvatarPage: "返回展示头像的页面。上传头像后的重定向指向这里。",
    getAvatarImage: "返回头像图片本身。",
    listUploads: "返回调用者的上传，最新的在前。",
    getUpload: "返回调用者一个上传的信息。",
    getUploadContent: "以附件形式返回文件内容。请求带 Range 时返回对应的部分。",
    getUploadThumbnail: "返回图片的缩略图。格式为 WebP，最大 256×256 像素。安装 Hearth 时没有 `sharp` 则返回 501。",
    listUploadEntries: "列出 zip 压缩包里的文件，不解压。最多列出前 1,000 项。",
  },
};
