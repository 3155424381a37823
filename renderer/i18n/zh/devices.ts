import type { devices as english } from "../en/devices.ts";
import type { Texts } from "../texts.ts";

export const devices: Texts<typeof english> = {
  title: "设备",
  network: "此网络上的手机",
  about:
    "允许同一网络上的手机等设备访问 Hearth。设备发起访问时会显示在此处，获准之前只能等待。设备以 HTTP 发送的内容不加密。",
  openedByHost: "Hearth 以 --host 启动，网络上的任何人都能访问。去掉该参数重新启动后，即可在此逐个允许设备。",
  noNetwork: "这台电脑当前没有连接网络。",
  enabled: "允许此网络上的设备访问",
  interface: "网络",
  gone: "{{name}} · 未连接",
  services: "可访问的服务",
  service: {
    app: "应用服务器",
    provider: "平台接口",
    model: "模型服务",
  },
  addresses: "供设备使用的地址",
  scan: "用同一网络上的手机扫描二维码，或在手机的应用中填写地址。",
  code: "{{address}} 的二维码",
  certificate: "供设备安装的证书",
  certificateHint: "安装后，设备上的应用即可信任 HTTPS 地址。证书只对本地地址和 Hearth 接管的域名有效。",
  never: "控制台、控制台接口和模拟器的控制接口（/sim）不在此提供。",
  waiting: "等待允许",
  passing: "此网络上的设备",
  everyone: "允许此网络上的所有设备",
  everyoneHint: "这台电脑离开此网络后自动失效。",
  nobodyWaits: "最近几分钟没有设备访问。",
  admit: "允许",
  admitName: "允许 {{name}}",
  in: "已允许的设备",
  nobodyIn: "尚未允许任何设备。",
  remove: "移除",
  removeName: "移除 {{name}}",
  unnamed: "未命名的设备",
  noAddress: "其地址已被其他设备使用",
  firewall: "如果设备收不到应答",
  firewallOn: {
    linux: "可能被这台电脑的防火墙拦截。以下命令可开放端口：",
    darwin: "可能被 macOS 的防火墙拦截：在“系统设置 → 网络 → 防火墙 → 选项”中允许 Hearth 接收传入连接。",
    win32:
      "可能被 Windows 的防火墙拦截：在“设置”中将此网络设为专用网络，并在以管理员身份运行的 PowerShell 中开放端口：",
  },
};
