/** Descriptions of the fields of requests, events, settings and storage in Chinese, by the English text without its default. */
export const trafficFieldTextsZh: Readonly<Record<string, string>> = {
  "Service that reported the event: /app, /provider, /model, /supervisor, /watcher.":
    "上报事件的服务：/app、/provider、/model、/supervisor 或 /watcher。",
  "Trace context of the event (CloudEvents extension).": "事件所属的调用链（CloudEvents 扩展）。",
  "Injected faults that hit the event's span (extension of Hearth): keys and kinds.":
    "命中此事件所在 span 的注入故障（Hearth 的扩展）：键和类型。",
  "Data of the event. Its type decides the members.": "事件的数据，字段由事件类型决定。",
  "Whether the setting `host` opens Hearth to the whole network. If so, there is nothing to switch.":
    "设置 `host` 是否已向整个网络开放 Hearth。已开放时无需再开启。",
  "Name of the chosen network interface.": "所选网络接口的名称。",
  "Services for the devices.": "供设备使用的服务。",
  "Allow every device on this network until this machine leaves it or the setting changes.":
    "允许此网络中的所有设备，直到本机离开该网络或修改此设置。",
  "Address with the prefix length of its network.": "地址及其网络的前缀长度。",
  "Current network interfaces of this machine, the most likely first.": "本机当前的网络接口，最可能用到的在前。",
  "Base URL for the devices, while the service listens.": "供设备使用的地址，服务正在监听时返回。",
  "Reason why the service does not listen.": "服务没有监听的原因。",
  "One entry per service. Empty while the access is off.": "每个服务一项。未开放访问时为空。",
  "Where devices get the authority's certificate, if the URLs are HTTPS.": "地址为 HTTPS 时，设备从这里获取 CA 证书。",
  "Operating system, as Node.js names it.": "操作系统，Node.js 中的名称。",
  "Admitted devices.": "已接入的设备。",
  "Devices that called in the last minutes and are not admitted.": "最近几分钟内发来请求、尚未接入的设备。",
  "Network interface. Default: the most likely one.": "网络接口。默认为最可能用到的一个。",
  "Time of arrival.": "到达时间。",
  "Query without '?'. Empty without a query.": "查询，不含 `?`。没有查询时为空。",
  "False if the connection ended before the answer did.": "应答完成之前连接已断开时为 false。",
  "Duration from the request's head to the last byte of the answer, in ms.":
    "从收到请求头到发出响应最后一个字节的时间，单位为毫秒。",
  "Received bytes of the request's body. Fewer than sent if the body was not read.":
    "收到的请求体字节数。没有读取请求体时，少于客户端发送的字节数。",
  "Size of the answer's body, in bytes.": "响应体的字节数。",
  "Address of the peer.": "对端地址。",
  "Id in X-Request-Id and in the log.": "X-Request-Id 和日志中的编号。",
  "Flow of the request: `login:` with an id, or `order:` with the order number.":
    "请求所属的流程：`login:` 加编号，或 `order:` 加订单号。",
  "Id of the recorded request that this one repeats.": "此请求重放的是哪个已记录的请求。",
  "Code of the refusal.": "拒绝请求的错误码。",
  "The exception behind a 500.": "导致 500 的异常。",
  "Injected faults that hit the request.": "命中此请求的注入故障。",
  "Unknown names from the reply's header Hearth-Warning.": "应答的 Hearth-Warning 头中的未知名称。",
  "First line of Hearth's code in the stack of `error`.": "`error` 的调用栈中 Hearth 自身代码的第一行。",
  "Path relative to the server's working directory.": "相对服务器工作目录的路径。",
  "Line number, from 1.": "行号，从 1 开始。",
  "Number of the first of `lines`.": "`lines` 第一行的行号。",
  "The line and some lines around it.": "该行及其前后若干行。",
  "Whether only the beginning is stored.": "是否只保存了开头。",
  "Binary content, in base64.": "二进制内容，base64 编码。",
  "Reason why nothing is stored: the body could not be searched for secrets.": "没有保存的原因：无法在内容中查找机密。",
  "Pieces of a streamed answer, as far as its body is stored.": "流式应答的各个片段，只包括已保存的部分。",
  "Time since the request's head, in ms.": "距收到请求头的时间，单位为毫秒。",
  "Difference from real time, in ms. Positive: ahead.": "与真实时间的差，单位为毫秒；正数表示快于真实时间。",
  "Methods that the fault hits. Default: all.": "故障命中的请求方法。默认为全部。",
  "Path that the fault hits. `*` matches text without '/', `{name}` one segment, `**` at the end everything below.":
    "故障命中的路径。`*` 匹配不含 `/` 的文本，`{name}` 匹配一段，末尾的 `**` 匹配其下所有路径。",
  "Delay before the reply, in milliseconds.": "应答前的延迟，单位为毫秒。",
  "Status to return instead of the real reply.": "代替真实应答的状态码。",
  "Value of the reply's `Message`.": "应答中 `Message` 的值。",
  "Whole body of the reply as JSON, instead of `{Message, code}`.": "完整的 JSON 响应体，代替 `{Message, code}`。",
  "Headers of the reply.": "响应头。",
  "Cuts the connection without a reply.": "不应答，直接断开连接。",
  "Share of the matching requests that the fault hits.": "命中的请求在匹配请求中所占的比例。",
  "Seed of the random choice. The same seed hits the same requests.": "随机选择的种子。种子相同，命中的请求也相同。",
  "How many times it fires. Default: unlimited.": "触发次数。默认不限。",
  "Number of requests that the fault has hit.": "故障已命中的请求数量。",
  "Times of the newest hits since this start, oldest first, at most 50.":
    "本次启动以来最近的命中时间，最早的在前，最多 50 个。",
  "Whether the fault has fired as often as `times` allows.": "触发次数是否已达到 `times`。",
  "Number of items by part.": "各部分的数量。",
  "Name to tell keys apart.": "用于区分各个密钥的名称。",
  "`model:use`: use and list models. `model:manage`: pull, create, copy and delete models. `control`: everything that the console token may do. `metrics:read`: GET /metrics.":
    "`model:use`：使用和列出模型。`model:manage`：拉取、创建、复制和删除模型。`control`：控制台 token 的全部权限。`metrics:read`：GET /metrics。",
  "Scopes of the key.": "密钥的权限范围。",
  "Limits of the key. Each service counts separately from its start. Absent: unlimited.":
    "密钥的用量限制。各服务从自身启动时起分别计数。不返回表示不限。",
  "Maximum number of requests per minute.": "每分钟的最大请求数。",
  "Maximum number of concurrent requests.": "同时进行的最大请求数。",
  "Maximum number of model tokens per day (UTC), prompts and answers together. A request that has begun is completed.":
    "每天（UTC）的最大模型 token 数，包括提示词和回答。已开始的请求会执行完。",
  "When the key expires. Absent: never.": "密钥的失效时间。不返回表示永久有效。",
  "Id of the key that created this key. Deleting that key deletes this one. Absent: a person created it.":
    "创建此密钥的密钥编号；删除那个密钥时，此密钥也会删除。不返回表示由人创建。",
  "The key itself. It is returned only once, because Hearth stores only its SHA-256.":
    "密钥本身。只返回这一次，因为 Hearth 只保存它的 SHA-256。",
  "Values of a choice.": "可选的值。",
  "Whether the value is secret: it can be set but is never shown.": "是否为机密：可以设置，但从不显示。",
  "False for settings that locate the configuration file.": "用于查找配置文件的设置为 false。",
  "Whether an empty text is a separate value; otherwise it means no value.":
    "空文本是否算作一个值；为 false 时空文本表示未设置。",
  "Value in this run. Absent for secrets and unset settings. A database's address has no password here.":
    "本次运行中的值。机密和未设置的项不返回。数据库地址不含密码。",
  "Whether a flag, a variable or a file sets the value.": "该值是否由参数、环境变量或文件设置。",
  "Source of this run's value. `file`: the data directory's configuration file. `project`: that of the working directory.":
    "本次运行的值的来源。`file`：数据目录的配置文件。`project`：工作目录的配置文件。",
  "Flag of the setting.": "对应的命令行参数。",
  "Environment variable of the setting.": "对应的环境变量。",
  "Whether the data directory's file has another value that has not taken effect yet.":
    "数据目录的配置文件中是否有尚未生效的新值。",
  "Value that a pending setting will have. Absent in the same cases as `value`.":
    "尚未生效的值。不返回的情形与 `value` 相同。",
  "When a change takes effect: at once, when its services restart, or at the next start of Hearth.":
    "修改何时生效：立即、相关服务重启时，或 Hearth 下次启动时。",
  "Size of the download, in bytes.": "下载的字节数。",
  "GPU builds for this system. Empty if there is none or the engine already includes it, as on a Mac.":
    "适用于此系统的 GPU 版本。没有，或引擎已内置时（如 Mac）为空。",
  "State of the installed build in the runner. With `failed` and `crashed`, models run on the CPU. A crashed build is not retried automatically.":
    "运行器中已安装版本的状态。状态为 `failed` 或 `crashed` 时，模型在 CPU 上运行。崩溃过的版本不会自动重试。",
  "Reason why the build is not used.": "没有使用此版本的原因。",
  "Running download.": "正在进行的下载。",
  "Reason why the last download failed. The partial file is kept.": "上次下载失败的原因。已下载的部分会保留。",
  "Whether a count is running. Ask again in a moment for its result.": "是否正在统计。稍后再次请求即可得到结果。",
  "Number of files counted so far, or in the last count.": "目前已统计的文件数量，或上次统计的数量。",
  "When the sizes were counted. Absent before the first count ends.": "统计占用空间的时间。首次统计完成之前不返回。",
  "Bucket with the contents of uploads. Contents in a bucket are not counted.":
    "存放上传内容的存储桶，其中的内容不计入占用空间。",
  "Sizes by part. `application` and `provider`: databases with their journals. `orphans`: contents without an upload. `backups`: copies made by Hearth.":
    "各部分占用的空间。`application` 和 `provider`：数据库及其日志文件。`orphans`：没有上传记录的内容。`backups`：Hearth 创建的备份。",
  "When the state was saved. Expiry times are extended by the time since then.":
    "保存此状态的时间。各项失效时间会顺延此后经过的时间。",
  "Highest id ever assigned, for counted ids.": "曾经分配过的最大 id，只用于递增的 id。",
  "Tables by part and name. Omitted tables are emptied.": "各部分的表，以名称为键。没有列出的表会清空。",
};
