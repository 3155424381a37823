/** The meaning of each setting in Chinese; the server has the English texts. */
import type { SettingName } from "../../../server/contract/process/settings.ts";

const texts: Record<SettingName, string> = {
  headless: "不打开窗口，即使有显示器。",
  data_dir:
    "数据库、上传文件和模型所在的文件夹。默认为系统存放应用数据的位置。项目的配置文件只能指定空文件夹或 Hearth 用过的文件夹。",
  app_port: "应用服务器的端口。0 表示任意空闲端口。",
  console_port:
    "控制台的端口，控制台因此有独立的来源（origin）。默认 3082，已占用时取下一个空闲端口；app_port 为 0 时取任意空闲端口。",
  provider_port: "平台模拟器的端口。0 表示任意空闲端口。",
  model_port: "模型服务的端口。0 表示任意空闲端口。",
  host: "除本机回环地址外还监听的地址。0.0.0.0 会把 Hearth 开放给局域网，此时控制台和控制接口需要控制台 token。",
  allowed_hosts:
    "除本机名称、localhost 和地址外，请求可使用的主机名。.example.com 匹配 example.com 及其子域名，* 匹配任意名称。",
  allowed_targets:
    "除公网地址外，Hearth 可代其他机器访问的名称、地址和网段（CIDR）：通知接收端和模型仓库。本机地址须逐个列出。",
  open: "启动时打开控制台：在窗口中，headless 时用浏览器。默认有显示器时打开窗口。",
  update_url: "存放新版本的网络文件夹，由窗口提示更新。默认不检查更新。",
  update_backup: "较新版本的 Hearth 更新数据之前完整备份。关闭时只备份数据库。",
  ready_file: "所有服务就绪后写入的文件：含 app、provider、model、console 和 pid 的 JSON，原子写入。",
  model: "除数据目录中的模型外，另外提供的 GGUF 文件或其所在文件夹。",
  models_dir:
    "已有的 Ollama 模型库，原地使用且从不修改。默认为 OLLAMA_MODELS，否则为主目录下的 .ollama/models。留空表示不用。",
  models_dir_writable: "在该 Ollama 模型库中拉取、创建和删除模型，而不是在数据目录中。",
  registry_auth: "私有模型仓库的凭据：host=user:password 或 host=token，多个用逗号分隔。设置后不再显示。",
  registry_mirror:
    "registry.ollama.ai 的镜像，如 https://mirror.example，可带路径。路径中含 {host} 时（如 https://mirror.example/{host}）作为所有仓库的镜像。默认不使用。",
  upstreams:
    "为模型服务运行模型的服务器，使用 Ollama 或 OpenAI 的 API：NAME=URL?key_env=变量&prefix=前缀&model=模型，只有 URL 必填。以 /v1 结尾的 URL 表示 OpenAI 的 API，也可用 kind=ollama 或 kind=openai 指明。",
  upstream_keys: "上游的密钥：NAME=密钥，多个用逗号分隔。设置后不再显示。",
  gpu_engine_registry: "下载引擎 GPU 版本所用的 npm 源或其镜像。每个包都校验已知的 SHA-512。",
  undeclared_members: "回答的 schema 允许但未声明的字段：不生成（closed）或允许生成（open）。",
  prompt_cache_mb:
    "提示词状态占用的磁盘空间，单位 MB（1,048,576 字节）。模型重新加载后从中继续。0 表示不缓存并删除已有缓存。",
  log_level: "打印的最低日志级别。",
  json: "以 JSON 打印日志。",
  record_requests: "记录发往应用服务器、平台模拟器和模型服务的请求，供查看、断言和重放。",
  record_limit: "最多记录的请求数，总量不超过 1 GB。最早的先删除。",
  trusted_proxies:
    "可信代理的地址和网段（CIDR）。Hearth 采用其 X-Forwarded-For、-Proto、-Host 或 Forwarded 给出的客户端、协议和主机。经代理转发的请求不算本机请求。",
  require_keys:
    "必须向模型服务发送密钥的调用方：有密钥后的其他机器（auto）、其他机器（elsewhere）或所有调用方（always）。",
  otlp_endpoint: "收集器的基础地址。每个请求的链路以 OTLP/HTTP 发往其 /v1/traces。默认不发送。",
  mcp: "在控制台端口的 /mcp 按模型上下文协议（MCP）为智能体提供服务。read-only 只提供不改变任何内容的工具。每个调用方都需要权限为 control 的密钥。",
  metrics: "每个服务以 Prometheus 格式提供 GET /metrics。其他机器需要控制台 token 或密钥。",
  shutdown_delay_seconds: "/readyz 返回 503 后到服务停止的等待时间（秒），按负载均衡器发现所需的时间设置。",
  drain_seconds: "停止时留给未完成请求的时间（秒）。事件流立即结束。默认 2 秒，模型的回答为 0。",
  require_userinfo: "业务接口要求用户信息这一步（401 getUserInfo），直到已知用户信息或 unionid。",
  phone_is_identity: "以手机号识别用户（未知时返回 401 getPhoneNumber）。",
  one_user_per_phone: "新的 openid 若与已有用户手机号相同，则使用该用户的 uid。需开启 phone_is_identity。",
  identity_base_url: "身份平台的基础地址，例如真实平台。默认为模拟器。",
  identity_app_id: "身份平台的 App ID。默认为模拟器的测试应用。",
  identity_app_secret: "身份平台的 App Secret，设置后不再显示。默认为模拟器的测试应用。",
  payment_provider: "支付平台：微信支付，或支付宝。支付宝的网关为基础地址下的 `/gateway.do`。",
  payment_version: "要调用的微信支付接口版本：v2 为 XML 和共享密钥，v3 为 JSON 和 RSA。",
  payment_base_url: "支付平台的基础地址，例如真实平台。默认为模拟器；未设置支付密钥或编号时使用内置商户。",
  payment_mch_id: "支付平台的商户号。支付宝为卖家号（seller_id）。",
  payment_app_id: "与商户号绑定的 App ID。",
  payment_api_v2_key: "商户的 API v2 密钥，设置后不再显示。v2 必填。",
  payment_api_v3_key: "商户的 API v3 密钥，设置后不再显示。v3 必填。",
  payment_merchant_key_file:
    "商户私钥文件，用于请求签名。v3 和支付宝必填。格式为 PEM，支付宝也可为一行 base64（PKCS8）。",
  payment_merchant_serial: "商户证书的序列号。v3 必填。",
  payment_platform_key_file:
    "用于验证应答的文件。v3 为 PEM：平台证书，设置 payment_platform_key_id 时为平台公钥，默认使用平台下发的证书。支付宝必填：支付宝公钥（PEM 或一行 base64）或支付宝证书。",
  payment_platform_key_id: "平台公钥的编号，用于以公钥代替证书验签的商户（公钥模式）。",
  payment_sign_type: "v2 请求的签名方式。其他方式的应答和通知会被拒绝。",
  payment_notify_url: "支付平台访问本服务器的基础地址，其后追加 /api/payments/…。默认为本服务器的地址。",
  payment_timeout_ms: "调用支付平台的超时（毫秒）。",
  basic_auth: "在 POST /api/sessions 和 GET /api/accounts/me 接受 HTTP Basic。不建议：密码以明文传输。",
  raffle_draw_ms: "一次抽奖持有锁的时间（毫秒）。",
  collections_dir: "JSON Schema 文件所在的文件夹，每个文件成为 /api 下的一个数据集。默认为数据目录中的 collections。",
  routes: "含有你自己的路由代码的 TypeScript 文件。默认为工作目录中的 hearth.routes.ts，须先在该目录启动时指定过一次。",
  routes_file: "为数据集以外的路径提供固定应答的 JSON 文件。默认为数据目录中的 routes.json。",
  stand_in: "接管真实平台的域名：使用 hearth ca --env 所打印环境变量的命令会访问模拟器。",
  stand_in_port: "主机接管的代理和域名所用的端口。0 表示任意空闲端口。",
  stand_in_passes: "主机接管时命令仍可访问的主机。.example.com 匹配 example.com 及其子域名。本地主机始终放行。",
  https: "在相同端口上也以 HTTPS 服务局域网中的设备，证书由本安装的证书机构签发（hearth ca）。",
  maintenance: "对 /api 下的每个请求返回 503 和 Retry-After。",
  durability:
    "断电时的数据持久性：不丢失（full），可能丢失最后片刻的数据（normal，更快），或可能丢失全部临时数据（none）。进程结束不会丢失数据。",
  database_url:
    "应用服务器和平台模拟器的 PostgreSQL 数据库：postgres://user:password@host/database。密码设置后不再显示。默认为数据目录中的 SQLite 文件。",
  session_ttl_seconds: "会话 token 的有效期（秒）。",
  MaxSizeOfSigleFile_MB: "上传文件的最大大小，单位 MB（1,048,576 字节）。",
  uploads_bucket: "存放上传文件的 S3 兼容存储桶，写作 name 或 name/prefix。默认为数据目录中的 uploads 文件夹。",
  uploads_endpoint: "Amazon S3 以外的存储（如 MinIO 或 Garage）的基础地址。默认为所在区域的 Amazon S3。",
  uploads_key_id: "存储桶访问密钥的 ID。默认由 AWS SDK 从环境变量、配置文件和角色中查找。",
  uploads_secret_key: "存储桶的访问密钥，设置后不再显示。",
  uploads_link_seconds: "直接从存储下载的链接有效期（秒）。0 表示不生成链接，下载经由 Hearth。",
  cors_origins:
    "允许浏览器调用的来源：“loopback”（本机任意端口）、“*”，或列表，如 https://shop.example,app://shop。模型服务支持每个来源含一个 *。留空则关闭 CORS。",
  query_normalization: "以“&”开头的查询的重定向：测试用 302 或 307，正式用 301，off 返回 400。",
  strict_requests: "拒绝含未知名称的请求（400）。",
  enum_as_text: "接口文档中的枚举参数显示为文字。关闭时显示序号，并接受序号。",
  json_indent: "JSON 应答的缩进空格数。?pretty 表示 2。",
  json_relaxed: "JSON 中的非 ASCII 字符不转义。",
};

export const describeInChinese = (name: string): string | undefined =>
  name in texts ? texts[name as SettingName] : undefined;
