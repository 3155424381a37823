/** What the console's API does with the run: services, requests, events, faults, settings, devices. */
export const consoleRunZh = {
  getOverview: "返回运行概况：进程及其状态、服务地址、数据目录。",
  getServiceLog: "返回一个进程最近输出的 200 行，最早的在前。没有进程管理时为空。",
  getServicesMemory: "返回各进程的常驻内存。系统无法提供时省略。",
  restartService:
    "重启一个服务，可以在请求体中指定新端口。应答只表示已受理；进展见概况和事件。重启 `app` 会断开当前连接。",
  listEvents: "分页返回符合筛选条件的事件，最新的在前。用 `before` 传入一页最后的 id 可取下一页。",
  getEventHistogram: "返回符合筛选条件的事件数随时间的分布。分段方式与请求的直方图相同。",
  countEvents: "返回各来源、各类型的事件数。",
  streamStoredEvents:
    "事件保存后立即推送。使用 server-sent events，名称为 `event`，数据是事件的 JSON，id 是事件的 id。带 Last-Event-ID 时先补发此后保存的事件，重连不会遗漏。名为 `activity`、没有 id 的消息表示有新的请求记录，每秒最多两次。",
  createEvent: "保存另一个进程上报的事件，并推送给所有监听者。",
  listBans: "列出被应用服务器以 403 拒绝的 IP 地址。",
  createBan: "封禁一个 IP 地址。它在 /api 下的所有请求此后返回 403。重复封禁没有影响。",
  deleteBan: "解除对一个 IP 地址的封禁。",
  createLoginCode: "生成一个控制台登录码。只能在一个浏览器中使用一次，15 分钟内有效。",
  getLogin: "返回当前浏览器是否已登录。任何人都可以调用。",
  createLogin: "用登录码换取 cookie，浏览器保持登录 90 天。错误次数过多后，短时间内无论登录码对错都返回 429。",
  listBrowsers: "列出已登录控制台的浏览器，最近活动的在前。",
  deleteBrowser: "让一个浏览器退出登录，并结束它的事件流和其他请求。",
  getClock: "返回服务器当前使用的时间。",
  setClock: "调整会话、登录码和 session_key 据以过期的时钟。应用服务器和平台模拟器一起调整。重启后恢复为真实时间。",
  resetClock: "把时钟恢复为真实时间。",
  listFaults: "列出注入的故障及各自的命中次数。",
  replaceFaults: "用这些故障替换全部故障。每个故障对匹配的请求施加延迟、返回错误或断开连接。",
  createFault:
    "添加一个故障。多个故障匹配同一请求时，依次等待各自的 `delay_ms`，第一个带 `status` 或 `abort` 的故障结束该请求。应答头 `X-Hearth-Fault` 列出命中的故障。",
  deleteFaults: "删除所有故障。",
  deleteFault: "删除一个故障。",
  listWatchProcesses: "列出使用此数据目录的 `hearth watch` 进程，不限接收端。",
  listWatchedFolders: "列出被监视的文件夹及各自的状态。",
  createWatchedFolder:
    "开始监视一个文件夹，重启后继续。其中的每个变更都会发送到 `/api/inotify/`；加 `catch_up` 还会补发两次运行之间的变更，最多 200,000 个文件。监视开始或失败后才应答，由状态说明。文件夹已在列表中时返回 409。",
  getWatchedFolder: "返回一个被监视的文件夹。",
  updateWatchedFolder: "暂停或恢复监视一个文件夹，或修改排除规则。恢复已失败的监视会重试。",
  deleteWatchedFolder: "停止监视一个文件夹。文件夹本身和已保存的事件保留，尚未送达的变更会丢弃。",
  matchExcludePatterns:
    "返回排除规则会排除哪些路径，不做修改。检查 `sample` 中的路径；没有 `sample` 时检查文件夹现有的内容。",
  listKeys: "列出所有密钥，最早的在前。不含密钥的值。",
  createKey: "创建一个密钥。所有服务立即接受它。",
  deleteKey: "删除一个密钥，以及用它创建的密钥、登录码和浏览器登录。所有服务立即拒绝它们；已开始的请求会正常完成。",
  getGpuEngine: "返回引擎有哪些 GPU 版本、已安装哪个、是否在使用。",
  downloadGpuEngine:
    "下载并安装一个 GPU 版本。校验 SHA-512，替换已有版本，然后重启 runner。下载在应答之后继续，可以断点续传。",
  cancelGpuEngineDownload: "取消正在进行的下载，并删除已下载的部分。",
  retryGpuEngine: "重启 runner，再次尝试已安装的 GPU 版本。",
  removeGpuEngine: "删除已安装的 GPU 版本和已下载的内容，并在没有它的情况下重启 runner。",
  getLanAccess: "返回局域网访问的状态：能否访问、访问地址、已允许和等待中的设备。",
  changeLanAccess:
    "打开、关闭或修改局域网访问，应答前生效。没有给出的成员不变。本机没有该网络接口时返回 400；设置 `host` 已对所有人开放时返回 409。",
  admitLanDevice: "允许一个等待中的设备访问。",
  removeLanDevice: "移除一个设备，并立即结束它正在进行的请求。该设备可以再次请求访问，届时需要等待。",
  listSettings: "列出所有设置：含义、默认值、本次运行的值及其来源。保密设置不含值。",
  updateSettings:
    "把设置写入配置文件，null 表示移除。检查与启动时相同，任何一项有误时都不写入。`takes_effect` 说明各项何时生效。命令行参数和环境变量优先于配置文件。",
  restartForSettings:
    "重启受待生效设置影响的服务，并返回这些服务。发送应答后才开始重启；重启 `app` 会断开当前连接。相对路径和程序自身的设置在 Hearth 下次启动时生效。",
  listRequests: "分页返回符合筛选条件的请求记录，最新的在前。不含请求头和请求体。",
  deliverRequests:
    "记录本次运行的其他进程处理过的请求。模型服务用它成批提交自己的请求。随后保存，与应用服务器自己的记录相同；关闭记录时不保存。",
  countRequests: "返回符合筛选条件的请求记录数。",
  getRequestHistogram:
    "返回符合筛选条件的请求数随时间的分布。从 `since` 到 `until`（默认从最早到最新的记录）按相等的整数间隔分段。",
  getTraffic: "返回最近 5 分钟完成的调用数和耗时。每 5 秒一段，按调用方和服务分组。",
  getRouteCalls: "返回应用服务器启动以来各路由按状态码的调用次数。不限调用方，删除请求记录也不影响。关闭记录时不计数。",
  waitForRequests:
    "等待符合筛选条件的请求出现，然后返回，最新的在前。已有时立即返回；超时返回 404 和期间收到的请求。`after` 传入操作前最新请求的 id，可以排除之前的请求。",
  assertRequests: "断言符合筛选条件的请求数量。不符时返回 409、原因和最接近的请求，测试只需检查状态码。",
  exportHar: "把符合筛选条件的请求记录导出为 HAR 1.2，可以导入浏览器和代理工具。",
  streamRecording:
    "有请求记录新增或删除时推送事件。使用 server-sent events，名称为 `requests`，每秒最多 10 次；内容是最新的 id 和总数，不含请求本身。连接后立即推送一次。",
  getRequest: "返回一条请求记录，包括请求头和请求体。",
  getRequestSnippet:
    "返回重发该请求的命令或代码。敏感信息用变量代替：会话 token 用 `HEARTH_TOKEN`，其他值各用一个变量，如 `HEARTH_PASSWORD`，有多个时加编号。",
  replayRequest:
    "重放一条请求记录，可以先修改，返回新的请求记录。服务器会填回敏感信息：会话 token 换成同一用户的新 token，重放后失效。",
  sendRequest:
    "像客户端一样向服务发送新请求，返回新的请求记录。可以引用已有记录中的敏感信息：会话 token 换成同一用户的新 token，请求后失效。",
  deleteRequest: "删除一条请求记录。",
  deleteRequests: "删除所有请求记录。",
} as const;
