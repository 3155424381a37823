/** The simulator's control routes. */
import type { ApiTexts } from "./api-texts.ts";

export const simulatorApiZh: ApiTexts = {
  title: "Hearth 平台模拟器",
  introduction: `
测试和控制台用这些接口扮演平台的客户端、买家，或平台本身。

<details>
<summary>访问权限、数据格式和通用约定</summary>

本机上的程序可以直接调用；其他机器要在 \`Authorization: Bearer TOKEN\` 里带上本次运行的控制台 token。其他来源的页面不予应答。
平台提供给服务器的接口（登录、v2 和 v3 支付）是平台自己的 API，这里不作说明。

请求体可以是 JSON 或 XML；字段都是简单值时也可以是表单；应答是 JSON。错误都是 \`{Message, code, details?}\`，按 \`Accept\` 也可以是 XML。
不存在的路径或方法返回 404。路径不区分大小写。用户在首次提到时自动创建。

</details>
`.trim(),
  tags: {
    state: "模拟器的全部状态，作为一个文档。",
    platform: "模拟平台的行为、商户和密钥。",
    people: "平台的用户，以及他们对应用的授权。",
    client: "平台客户端提供给小程序的功能。",
    "mini-program": "打开小程序的码和链接、发给用户的消息，以及内容审核。",
    orders: "订单、退款和通知：处理结果，以及买家的操作。",
    "profit-sharing": "商户把订单的一部分资金分给其他方。",
    transfers: "商户给用户的转账，由用户确认收款。",
    "pay-pages": "扮演买家付款的页面。",
    faults: "注入的故障。",
    "receiver-checks": "对支付通知接收端的检查。",
  },
  operations: {
    simLogin: "返回一个用户的登录码。用户不存在时自动创建。",
    simGetUserInfo: "返回客户端调用平台 getUserInfo 得到的结果。",
    simGetPhoneNumber: "返回客户端调用平台 getPhoneNumber 得到的结果。",
    simGetLocation: "返回客户端调用平台 getLocation 得到的结果。",
    simRequestPayment: "返回客户端调用平台 requestPayment 得到的结果。用户操作之后才应答。",
    createSimPaymentCode: "生成一个用户的付款码，供收银台扫描。",
    getSimPayPage: "显示付款页面。扮演扫描 NATIVE 订单二维码的买家。",
    postSimPayPage: "提交付款页面的表单，并返回该页面。",
    getSimPayCode: "显示 NATIVE 订单的二维码。",
    listSimFaults: "返回所有故障及各自的命中次数。",
    replaceSimFaults: "用这些故障替换全部故障。",
    createSimFault: "添加一个故障。",
    deleteSimFaults: "删除所有故障。",
    deleteSimFault: "删除一个故障。",
    simLaunch: "用码的内容或链接打开小程序。与用户的手机所做的相同。",
    listSimTemplates: "返回订阅消息的模板。",
    putSimTemplate: "添加一个订阅消息模板，同 id 的会被替换。",
    simSubscribe: "返回客户端调用平台 requestSubscribeMessage 得到的结果。用户每接受一次，该模板可以多发送一次。",
    listSimMessages: "返回发给一个用户的订阅消息，最新的在前。",
    listSimContentRules: "返回文本和媒体的审核规则。",
    putSimContentRules: "替换文本和媒体的审核规则。以第一条匹配的规则为准；没有规则匹配时通过。",
    listSimMediaChecks: "返回媒体审核的结果，最新的在前。目前平台不会向应用推送这些结果。",
    listSimOrders: "分页返回所有商户的订单，最新的在前。",
    getSimOrder: "返回一个订单，包括失败的付款、退款、商户的调用和已发送的通知。",
    paySimOrder: "以买家身份支付一个订单。",
    askPasswordOfSimOrder: "要求买家输入密码。订单状态变为 USERPAYING，直到支付成功、失败或超过 `password_seconds`。",
    failSimOrder: "让买家的付款失败。原因（`how`）可以放在查询或请求体中，以请求体为准。",
    expireSimOrder: "让订单的付款时间立即到期。",
    notifyOfSimOrder: "重新发送订单的最新通知。通知正在等待重试时，算作该次重试。",
    sendAboutSimOrder: "立即发送一个订单的通知。可以是正确的、伪造的或损坏的，可以发送一次或多次。",
    listSimShares: "返回分账请求，最新的在前。",
    finishSimShare: "结束一个状态为 PROCESSING 的分账请求。",
    putSimShareSettings: "替换一个商户的分账设置。",
    listSimTransfers: "返回给用户的转账，最新的在前。",
    confirmSimTransfer: "以用户身份确认收款。过 `refund_seconds` 秒后到账。",
    failSimTransfer: "让一笔转账失败。资金退回商户。",
    finishSimRefund: "结束一个状态为 PROCESSING 的退款。",
    listSimNotifications: "分页返回通知，最新的在前。",
    listSimUndelivered: "返回有通知未被接收端接受的最新订单。",
    streamSimOrderChanges: "推送订单和退款的变化。使用 server-sent events：`order`、`refund` 和 `reset`。",
    createReceiverCheck:
      "开始检查一个通知接收端。检查自动进行，可以同时有多个。存在你自己注入的故障时返回 409。\n\n带 `Accept: application/x-ndjson` 时逐行返回每一步的进度，调用方断开即取消。",
    listReceiverChecks: "返回本次运行的检查，最新的在前。",
    getReceiverCheck: "返回一个检查及已有的结果。",
    cancelReceiverCheck: "取消一个检查，清理完成后应答。检查报告保留。",
    listSimPeople: "返回平台的用户。",
    getSimPerson: "返回一个用户的资料，用户不存在时也一样。",
    changeSimPerson: "修改一个用户的资料。用户不存在时自动创建。",
    deleteSimPerson: "删除一个用户。其订单保留。",
    rotateSimSessionKey: "生成新的 session_key。平台随时可能这样做。用旧的 session_key 加密的数据会失效。",
    getSimAllowances: "返回一个用户对应用的授权。",
    changeSimAllowances: "修改一个用户对应用的授权。与平台的设置页相同；null 表示从未询问过。",
    getSimSettings: "返回模拟平台的行为设置。",
    changeSimSettings: "修改模拟平台的行为设置。没有给出的设置不变。",
    listSimMerchants: "返回平台的商户。",
    putSimMerchant: "添加一个商户，同 id 的会被替换，内置商户也可以替换。Hearth 自己的支付改用它的第一个应用和新密钥。",
    getSimCredentials: "返回配置模拟器客户端所需的全部信息。密钥只用于测试，在别处无效。",
    getSimMerchantCertificate: "返回商户证书及其私钥。格式为商户平台下发的 PKCS #12 文件，密码是商户号。",
    getSimPlatformCertificate: "以文件形式返回最新的平台证书。",
    getSimPlatformKey: "返回平台为一个商户签名所用的密钥。",
    changeSimPlatformKey: "选择平台为一个商户签名所用的密钥：证书、公钥，或切换期间两者都用。",
    rotateSimPlatformKey: "生成新的平台证书。平台每隔几年更换一次。旧证书仍可下载。",
    getSimState: "以一个文档返回模拟器的全部状态。",
    putSimState: "替换模拟器的全部状态。",
    deleteSimState: "清空模拟器。",
    listOperations: "列出平台公开 API 的操作，以及模拟器对各操作的支持程度。未模拟的操作返回 501。",
  },
};
