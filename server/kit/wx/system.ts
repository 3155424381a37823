/** The device that a program runs on, and how it was opened. */
import type { WxCallbacks, WxResult } from "./api/call.ts";
import type { LaunchOptions, SystemCalls, SystemInfo } from "./api/system.ts";
import { wxCall } from "./answer.ts";

const device: SystemInfo = {
  brand: "devtools",
  model: "iPhone 15",
  platform: "devtools",
  system: "iOS 17.0",
  version: "8.0.50",
  SDKVersion: "3.8.0",
  language: "zh_CN",
  theme: "light",
  pixelRatio: 3,
  screenWidth: 393,
  screenHeight: 852,
  windowWidth: 393,
  windowHeight: 761,
  statusBarHeight: 54,
  safeArea: { left: 0, right: 393, top: 54, bottom: 818, width: 393, height: 764 },
  fontSizeSetting: 16,
  deviceOrientation: "portrait",
  benchmarkLevel: 1,
  enableDebug: false,
  host: { appId: "", env: "WeChat", version: 0 },
  bluetoothEnabled: true,
  locationEnabled: true,
  locationReducedAccuracy: false,
  wifiEnabled: true,
  albumAuthorized: true,
  cameraAuthorized: true,
  locationAuthorized: true,
  microphoneAuthorized: true,
  notificationAuthorized: true,
  notificationAlertAuthorized: true,
  notificationBadgeAuthorized: true,
  notificationSoundAuthorized: true,
  phoneCalendarAuthorized: true,
};

/** The client names itself like this, with the platform's marks by which servers know it. */
export const userAgent =
  "Mozilla/5.0 (iPhone; CPU iPhone OS 17_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E148 MicroMessenger/8.0.50 NetType/WIFI Language/zh_CN";

interface Described {
  readonly appId: string;
  readonly changed: Partial<SystemInfo>;
  readonly launch: LaunchOptions;
  /** Whether there is a call of this name. */
  readonly knows: (api: string) => boolean;
}

export function systemCalls({ appId, changed, launch, knows }: Described): SystemCalls {
  const info = (): SystemInfo => ({ ...device, ...changed });
  const call = (api: string) => wxCall<WxCallbacks<SystemInfo & WxResult>, SystemInfo & WxResult>(api, info);
  const getSystemInfoAsync = call("getSystemInfoAsync");
  return {
    getSystemInfo: call("getSystemInfo"),
    getSystemInfoAsync: (options) => void getSystemInfoAsync(options),
    getSystemInfoSync: info,
    getAccountInfoSync: () => ({
      miniProgram: { appId, envVersion: "develop", version: "" },
      plugin: { appId: "", version: "" },
    }),
    getLaunchOptionsSync: () => structuredClone(launch),
    getEnterOptionsSync: () => structuredClone(launch),
    canIUse: (schema) => knows(schema.split(".")[0] ?? ""),
    nextTick: (callback) => queueMicrotask(callback),
    base64ToArrayBuffer: (base64) => new Uint8Array(Buffer.from(base64, "base64")).buffer,
    arrayBufferToBase64: (buffer) => Buffer.from(buffer).toString("base64"),
  };
}
