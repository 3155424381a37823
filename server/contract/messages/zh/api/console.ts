/** The console's API. */
import type { ApiTexts } from "./api-texts.ts";
import { consoleDataZh } from "./console-data.ts";
import { consoleRunZh } from "./console-run.ts";

export const consoleApiZh: ApiTexts = {
  title: "Hearth 控制台",
  introduction: `
控制台页面的功能，供测试、脚本和 CI 调用。

<details>
<summary>访问权限和转发的请求</summary>

除用登录码登录外，每个操作都需要以下之一：本次运行的控制台 token（放在 \`Authorization: Bearer TOKEN\` 里；\`--ready-file\` 指定的文件中，控制台地址里就有它），
或已登录浏览器的 cookie。权限范围含 \`control\` 的密钥可以代替该 token。其他机器用同样的凭据访问，但不能经由手机入口。其他来源的页面不予应答。

\`/console/api/model/\` 和 \`/console/api/provider/\` 下的请求会转发给模型服务和平台模拟器，并返回它们的应答；路径其余部分由它们定义，这里不作说明。
其余部分以一个斜杠开头；两个斜杠会被当作主机名，返回 400。转发时不跟随重定向，返回 502；浏览器不会运行或加载转发来的任何内容
（\`Content-Security-Policy: default-src 'none'; sandbox\`）。

</details>
`.trim(),
  tags: {
    users: "登录过的用户及其会话。可以决定各会话下一个 401 的内容，也可以清除资料、结束会话。",
    collections: "所有数据集的条目，包括内置数据集和文件定义的数据集，不限所有者。",
    files: "所有客户端的上传。",
    "file-events": "监视程序上报的文件变更。",
    "watched-folders": "Hearth 自己监视的文件夹，其中的变更会成为文件事件。",
    orders: "所有用户的订单及其历史。",
    services: "本次运行的进程。",
    logins: "浏览器登录控制台的方式，以及已登录的浏览器。",
    tokens: "会话 token，供程序以客户端身份调用接口。",
    settings: "所有设置的含义和取值来源。修改会写入配置文件。",
    keys: "其他机器上的程序和人使用的密钥。",
    "gpu-engine": "引擎的 GPU 版本：下载、试用和删除。",
    storage: "数据目录各部分占用的磁盘空间，以及可以删除的部分。",
    events: "会话、资源、上传、文件和服务的事件：保存、分页和推送。",
    chats: "控制台“对话”页的对话，保存在数据目录中。",
    "lan-access": "局域网内的手机和其他设备：访问开关，以及允许访问的设备。",
    bans: "被接口以 403 拒绝的 IP 地址。",
    data: "全部数据作为一个文档：导出、导入、测试数据。",
    clock: "会话、登录码和 session_key 据以过期的时钟。访问密钥按真实时间过期。",
    faults: "注入的故障：延迟、错误和断开连接。",
    state: "重置和测试数据。测试数据是按名称保存的服务器状态。",
    requests: "服务器收到的请求：查看、等待、断言、重放。",
  },
  operations: { ...consoleDataZh, ...consoleRunZh },
};
