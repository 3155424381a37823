/** The device and the program, as they describe themselves. */
import type { WxCallbacks, WxPlainCall, WxResult } from "./call.ts";

export interface SystemInfo {
  SDKVersion: string;
  albumAuthorized: boolean;
  benchmarkLevel: number;
  bluetoothEnabled: boolean;
  brand: string;
  cameraAuthorized: boolean;
  deviceOrientation: "portrait" | "landscape";
  enableDebug: boolean;
  fontSizeSetting: number;
  host: { appId: string; env: "WeChat" | "WeWork" | "SDK" | "SAAASDK"; version: number };
  language: string;
  locationAuthorized: boolean;
  locationEnabled: boolean;
  locationReducedAccuracy: boolean;
  microphoneAuthorized: boolean;
  model: string;
  notificationAlertAuthorized: boolean;
  notificationAuthorized: boolean;
  notificationBadgeAuthorized: boolean;
  notificationSoundAuthorized: boolean;
  phoneCalendarAuthorized: boolean;
  pixelRatio: number;
  platform: "ios" | "android" | "ohos" | "ohos_pc" | "windows" | "mac" | "devtools";
  safeArea: { bottom: number; height: number; left: number; right: number; top: number; width: number };
  screenHeight: number;
  screenWidth: number;
  statusBarHeight: number;
  system: string;
  theme?: "dark" | "light";
  version: string;
  wifiEnabled: boolean;
  windowHeight: number;
  windowWidth: number;
}

export interface AccountInfo {
  miniProgram: { appId: string; envVersion: "develop" | "trial" | "release"; version: string };
  plugin: { appId: string; version: string };
}

/** How the program was opened. */
export interface LaunchOptions {
  path: string;
  query: Record<string, string>;
  /** The platform's number of the entry. 1001: the list of programs. */
  scene: number;
  referrerInfo: { appId: string; extraData: Record<string, unknown> };
  apiCategory: "default" | "nativeFunctionalized" | "browseOnly" | "embedded" | "chatTool";
  forwardMaterials: { name: string; path: string; size: number; type: string }[];
  hostExtraData: { host_scene: string };
}

export interface SystemCalls {
  getSystemInfo: WxPlainCall<WxCallbacks<SystemInfo & WxResult>, SystemInfo & WxResult>;
  getSystemInfoAsync: (options?: WxCallbacks<SystemInfo & WxResult>) => void;
  getSystemInfoSync: () => SystemInfo;
  getAccountInfoSync: () => AccountInfo;
  getLaunchOptionsSync: () => LaunchOptions;
  getEnterOptionsSync: () => LaunchOptions;
  canIUse: (schema: string) => boolean;
  nextTick: (callback: () => void) => void;
  base64ToArrayBuffer: (base64: string) => ArrayBuffer;
  arrayBufferToBase64: (buffer: ArrayBuffer) => string;
}
