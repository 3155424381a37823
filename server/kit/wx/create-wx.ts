/** `hearthkit/wx`: the platform's `wx` for the logic of a mini-program in Node, with a simulated person at the phone. */
import { testApp } from "../../provider/identity/test-app.ts";
import type { Phone } from "../phone/phone.ts";
import { accountCalls } from "./account.ts";
import type { LaunchOptions } from "./api/system.ts";
import { DeviceFiles, fileCalls } from "./files.ts";
import type { NetworkContext } from "./network/http-task.ts";
import { networkCalls } from "./network/network.ts";
import { promisedCalls } from "./promised.ts";
import { programFrame } from "./program.ts";
import { storageCalls } from "./storage.ts";
import { surfaceCalls } from "./surface.ts";
import { systemCalls, userAgent } from "./system.ts";
import type { Wx, WxOptions } from "./wx.ts";

export type { HeaderNames, ServerDomains, Wx, WxGlobals, WxOptions } from "./wx.ts";
export type { WxFailure, WxResult } from "./api/call.ts";

/**
 * The platform on a phone where the program is just installed: its storage is empty, and it has shown nothing.
 * @param phone what `hearth.phone(name)` returns. With `{ login: false }`, the program itself is the first to log in
 */
export function createWx(phone: Phone, options: WxOptions = {}): Wx {
  const { app_id = testApp.app_id, version = "0", domains, header_names = "as-sent", system_info = {} } = options;
  const launch: LaunchOptions = {
    path: "pages/index/index",
    query: {},
    scene: 1001,
    referrerInfo: { appId: "", extraData: {} },
    apiCategory: "default",
    forwardMaterials: [],
    hostExtraData: { host_scene: "" },
    ...options.launch,
  };
  const network: NetworkContext = {
    domains,
    headerNames: header_names,
    own: { Referer: `https://servicewechat.com/${app_id}/${version}/page-frame.html`, "User-Agent": userAgent },
  };
  const files = new DeviceFiles();
  const frame = programFrame(launch);
  const calls = networkCalls(network, files);
  const device = {
    ...accountCalls(phone),
    ...fileCalls(files, phone),
    ...storageCalls(),
    ...surfaceCalls(phone),
    ...systemCalls({ appId: app_id, changed: system_info, launch, knows: (api) => api in wx }),
  };
  const promised = { ...device, ...promisedCalls(calls) };
  const wx: Wx = {
    ...device,
    ...calls,
    get globals() {
      return { ...frame, wx, uni: promised, Taro: promised };
    },
  };
  return wx;
}
