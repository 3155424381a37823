/** Login, the person's data, permissions and payment. */
import type { WxCall, WxCallbacks, WxFailure, WxPlainCall, WxResult } from "./call.ts";

export interface LoginResult extends WxResult {
  /** For the server's code2Session: valid once, for five minutes. */
  code: string;
}
/** The platform has a number for each failure of a login. */
export interface LoginFailure extends WxFailure {
  errno: number;
}
export interface LoginOptions extends WxCallbacks<LoginResult, LoginFailure> {
  timeout?: number;
}

export interface WxUserInfo {
  nickName: string;
  avatarUrl: string;
  gender: 0 | 1 | 2;
  country: string;
  province: string;
  city: string;
  language: "en" | "zh_CN" | "zh_TW";
}
export interface UserInfoResult extends WxResult {
  userInfo: WxUserInfo;
  /** The text that `signature` signs. */
  rawData: string;
  signature: string;
  encryptedData: string;
  iv: string;
  /** Empty: there is no cloud behind it. */
  cloudID: string;
}
export interface UserInfoOptions extends WxCallbacks<UserInfoResult> {
  withCredentials?: boolean;
  lang?: "en" | "zh_CN" | "zh_TW";
}
export interface UserProfileOptions extends WxCallbacks<UserInfoResult> {
  /** Why the program asks: 1 to 30 characters. */
  desc: string;
  lang?: "en" | "zh_CN" | "zh_TW";
}

/** Scopes that the person was asked for, and the answers. */
export interface WxAuthSetting {
  [scope: `scope.${string}`]: boolean;
}
export interface SettingResult extends WxResult {
  authSetting: WxAuthSetting;
  subscriptionsSetting: { mainSwitch: boolean };
}
export interface SettingOptions extends WxCallbacks<SettingResult> {
  withSubscriptions?: boolean;
}
export interface AuthorizeOptions extends WxCallbacks<WxResult> {
  scope: string;
}

export interface LocationResult extends WxResult {
  latitude: number;
  longitude: number;
  altitude: number;
  /** Metres per second; -1: unknown. */
  speed: number;
  accuracy: number;
  horizontalAccuracy: number;
  verticalAccuracy: number;
}
export interface LocationOptions extends WxCallbacks<LocationResult> {
  type?: string;
  altitude?: boolean;
}

/** The parameters that the server has signed. */
export interface PaymentOptions extends WxCallbacks<WxResult> {
  timeStamp: string;
  nonceStr: string;
  package: string;
  signType?: "MD5" | "HMAC-SHA256" | "RSA";
  paySign: string;
}

export interface AccountCalls {
  login: WxPlainCall<LoginOptions, LoginResult>;
  /** Succeeds while the session key of this program's last login is valid, by Hearth's clock. */
  checkSession: WxPlainCall<WxCallbacks<WxResult>, WxResult>;
  /** Never prompts: fails without consent, which the button `getUserInfo` gets. */
  getUserInfo: WxPlainCall<UserInfoOptions, UserInfoResult>;
  /** Prompts each time. */
  getUserProfile: WxCall<UserProfileOptions, UserInfoResult>;
  getSetting: WxPlainCall<SettingOptions, SettingResult>;
  openSetting: WxPlainCall<SettingOptions, SettingResult>;
  authorize: WxCall<AuthorizeOptions, WxResult>;
  getLocation: WxPlainCall<LocationOptions, LocationResult>;
  requestPayment: WxCall<PaymentOptions, WxResult>;
}
