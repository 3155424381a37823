/** Links into the console, with a way in, and links that leave the window. */
import { shell } from "electron";
import { loginCodeParameter } from "../../server/contract/console/console-logins.ts";
import { printError } from "../../server/process/terminal/print-text.ts";
import type { Run } from "../../server/supervisor/run.ts";
import { isConsolePage, webAddress } from "./navigation.ts";

export type ConsoleLinks = ReturnType<typeof createConsoleLinks>;

export function createConsoleLinks(run: () => Run) {
  /** The console's origin; undefined until the application server is up. */
  const origin = () => URL.parse(run().consoleAddress() ?? "")?.origin;
  const appOrigin = () => URL.parse(run().urls()["app"] ?? "")?.origin;
  /** A console page with a login code; without a code, the page itself asks for a login. */
  const withCode = async (page: string): Promise<string> => {
    const made = await run()
      .loginCode()
      .catch(() => undefined);
    const url = new URL(page);
    if (made !== undefined) url.searchParams.set(loginCodeParameter, made.code);
    return url.href;
  };
  return {
    origin,
    /** The origin of the application server, which also serves users' content. */
    appOrigin,
    withCode,
    isPage: (url: string): boolean => isConsolePage(url, origin()),
    openOutside(url: string): void {
      const address = webAddress(url);
      if (address === undefined) return;
      const opened = isConsolePage(address, origin()) ? withCode(address) : Promise.resolve(address);
      opened
        .then((to) => shell.openExternal(to))
        .catch((error: unknown) => printError(`the browser cannot be opened: ${String(error)}`));
    },
  };
}
