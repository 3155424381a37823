/** The calls that the platform answers for the person: login, data, permissions, payment. */
import { wrongParameter, wxFailures } from "../../contract/mini-program/wx-failures.ts";
import type { Phone } from "../phone/phone.ts";
import type { PlatformAnswer } from "../phone/person-platform.ts";
import type {
  AccountCalls,
  AuthorizeOptions,
  LocationOptions,
  LocationResult,
  LoginOptions,
  LoginResult,
  PaymentOptions,
  SettingOptions,
  SettingResult,
  UserInfoOptions,
  UserInfoResult,
  UserProfileOptions,
  WxAuthSetting,
} from "./api/account.ts";
import type { WxCallbacks, WxResult } from "./api/call.ts";
import { failed, orFailed, wxCall } from "./answer.ts";

const mostDesc = 30;
/** Permissions that the platform gives without asking. */
const abolished = ["scope.address", "scope.invoice", "scope.invoiceTitle"];

/** The members of a platform's answer, whose form its name decides. */
const membersOf = <Result>({ errMsg: _errMsg, ...members }: PlatformAnswer) => members as Omit<Result, "errMsg">;

/** User info without its encrypted part, unless the program wants it. */
function userInfoOf(answer: PlatformAnswer, withCredentials = true): Omit<UserInfoResult, "errMsg"> {
  const info = { ...membersOf<UserInfoResult>(orFailed(answer)), cloudID: "" };
  return withCredentials ? info : { ...info, encryptedData: "", iv: "" };
}

const paymentParameters = ["timeStamp", "nonceStr", "package", "signType", "paySign"] as const;

export function accountCalls({ platform, prompts }: Phone): AccountCalls {
  /** Scopes that only this program's device knows. */
  const others: WxAuthSetting = {};
  const settingOf = (authSetting: object): Omit<SettingResult, "errMsg"> => ({
    authSetting: { ...authSetting, ...others },
    subscriptionsSetting: { mainSwitch: true },
  });

  async function isAllowed(scope: `scope.${string}`): Promise<boolean> {
    if (abolished.includes(scope)) return true;
    // Only its button prompts.
    if (scope === "scope.userInfo")
      return !prompts.isDenied("userInfo") && (await platform.getSetting())[scope] === true;
    if (scope === "scope.userLocation") return (await platform.getLocation()).errMsg === "getLocation:ok";
    // The person has to choose it in the settings.
    if (scope === "scope.userLocationBackground") return others[scope] === true;
    return (others[scope] ??= !prompts.isDenied(scope));
  }

  return {
    login: wxCall<LoginOptions, LoginResult>("login", async () =>
      membersOf<LoginResult>({ ...(await platform.login()) }),
    ),
    checkSession: wxCall<WxCallbacks<WxResult>>("checkSession", async () => {
      if (await platform.isSessionValid()) return {};
      throw failed("checkSession", wxFailures.sessionExpired);
    }),
    getUserInfo: wxCall<UserInfoOptions, UserInfoResult>("getUserInfo", async ({ withCredentials }) => {
      if (!(await isAllowed("scope.userInfo"))) throw failed("getUserInfo", wxFailures.authDenied);
      return userInfoOf(await platform.getUserInfo(), withCredentials);
    }),
    getUserProfile: wxCall<UserProfileOptions, UserInfoResult>("getUserProfile", async ({ desc }) => {
      if (typeof desc !== "string") throw failed("getUserProfile", wrongParameter("desc", "String", desc));
      const { length } = [...desc];
      if (length === 0 || length > mostDesc) throw failed("getUserProfile", wxFailures.descLength);
      return userInfoOf(await platform.getUserProfile());
    }),
    getSetting: wxCall<SettingOptions, SettingResult>("getSetting", async () => settingOf(await platform.getSetting())),
    openSetting: wxCall<SettingOptions, SettingResult>("openSetting", async () => {
      for (const scope of Object.keys(others) as (keyof WxAuthSetting)[]) others[scope] = !prompts.isDenied(scope);
      return settingOf(await platform.openSetting());
    }),
    authorize: wxCall<AuthorizeOptions>("authorize", async ({ scope }) => {
      if (typeof scope !== "string") throw failed("authorize", wrongParameter("scope", "String", scope));
      if (!(await isAllowed(scope as `scope.${string}`))) throw failed("authorize", wxFailures.authDenied);
      return {};
    }),
    getLocation: wxCall<LocationOptions, LocationResult>("getLocation", async () =>
      membersOf<LocationResult>(orFailed(await platform.getLocation())),
    ),
    requestPayment: wxCall<PaymentOptions>("requestPayment", async (options) => {
      const parameters = paymentParameters.flatMap((name) => {
        const value: unknown = options[name];
        if (typeof value === "string") return [[name, value] as const];
        if (name === "signType" && value === undefined) return [];
        throw failed("requestPayment", wrongParameter(name, "String", value));
      });
      orFailed(await platform.pay(Object.fromEntries(parameters)));
      return {};
    }),
  };
}
