import type { devices as english } from "../en/devices.ts";

// prettier-ignore
export const devicesZh = {
  "device.waiting": "此设备（{address}，{id}）尚未获准访问：请在 Hearth 控制台的“设备”页面允许它访问。",
  "lanPage.waiting": "此设备尚未获准访问",
  "lanPage.how": "请在电脑上打开 Hearth 控制台的“设备”页面，允许此设备访问。本页会自动继续。",
  "lanPage.known": "它在那里显示为",
  "lanPage.in": "此设备已获准访问",
  "lanPage.addresses": "设备上的应用可通过以下地址访问 Hearth：",
  "lanPage.certificate": "获取为这些地址担保的证书机构的证书",
  "lanPage.refused": "此处不提供该内容",
  "lan.notYet": "尚未开始监听。",
  "lan.portInUse": "{address} 上的端口 {port} 已被其他程序占用。",
  "lan.failed": "无法在 {address} 上监听：{reason}。",
  "lan.noAddress": "网络接口 {name} 目前没有地址。",
  "lan.appDown": "应用服务器没有应答。",
  "lan.modelDown": "Hearth 的模型服务没有应答；其他 Ollama 由其自身的设置 OLLAMA_HOST 决定。",
} satisfies Record<keyof typeof english, string>;
