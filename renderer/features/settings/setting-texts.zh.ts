/** The meaning of each setting in Chinese; the server has the English texts. */
import type { SettingName } from "../../../server/contract/process/settings.ts";

const texts: Record<SettingName, string> = {
  headless: "不打开窗口，即使有显示器。",
  data_dir:
    "数据库、上传文件和模型所在的文件夹。默认为系统存放应用数据的位置。项目的设置文件所指定的，须为空、由你自己的 Hearth 创建，或曾在启动时被指定过一次，才会采用。",
  app_port: "应用服务器的端口；0 表示任意空闲端口。",
  console_port:
    "控制台的端口，控制台因此有自己的来源（origin）。默认 3082，已被占用时取下一个空闲端口；app_port 为 0 时取任意空闲端口。",
  provider_port: "平台模拟器的端口；0 表示任意空闲端口。",
  model_port: "模型服务的端口；0 表示任意空闲端口。",
  host: "除本机回环地址外还监听的地址。0.0.0.0 会把 Hearth 开放给局域网；来自局域网的控制台和控制接口访问需要控制台令牌。",
  allowed_hosts:
    "除本机名称、localhost 和地址外，还可用来访问本机的名称；.example.com 表示 example.com 及其所有子域，* 表示任意名称。",
  allowed_targets:
    "除公网地址外，Hearth 可代其他机器上的请求者访问的名称、地址和网段（CIDR）：通知的接收方、模型仓库。本机地址须逐个列出才算。",
  open: "打开控制台：在窗口中，或在 headless 时用浏览器。默认有显示器时打开窗口。",
  update_url: "存放新版本的网络文件夹，窗口会提示其中的新版本。默认不查找。",
  update_backup: "较新版本的 Hearth 改动数据之前先完整备份，以便退回；关闭时只复制数据库。",
  ready_file: "所有服务就绪后写入的文件（原子写入）：含 app、provider、model、console 和 pid 的 JSON。",
  model: "除数据目录中的模型外，另外列出并提供的 GGUF 文件或其所在文件夹。",
  models_dir:
    "已有的 Ollama 模型库，原地使用且从不修改。默认为 OLLAMA_MODELS，否则为主目录下的 .ollama/models；留空表示不用。",
  models_dir_writable: "在该 Ollama 模型库中（而不是在数据目录中）拉取、创建和删除模型。",
  registry_auth: "私有模型仓库的凭据：host=user:password 或 host=token，多个用逗号分隔；不会再显示。",
  registry_mirror:
    "代替 registry.ollama.ai 的仓库，如 https://mirror.example，可带路径。路径中含 {host} 时（如 https://mirror.example/{host}）代替所有仓库。默认不使用。",
  upstreams:
    "为模型服务运行模型的服务器，用 Ollama 或 OpenAI 的 API：NAME=URL?key_env=变量&prefix=前缀&model=模型，除 URL 外均可省略。以 /v1 结尾的 URL 表示 OpenAI 的 API；也可用 kind=ollama 或 kind=openai 指明。",
  upstream_keys: "上游的密钥：NAME=密钥，多个用逗号分隔；不会再显示。",
  gpu_engine_registry: "下载引擎 GPU 版本所用的 npm 源或其镜像；每个包都与已知的 SHA-512 比对。",
  undeclared_members: "回答的模式允许但没有列出的成员：不生成（closed），或允许生成（open）。",
  prompt_cache_mb:
    "在磁盘上保留最近提示词状态的空间，单位为 MB（1,048,576 字节）：重新加载的模型从这些状态继续。0 表示不保留，并删除已有的状态。",
  log_level: "要打印的最低日志级别。",
  json: "以 JSON 打印日志。",
  record_requests: "记录发往应用服务器、平台模拟器和模型服务的请求，供查看、断言和重放。",
  record_limit: "最多保留的请求数；最旧的先删除。",
  trusted_proxies:
    "可信代理的地址和网段（CIDR）：相信它们所说的请求方、协议和主机（X-Forwarded-For、-Proto、-Host 或 Forwarded）。经它们转发的请求永远不算本机的请求。",
  require_keys:
    "谁必须向模型服务发送密钥：一旦有密钥，其他机器需要（auto）；其他机器一律需要（elsewhere）；所有人都需要（always）。",
  metrics: "每个服务以 Prometheus 格式应答 GET /metrics：本机可直接读取，其他机器需要控制台令牌或密钥。",
  shutdown_delay_seconds: "服务停止时，先在 /readyz 答 503 多少秒再停止接受请求：负载均衡器需要多久发现，就设多久。",
  drain_seconds: "此后未完成的请求最多还可进行多少秒。默认 2 秒，模型的回答为 0；事件流立即结束。",
  require_userinfo: "既没有用户信息也没有 unionid 时，业务接口要求用户信息这一步（401 getUserInfo）。",
  phone_is_identity: "以手机号作为用户身份（未知时答 401 getPhoneNumber）。",
  one_user_per_phone:
    "用新的 openid 登录时，若手机号已属于某个用户，就成为该用户（uid 相同）。需开启 phone_is_identity。",
  identity_base_url: "身份平台的基础地址，例如真实平台。默认为模拟器。",
  identity_app_id: "在该平台的 App ID。默认为模拟器的测试应用。",
  identity_app_secret: "在该平台的 App Secret；不会再显示。默认为模拟器的测试应用。",
  payment_version: "要调用的支付接口版本：v2 为 XML 和共享密钥，v3 为 JSON 和 RSA。",
  payment_base_url: "支付平台的基础地址，例如真实平台。默认为模拟器；未设其他支付密钥或编号时用其内置商户。",
  payment_mch_id: "在支付平台的商户号。",
  payment_app_id: "与商户号绑定的 App ID。",
  payment_api_v2_key: "商户的 API v2 密钥；不会再显示。v2 必需。",
  payment_api_v3_key: "商户的 API v3 密钥；不会再显示。v3 必需。",
  payment_merchant_key_file: "商户私钥的 PEM 文件，用于 v3 请求签名。v3 必需。",
  payment_merchant_serial: "商户证书的序列号。v3 必需。",
  payment_platform_key_file:
    "平台证书的 PEM 文件；若设了 payment_platform_key_id 则为平台公钥，用于验证 v3 应答。默认使用平台下发的证书。",
  payment_platform_key_id: "平台公钥的编号，供以公钥代替证书验签的商户使用。",
  payment_sign_type: "v2 请求的签名方式，也是应答和通知中唯一接受的方式。",
  payment_notify_url: "支付平台访问本服务器的基础地址，其后会加上 /api/payments/…。默认为本服务器自己的地址。",
  payment_timeout_ms: "调用支付平台的最长时间（毫秒）。",
  basic_auth: "在 POST /api/sessions 和 GET /api/accounts/me 接受 HTTP Basic。不建议：密码以明文传输。",
  raffle_draw_ms: "一次抽奖持有锁的时间（毫秒）。",
  collections_dir: "JSON Schema 文件所在的文件夹，每个文件成为 /api 下的一个数据集。默认为数据目录中的 collections。",
  routes_file: "为不属于数据集的路径给出固定应答的 JSON 文件。默认为数据目录中的 routes.json。",
  stand_in: "接管真实平台的域名：命令使用 hearth ca --env 打印的环境变量后，访问这些域名得到的是模拟器。",
  stand_in_port: "主机接管的代理和域名所用的端口；0 表示任意空闲端口。",
  stand_in_passes:
    "Hearth 接管真实平台的域名时，命令仍可访问的主机名；.example.com 指 example.com 及其下所有域名。本地主机总是放行。",
  https: "也以 HTTPS 应答本地网络中的设备，端口不变，证书由本安装的证书机构签发（hearth ca）。",
  maintenance: "对 /api 下的每个请求答 503 并带 Retry-After。",
  durability:
    "断电可能带走哪些已应答的内容：没有（full），或最后片刻（normal，更快）。进程结束在两种情况下都不会丢失内容。",
  database_url:
    "应用服务器和模拟平台所用的 PostgreSQL 数据库，postgres://user:password@host/database；密码不会再显示。默认为数据目录中的 SQLite 文件。",
  session_ttl_seconds: "会话令牌的有效期（秒）。",
  MaxSizeOfSigleFile_MB: "上传文件的最大尺寸，单位 MB（1,048,576 字节）。",
  uploads_bucket: "存放上传内容的 S3 兼容存储桶，写作 name 或 name/prefix。默认为数据目录中的 uploads 文件夹。",
  uploads_endpoint: "亚马逊以外的存储（如 MinIO 或 Garage）的基础地址。默认为所在区域的亚马逊地址。",
  uploads_key_id: "存储桶访问密钥的 ID。默认由 AWS SDK 从环境变量、配置文件和角色中查找。",
  uploads_secret_key: "该访问密钥的密文；不会再显示。",
  uploads_link_seconds: "客户端直接从存储下载上传文件的链接的有效期（秒）；0 表示不生成链接，下载经由 Hearth。",
  cors_origins:
    "允许浏览器从哪些来源调用：“loopback”（本机任意端口）、“*”，或如 https://shop.example,app://shop 的列表（模型服务接受每项含一个 *）；留空则关闭 CORS。",
  query_normalization: "对以“&”开头的查询重定向：测试时用 302 或 307，正式时用 301，off 则答 400。",
  strict_requests: "请求中有操作不认识的名称时予以拒绝（400）。",
  enum_as_text: "接口文档中的枚举参数以文字显示；关闭则以序号显示，并接受序号。",
  json_indent: "JSON 应答的缩进空格数；?pretty 表示 2。",
  json_relaxed: "JSON 中的非 ASCII 字符原样写出，而不是转义。",
};

export const describeInChinese = (name: string): string | undefined =>
  name in texts ? texts[name as SettingName] : undefined;
