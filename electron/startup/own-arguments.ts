/** Tells the program's own arguments from those of Chromium, which come among them. */

import { minimisedFlag } from "../desktop/login-item.ts";
import { withoutLinks } from "../desktop/page-link.ts";

/** Switches of Chromium and Electron. */
const foreignSwitch =
  /^(--(no-sandbox|no-zygote|inspect|remote-debugging|disable-|enable-|ozone-|js-flags|use-|force-|lang\b|user-data-dir|password-store)|-psn_)/;

/** What follows `--` belongs to the command that `hearth exec` runs. */
export function withoutForeignSwitches(args: readonly string[]): string[] {
  const at = args.indexOf("--");
  const own = at < 0 ? args : args.slice(0, at);
  const flags = withoutLinks(own).filter((arg) => arg !== minimisedFlag && !foreignSwitch.test(arg));
  return [...flags, ...(at < 0 ? [] : args.slice(at))];
}

/** Whether the first argument is one of the `hearth` commands, and no flag, file or link. `start` opens the window. */
export const isCommand = (arg = ""): boolean => /^[a-z][a-z-]*$/.test(arg) && arg !== "start";
