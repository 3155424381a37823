/** Records what a program shows and where it goes. The simulated person answers. */
import { wrongParameter, wxFailures } from "../../contract/mini-program/wx-failures.ts";
import type { Phone } from "../phone/phone.ts";
import type { WxCallbacks, WxResult } from "./api/call.ts";
import type {
  ActionSheetOptions,
  ActionSheetResult,
  LoadingOptions,
  ModalOptions,
  ModalResult,
  NavigationOptions,
  Shown,
  SurfaceCalls,
  TitleOptions,
  ToastOptions,
} from "./api/device.ts";
import { failed, wxCall } from "./answer.ts";

const callbacks = new Set(["success", "fail", "complete"]);

export function surfaceCalls({ prompts }: Phone): SurfaceCalls {
  const shown: Shown[] = [];
  function record(api: string, options: object): void {
    const given = Object.entries(options).filter(([name]) => !callbacks.has(name));
    shown.push({ api, ...Object.fromEntries(given) });
  }
  /** A call that only shows. `required` is the option that must be a text. */
  const plain = <Options extends WxCallbacks<WxResult>>(api: string, required?: string) =>
    wxCall<Options>(api, (options) => {
      const value = required === undefined ? "" : (options as Readonly<Record<string, unknown>>)[required];
      if (typeof value !== "string") throw failed(api, wrongParameter(required ?? "", "String", value));
      record(api, options);
      return {};
    });

  return {
    shown,
    showToast: plain<ToastOptions>("showToast", "title"),
    hideToast: plain("hideToast"),
    showLoading: plain<LoadingOptions>("showLoading", "title"),
    hideLoading: plain("hideLoading"),
    showModal: wxCall<ModalOptions, ModalResult>("showModal", (options) => {
      record("showModal", options);
      const cancel = options.showCancel !== false && prompts.isDenied("modal");
      return { confirm: !cancel, cancel, content: "" };
    }),
    showActionSheet: wxCall<ActionSheetOptions, ActionSheetResult>("showActionSheet", (options) => {
      record("showActionSheet", options);
      if (prompts.isDenied("actionSheet")) throw failed("showActionSheet", wxFailures.cancelled);
      return { tapIndex: 0 };
    }),
    setNavigationBarTitle: plain<TitleOptions>("setNavigationBarTitle", "title"),
    stopPullDownRefresh: plain("stopPullDownRefresh"),
    navigateTo: plain<NavigationOptions>("navigateTo", "url"),
    redirectTo: plain<NavigationOptions>("redirectTo", "url"),
    reLaunch: plain<NavigationOptions>("reLaunch", "url"),
    switchTab: plain<NavigationOptions>("switchTab", "url"),
    navigateBack: plain("navigateBack"),
  };
}
