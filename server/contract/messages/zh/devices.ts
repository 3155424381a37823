import type { devices as english } from "../en/devices.ts";

// prettier-ignore
export const devicesZh = {
  "device.waiting": "此设备（{address}，{id}）等待允许。请在 Hearth 控制台的“设备”页面允许它。",
  "lanPage.waiting": "此设备等待允许",
  "lanPage.how": "请在电脑上打开 Hearth 控制台的“设备”页面，允许此设备。本页会自动继续。",
  "lanPage.known": "此设备显示为",
  "lanPage.in": "此设备已获允许",
  "lanPage.addresses": "设备上的应用可通过以下地址访问 Hearth：",
  "lanPage.certificate": "下载设备证书",
  "lanPage.refused": "设备无法访问此内容",
  "lan.notYet": "尚未开始监听。",
  "lan.portInUse": "{address} 上的端口 {port} 已被其他程序占用。",
  "lan.failed": "无法在 {address} 上监听：{reason}。",
  "lan.noAddress": "网络接口 {name} 没有地址。",
  "lan.appDown": "应用服务器没有应答。",
  "lan.modelDown": "Hearth 的模型服务没有应答。其他 Ollama 请设置 OLLAMA_HOST。",
} satisfies Record<keyof typeof english, string>;
