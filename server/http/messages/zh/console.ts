import type { SentenceTable } from "../translate.ts";

/** What only the console's own API says. */
export const consoleSentences: SentenceTable = {
  '"{}" is no IP address.': "“{0}”不是 IP 地址。",
  "is no IP address": "不是 IP 地址",
  "{} is not banned.": "{0} 未被封禁。",
  "Log in to the console with the address that `hearth open` gives, or send the run's token as Bearer.":
    "请用 `hearth open` 给出的地址登录控制台，或以 Bearer 发送本次运行的令牌。",
  "Too many codes were wrong: try again in a moment.": "错误的代码过多：请稍后再试。",
  "This code has been used, is older than 15 minutes, or is of another run: `hearth open --print` gives a new one.":
    "此代码已使用、已超过 15 分钟，或属于另一次运行：`hearth open --print` 可给出新代码。",
  "The console has not been built: run `npm run build`.": "控制台尚未构建：请运行 `npm run build`。",
  "The simulated login failed: {} answered {}.": "模拟登录失败：{0} 应答了 {1}。",
  "The simulated login failed: {} answered {}: {}": "模拟登录失败：{0} 应答了 {1}：{2}",
  "What follows the service's name begins like a host: begin it with one slash.":
    "服务名之后的部分以主机的形式开头：请以一个斜杠开头。",
  "The service answered with a redirect ({}), which is not followed.": "该服务应答了重定向（{0}），不会跟随。",
  "The clock would be more than a century from the real one.": "时钟与真实时间的差距会超过一个世纪。",
  "The clock would be before 1970, from which times are counted.": "时钟会早于 1970 年，而时间从这一年起计算。",
  "There is no fault {}.": "没有故障 {0}。",
  "Fault {} was injected here; the console's API removes it.": "此处注入了故障 {0}；可在控制台移除。",
  "Fault {} cut the connection.": "故障 {0} 切断了连接。",
  "The fixture {} cannot be loaded: {}. Nothing was changed.": "无法加载 fixture {0}：[1]。未作任何更改。",
  "its about.json is damaged": "其 about.json 已损坏",
  "its data.json is missing or damaged": "其 data.json 缺失或已损坏",
  "{} have no table {}": "{0} 没有表 {1}",
  "an upload has no proper hash": "某个上传文件没有正确的哈希值",
  "the content {} is missing or damaged": "内容 {0} 缺失或已损坏",
  "its provider.json is missing or damaged": "其 provider.json 缺失或已损坏",
  "the simulator refuses its provider.json ({})": "模拟器拒绝其 provider.json（{0}）",
  "it is of another version ({})": "它属于另一版本（{0}）",
  "parts: sessions are of users: take users in too.": "parts：会话属于用户，请同时包含 users。",
  "parts: users are replaced with their sessions: take sessions in too.":
    "parts：替换用户时会连同其会话一起替换，请同时包含 sessions。",
  "There is no fixture {}.": "没有 fixture {0}。",
  "The provider simulator does not answer: nothing was changed.": "平台模拟器没有应答：未作任何更改。",
  "There is no collection {}: put its schema file into the collections folder first.":
    "没有数据集 {0}：请先将其模式文件放入数据集文件夹。",
  "There is no collection {} that a schema file defines.": "没有由模式文件定义的数据集 {0}。",
  "There is no schema file for {}.": "没有 {0} 的模式文件。",
  "{} refers to {}: remove that collection first.": "{0} 引用了 {1}：请先移除那个数据集。",
  "There is a collection {} already.": "已有数据集 {0}。",
  "The schema file of {} is no file of the project's own folder: put the file itself there.":
    "{0} 的 schema 文件不是项目自身文件夹中的文件：请把文件本身放在那里。",
  "A name has lower-case letters and digits, with '-' between words.": "名称由小写字母和数字组成，单词之间用“-”分隔。",
  "{} (line {}, column {})": "[0]（第 {1} 行，第 {2} 列）",
  "Another page has stored this chat since: list the chats, and store both.":
    "另一个页面此后已保存过此对话：请先列出对话，再一并保存。",
  "{} items of {} do not fit this schema.": "{1} 中有 {0} 个条目不符合此模式。",
  "{}: {}; nothing was added.": "{0}：[1]；未添加任何内容。",
  "another item has this value already": "已有其他条目使用此值",
  "there is no {}": "没有 {0}",
  "There is no change to undo.": "没有可撤销的更改。",
  "{}/{} has been changed since.": "{0}/{1} 此后已被修改。",
  "The engine has no build for {} on this system.": "引擎没有适用于此系统的 {0} 版本。",
  "Another build is being downloaded.": "正在下载另一个版本。",
  "There is no collection {}.": "没有数据集 {0}。",
  "{}: {}; nothing was imported.": "{0}：[1]；未导入任何内容。",
  "{} (and {} more)": "[0]（另有 {1} 处）",
  "{} (a secret field: export with ?secrets=include to have it in the document)":
    "[0]（机密字段：用 ?secrets=include 导出才会包含在文档中）",

  '"{}" is not a regular expression ({}).': "“{0}”不是正则表达式（{1}）。",
  '"{}" takes too long on some paths: do without a repetition inside a repetition.':
    "“{0}”对某些路径耗时过长：请避免在重复中嵌套重复。",
  '"{}" holds a NUL character, which no path does.': "“{0}”含有 NUL 字符，路径中不可能有。",
  '"{}" is not an absolute path: begin at the root of the file system.': "“{0}”不是绝对路径：请从文件系统的根开始。",
  '"{}" does not exist.': "“{0}”不存在。",
  '"{}" is not for this user to read.': "当前用户无权读取“{0}”。",
  '"{}" cannot be looked at while a file system does not answer.': "文件系统没有应答，无法查看“{0}”。",
  '"{}" cannot be looked at ({}).': "无法查看“{0}”（{1}）。",
  '"{}" is not a folder; name the folder that holds it.': "“{0}”不是文件夹：请给出它所在的文件夹。",
  "Name a folder (path), or paths (sample).": "请给出文件夹（path）或若干路径（sample）。",
  '"{}" is not an absolute path.': "“{0}”不是绝对路径。",
  "There is no watched folder {}.": "没有监视的文件夹 {0}。",
  '"{}" is where Hearth keeps its own files, which change all the time.':
    "“{0}”是 Hearth 存放自身文件的地方，其内容一直在变化。",
  '"{}" is on the list of watched folders already.': "“{0}”已在监视的文件夹列表中。",

  "This machine is in no network just now.": "本机目前不在任何网络中。",
  'There is no network interface "{}" with an address.': "没有带地址的网络接口“{0}”。",
  "The setting host has opened Hearth to the network for everybody.": "设置 host 已将 Hearth 向网络中的所有人开放。",
  "Nobody is on the network yet: switch the access on first.": "尚未对网络开放：请先打开访问开关。",
  "No device {} waits to be let in.": "没有设备 {0} 在等待允许。",
  "There is no device {}.": "没有设备 {0}。",
  "The console and the control routes answer Hearth's own machine alone.": "控制台和控制接口只应答 Hearth 所在的机器。",
  "The request names no path.": "请求没有路径。",

  "The recorded body is not complete ({}): give one as body.": "记录的正文不完整（[0]）：请用 body 给出正文。",
  "only its beginning is kept": "只保留了开头",
  "The secret {} ({}) is kept no more: secrets of recorded requests are in memory only. Give {} anew.":
    "机密 {0}（{1}）已不再保留：所记录请求的机密只存在内存中。请重新给出 {2}。",
  "The request was given up.": "请求已放弃。",
  "The user of session {} is not known any more: set another token.": "会话 {0} 的用户已不存在：请设置其他令牌。",
  "path: {} is not recorded, and not sent from here.": "path：{0} 不会被记录，也不能从这里发送。",
  "The service {} is down: start it first.": "服务 {0} 未运行：请先启动。",
  "It was sent, but it has not been recorded.": "请求已发送，但未被记录。",
  "What is sent is shown by its record, but recording is off (setting record_requests).":
    "发送的内容通过记录来显示，但记录已关闭（设置 record_requests）。",
  "path_regex: {}": "path_regex 不是有效的正则表达式：{0}",
  "path_regex: this expression takes too long; write it simpler.": "path_regex：此表达式耗时过长，请写得简单些。",
  "There is no recorded request {}.": "没有记录的请求 {0}。",
  "{} of {} such requests came within {} ms. {}": "{2} 毫秒内来了 {1} 个所需请求中的 {0} 个。[3]",
  "There must be {} such requests, but there are {}. {}": "这样的请求应有[0]个，实际有 {1} 个。[2]",
  "There must be {} to {} such requests, but there are {}. {}": "这样的请求应有 {0} 到 {1} 个，实际有 {2} 个。[3]",
  "exactly {}": "恰好 {0} ",
  "at least {}": "至少 {0} ",
  "at most {}": "至多 {0} ",
  "Nothing else was recorded.": "没有记录其他请求。",
  "The latest requests: {}.": "最近的请求：{0}。",

  "There is no user u{}.": "没有用户 u{0}。",
  "There is no session {}; it may have been revoked.": "没有会话 {0}，它可能已被撤销。",
  "{} is missing: payments by {} need it where {} is set.": "缺少 {0}：设置了 {2} 时，{1} 支付需要它。",
  "There is no setting {}.": "没有设置 {0}。",
  "{} says where the configuration file lies: give it as a flag or a variable.":
    "{0} 指明配置文件的位置：请用命令行参数或环境变量给出。",
  "{} name the same port {}; give each its own.": "{0} 使用了同一端口 {1}；请各用各的端口。",
  "{}: port {} is in use by another program; choose another.": "{0}：端口 {1} 正被其他程序使用，请另选一个。",
  "{}: port {} is not open to this user: choose one above 1023.":
    "{0}：当前用户无权使用端口 {1}，请选择大于 1023 的端口。",
  "host: {} is no address of this machine: choose 127.0.0.1, 0.0.0.0 or one of its addresses.":
    "host：{0} 不是本机的地址，请选择 127.0.0.1、0.0.0.0 或本机的某个地址。",
  "{}: {} is not valid ({}).": "{0}：{1} 无效（[2]）。",
  "the value": "该值",
  "allowed_targets says where this machine goes for others: it is changed on this machine alone.":
    "allowed_targets 决定本机可替他人访问的地址：只能在本机修改。",
  "upstreams says where this machine sends chats and keys: it is changed on this machine alone.":
    "upstreams 决定本机把对话和密钥发往何处：只能在本机修改。",
  "database_url says where this machine keeps its data: it is changed on this machine alone.":
    "database_url 决定本机把数据存放在何处：只能在本机修改。",
  "update_url says where this machine gets programs from: it is changed on this machine alone.":
    "update_url 决定本机从何处获取程序：只能在本机修改。",
  "The uploads are being checked already: wait until that is done.": "正在检查上传文件：请等待其完成。",
};
