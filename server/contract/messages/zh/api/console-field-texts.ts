/** Descriptions of the fields of the console's API in Chinese, by the English text without its default. */
export const consoleFieldTextsZh: Readonly<Record<string, string>> = {
  "Login code. Case, spaces and hyphens do not matter.": "登录码。不区分大小写，空格和连字符会被忽略。",
  "Place of the uploads' contents.": "上传内容的存放位置。",
  "Number of uploads with lost content.": "内容已丢失的上传数量。",
  "Number of contents that were set aside, because they are damaged or have no upload.":
    "已移到一旁的内容数量：内容损坏，或没有对应的上传记录。",
  "Number of returned contents that the running check has read.":
    "本次检查已读取的内容数量，这些内容此前丢失、后来又出现。",
  "Number of uploads whose content was restored.": "内容已恢复的上传数量。",
  "Number of uploads whose content is still lost.": "内容仍然丢失的上传数量。",
  "Number of contents that were set aside because they have no upload.": "因没有对应的上传记录而移到一旁的内容数量。",
  "Number of all users, without the query.": "用户总数，不受查询条件影响。",
  "Number of users that match the query.": "符合查询条件的用户数量。",
  "Whether there are older ones. To get them, use `before`.": "是否还有更早的数据；用 `before` 获取。",
  "The server's current time.": "服务器的当前时间。",
  "Seconds from now.": "距现在的秒数。",
  "Version that the change is based on.": "此次修改所基于的版本号。",
  "Time of that version, as returned. It distinguishes versions before and after a reset or import.":
    "接口返回的该版本的时间。重置或导入之后版本号会重新计数，据此区分。",
  "Item whose last change is undone. Default: any item.": "撤销此条目最近一次修改。默认为任意条目。",
  "The undone change.": "被撤销的修改。",
  "Number on all pages.": "所有页的总数。",
  "Number of all orders, without a filter other than `without_internal`.":
    "订单总数，不受 `without_internal` 以外的筛选条件影响。",
  "Number on all pages by state, without the filter `trade_state`.":
    "所有页中各状态的订单数量，不受 `trade_state` 影响。",
  "Sums of the amounts by state, in fen.": "各状态的金额合计，单位为分。",
  "Whether a person has checked the amounts, so that query order decides again.":
    "人工是否已核对金额；核对之后重新以查单结果为准。",
  "Number of all file events, without the filter.": "文件事件总数，不受筛选条件影响。",
  "Number on all pages by kind, without the filter `ev`.": "所有页中各类变更的数量，不受 `ev` 影响。",
  "Absolute path of an existing folder. Everything below it is watched, too.":
    "已存在的文件夹的绝对路径。其下所有内容都会被监视。",
  "Regular expressions, matched against the whole path with forward slashes. Matching paths and everything below them are not reported.":
    "正则表达式，与使用正斜杠的完整路径匹配。匹配的路径及其下所有内容都不会上报。",
  "Report changes made while Hearth is not running. They are reported at the next start as create, modify and delete.":
    "是否上报 Hearth 未运行期间的变更；下次启动时以 create、modify 和 delete 上报。",
  "Folder. Without a sample, its own entries are the sample.": "文件夹。没有给出样本时，以该文件夹中的内容为样本。",
  "Paths to test. They need not exist; relative paths are below the folder.":
    "要测试的路径，可以不存在。相对路径以该文件夹为准。",
  "First pattern that excludes the path or a folder above it.": "排除此路径或其上级文件夹的第一个表达式。",
  "False if the folder has more entries than were tested.": "文件夹中的内容多于测试的数量时为 false。",
  "Changes during a pause are never reported.": "暂停期间的变更不会上报，恢复后也不会补报。",
  "The text of the schema file: JSON Schema with `x-hearth`.": "结构文件的文本：带 `x-hearth` 的 JSON Schema。",
  "Path of the schema file.": "结构文件的路径。",
  "Require a new collection. If the name exists, the answer is 409.": "只允许新建数据集；名称已存在时返回 409。",
  "Save the schema even if stored items do not match it.": "已有条目不符合结构时也保存。",
  "Folder that now contains the schema and the items. `items.json` can be imported again.":
    "现在存放结构和条目的文件夹。其中的 `items.json` 可以重新导入。",
  "Content of the chat: turns, model, settings. The server stores it unchanged.":
    "对话内容：消息、模型和设置。服务器原样保存。",
  "Revision number. Each change increases it.": "修订号，每次修改加一。",
  "Number of matches on all pages.": "所有页中匹配的数量。",
  "Number of all events, without the filter.": "事件总数，不受筛选条件影响。",
  "Data of the event, by its type.": "事件的数据，由事件类型决定。",
  "Start of the step, Unix time in ms.": "该时间段的起点，Unix 时间（毫秒）。",
  "Number of failures.": "失败次数。",
  "Number of all stored requests, without the filter.": "已保存的请求总数，不受筛选条件影响。",
  "Whether there are older matches. To get them, use `before`.": "是否还有更早的匹配结果；用 `before` 获取。",
  "Number of requests in this run that came too fast to be recorded.": "本次运行中因请求过于密集而未记录的数量。",
  "Service that receives the request.": "接收请求的服务。",
  "Path and query.": "路径和查询。",
  "`Bearer {{session:12}}` as Authorization stands for a fresh token of that session's user.":
    "请求头。Authorization 可以写成 `Bearer {{session:12}}`，发送时会换成该会话用户的新 token。",
  "Body. Text is sent unchanged, other values as JSON.": "请求体。文本原样发送，其他值以 JSON 发送。",
  "Time of arrival: Unix time in ms, real time.": "到达时间：Unix 时间（毫秒），取真实时间。",
  "Path and query as sent.": "客户端发送的路径和查询。",
  "Names and values, alternating.": "名称与值交替排列。",
  "Size on the wire, in bytes.": "传输的字节数。",
  "Beginning of the body, as far as stored.": "内容的开头，即已保存的部分。",
  "Bytes and ms of each write, alternating.": "每次写入的字节数和毫秒数，交替排列。",
  "Number of earlier calls that were lost because they came too fast.": "此前因调用过于密集而丢失的数量。",
  "Headers that the request must have with these values.": "请求必须带有的请求头及其值。",
  "Fields that the request's JSON body must contain. Other fields are allowed.":
    "请求的 JSON 必须包含的字段；可以有其他字段。",
  "Text that the request's body must contain.": "请求体必须包含的文本。",
  "Text that the answer's body must contain.": "响应体必须包含的文本。",
  "Exact number of matching requests.": "匹配的请求必须正好是此数量。",
  "Minimum number of matching requests. Default: 1, without exactly and at_most.":
    "匹配的请求的最少数量。没有设置 exactly 和 at_most 时默认为 1。",
  "Maximum number of matching requests.": "匹配的请求的最大数量。",
  "Maximum time to wait for the number, in ms.": "等待达到该数量的最长时间，单位为毫秒。",
  "Newest matches, at most 100.": "最新的匹配请求，最多 100 个。",
  "Number of calls that ended in the step.": "在该时间段内结束的调用数量。",
  "Number of calls with a status of 500 or above, or without an answer.": "状态码不小于 500 或没有应答的调用数量。",
  "Median duration of the calls. Absent without calls.": "调用耗时的中位数。没有调用时不返回。",
  "95th percentile of the durations.": "调用耗时的第 95 百分位。",
  "End of the latest call, Unix time in ms.": "最近一次调用结束的时间，Unix 时间（毫秒）。",
  "The same calls by caller and service.": "同样的调用，按调用方和服务分组。",
  "Path as in the API description.": "接口说明中的路径。",
  "Status of the answer. Absent if the client left before the answer.": "响应的状态码。客户端在应答之前断开时不返回。",
  "Headers to set. null omits a header. Other headers stay as recorded.":
    "要设置的请求头，null 表示去掉。其他请求头与记录的一致。",
  "Body to replace the recorded one. Text is sent unchanged, other values as JSON.":
    "代替原记录的请求体。文本原样发送，其他值以 JSON 发送。",
  "Difference from real time, in ms.": "与真实时间的差，单位为毫秒。",
  "Step from the current time, in ms.": "相对当前时间移动的毫秒数。",
  "New current time, 1970 or later. The clock continues from there.":
    "新的当前时间，不早于 1970 年。时钟从该时间继续走。",
  "Parts to reset. Default: all. `records`: items of all collections; their seeds return. `users`: users and their sessions. `orders`: orders with refunds and histories. `provider`: the simulator with its people and settings. `prompt_cache`: states of prompts on the disk.":
    "要重置的部分，默认为全部。`records`：所有数据集的条目，重置后恢复初始数据。`users`：用户及其会话。`orders`：订单及其退款和历史。`provider`：平台模拟器及其模拟用户和设置。`prompt_cache`：磁盘上缓存的提示词状态。",
  "Number of removed items by part; for the clock, milliseconds.": "各部分删除的数量；时钟为毫秒数。",
  "Folder of the fixtures, with one subfolder each. You can copy it or put it under version control.":
    "存放测试数据（fixture）的文件夹，每份一个子文件夹。可以复制，也可以纳入版本控制。",
  "Parts of the fixture. `users` and `sessions` require each other. `provider`: the simulator with its people and settings.":
    "测试数据（fixture）包含的部分。`users` 和 `sessions` 必须同时包含。`provider`：平台模拟器及其模拟用户和设置。",
  "Configuration file of the data directory. Changes are written to it.": "数据目录的配置文件，修改会写入此文件。",
  "Settings by name.": "各项设置，以名称为键。",
  "Number of deleted files, or of folders that a restore moved aside.":
    "删除的文件数量，或恢复时移到一旁的文件夹数量。",
  "Command that works in any folder: `hearth`, or the full path of this program.":
    "在任何文件夹中都能运行的命令：`hearth`，或本程序的完整路径。",
  "Flags for a command that name the data directory. Empty for the default one.":
    "命令中用于指定数据目录的参数。使用默认目录时为空。",
  "Code that the waiting device also shows, to tell devices apart.": "等待接入的设备上也会显示此码，用于辨认设备。",
  "Name from the device.": "设备提供的名称。",
  "Time of the last request.": "最近一次请求的时间。",
  "Devices of the local network that wait for admission.": "局域网中等待接入的设备。",
  "Full path. For files that were set aside, the new path.": "完整路径。文件已移到一旁时为新路径。",
  "Problem and remedy, in one sentence.": "一句话说明问题和解决办法。",
  "Damage found in this run, oldest first.": "本次运行中发现的损坏，最早的在前。",
  "Names by the id of the user.": "用户名称，以用户 id 为键。",
  "Address of the console with the login code, for a browser.": "带登录码的控制台地址，用浏览器打开。",
  "Seconds.": "秒数。",
  "Operating system and program.": "操作系统和浏览器。",
  "Time of the login.": "登录时间。",
  "Time of its last request, to the minute.": "最近一次请求的时间，精确到分钟。",
  "Whether this browser sends the request.": "此请求是否由该浏览器发送。",
  "Uid of the uploader.": "上传者的 uid。",
  "Reason why the content is lost. Absent if it is not known to be lost.": "内容丢失的原因。没有发现丢失时不返回。",
  "Newest session, valid or expired.": "最近的会话，不论是否已过期。",
  "`WWW-Authenticate` of the next 401. Absent if the login is complete.":
    "下一次 401 的 `WWW-Authenticate`。登录已完成时不返回。",
  "Name of the simulated person. Absent if the platform is not the simulator.":
    "模拟用户的名称。平台不是模拟器时不返回。",
  "Whether user info is known. The unionid does not count.": "是否已获得用户信息，不包括 unionid。",
  "Whether the union id is known. If so, no call requests user info.":
    "是否已获得 unionid。已获得时，不会再要求客户端提供用户信息。",
  "Number of valid sessions.": "有效会话的数量。",
  "Description from the schema.": "结构中的说明。",
  "Number of items.": "条目数量。",
  "Top-level members of the items, in the schema's order.": "条目的顶层字段，按结构中的顺序。",
  "Fields that lists can be sorted by.": "可用于排序的字段。",
  "Whether `q` searches this collection.": "`q` 是否搜索此数据集。",
  "JSON Schema of the client's input.": "客户端输入的 JSON Schema。",
  "Name of the referenced collection.": "所引用的数据集的名称。",
  "Fields that refer to items.": "引用其他条目的字段。",
  "False if a user's file defines the collection.": "由用户的文件定义时为 false。",
  "Id as clients see it.": "客户端看到的 id。",
  "Uid of the creator. Empty without an owner.": "创建者的 uid。没有所有者时为空。",
  "Fields of the item, without secret ones.": "条目的字段，不含机密字段。",
  "Uid of the order's owner.": "订单所有者的 uid。",
  "Result of placing the order. `unknown` is retried with the same number.": "下单结果。`unknown` 会用同一订单号重试。",
  "Next run of the reconcile job for the order. Absent if it waits for nothing.":
    "下一次为此订单对账的时间。没有需要等待的结果时不返回。",
  "Key of the fault: `sim-` or `route-` with its id, for a fault of the platform or of a route.":
    "故障的键：平台故障为 `sim-` 加编号，路由故障为 `route-` 加编号。",
  "Kind of the fault. Faults of routes: route_status, route_cut or route_delay.":
    "故障类型。路由故障为 route_status、route_cut 或 route_delay。",
  "Calls to the platform, its replies and notifications, and the resulting decisions.":
    "对平台的调用、平台的应答和通知，以及据此作出的决定。",
  "Name of the call, notification or decision: orderquery, refund, payment, settle …":
    "调用、通知或决定的名称：orderquery、refund、payment、settle 等。",
  "Result in one word, for programs.": "用一个词表示的结果，供程序判断。",
  "Explanation in one sentence.": "一句话的说明。",
  "Number of identical results in a row. `at` is the time of the last one.":
    "连续出现的相同结果的次数。`at` 为最后一次的时间。",
  "Trace id, as in traceparent and in the log.": "调用链的编号，与 traceparent 和日志中的一致。",
  "Span id in the trace.": "调用链中 span 的编号。",
  "Id of the parent span.": "父 span 的编号。",
  "Injected faults that hit this step.": "命中此步骤的注入故障。",
  "The path that the file had before; absent where a watcher saw one path of the move only.":
    "文件移动之前的路径。监视时只看到移动的一端时不返回。",
  "The watched folder.": "被监视的文件夹。",
  "The receiver.": "接收端。",
  "Reason of the failure, or the last error during the watch.": "失败原因，或监视期间的最近一次错误。",
  "Number of changes since Hearth started, by kind.": "Hearth 启动以来各类变更的数量。",
  "Number of changes that are not delivered yet.": "尚未送达的变更数量。",
  "Reason why the schema cannot be served.": "无法使用此结构的原因。",
  "Number of stored items that do not match the schema.": "不符合结构的已有条目数量。",
  "Formats in the schema that are not checked, at most 20. Absent without such a format.":
    "结构中不检查的 format，最多 20 个。没有时不返回。",
  "Whether the records contain secret fields, such as hashes of passwords.": "记录是否包含机密字段，如密码的哈希值。",
  "Highest id ever assigned.": "曾经分配过的最大 id。",
  "The fields of the collection.": "数据集的字段。",
  "Uploads without their content. An import does not change uploads.": "上传记录，不含内容。导入不会修改上传。",
};
