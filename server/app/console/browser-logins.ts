/** The console's cookie: who has sent it, who gets it, and the list of those who have it. */
import type { IncomingMessage } from "node:http";
import { consoleCookiePrefix } from "../../contract/answer-headers.ts";
import { deleteBrowser, getLogin, listBrowsers } from "../../contract/console/console-logins.ts";
import { isSecure } from "../../http/connection/peer/caller.ts";
import { deviceName } from "../../http/connection/peer/device-name.ts";
import { refuse } from "../../http/http-error.ts";
import { route, type Route } from "../../http/route.ts";
import { loginDays, type KnownBrowser, type KnownBrowsers } from "./known-browsers.ts";

/** `isMakerValid`: a login that was made with a key ends with it. */
export function createBrowserLogins(browsers: KnownBrowsers, isMakerValid: (maker: string | undefined) => boolean) {
  /** The browser that sends the request. Cookies apply to all ports of a host, so a changed port logs nobody out. */
  function browserOf(req: IncomingMessage): KnownBrowser | undefined {
    const cookies = (req.headers.cookie ?? "").split(";").map((one) => one.trim());
    const ours = cookies.filter((one) => one.startsWith(consoleCookiePrefix));
    const browser = browsers.find(ours.map((one) => one.slice(one.indexOf("=") + 1)));
    return browser && isMakerValid(browser.maker) ? browser : undefined;
  }
  return {
    browserOf,

    /** Lets the browser in, and returns the cookie. Its path keeps it from most servers on other ports. */
    logIn: async (req: IncomingMessage, maker: string | undefined): Promise<string> => {
      const value = await browsers.logIn({ name: deviceName(req.headers["user-agent"]), maker }, browserOf(req));
      const name = consoleCookiePrefix + String(req.socket.localPort ?? 0);
      const maxAge = String(loginDays * 24 * 60 * 60);
      const rules = `Path=/console; Max-Age=${maxAge}; HttpOnly; SameSite=Strict${isSecure(req) ? "; Secure" : ""}`;
      return `${name}=${value}; ${rules}`;
    },

    /** Open to all. */
    openRoute: route(getLogin, (_input, { req }) => ({
      data: { known: browserOf(req) !== undefined },
      headers: { "Cache-Control": "no-store" },
    })) satisfies Route,

    /** Only for those with access. */
    routes: [
      route(listBrowsers, async (_input, { req }) => {
        const current = browserOf(req)?.id;
        const known = (await browsers.list()).filter(({ maker }) => isMakerValid(maker));
        return { data: { browsers: known.map((one) => viewOf(one, current)) } };
      }),
      route(deleteBrowser, async ({ params: { id } }, { res }) => {
        if (!(await browsers.remove(id, res))) throw refuse("browser.none", { id });
      }),
    ] satisfies Route[],
  };
}

const viewOf = ({ id, name, createdAt, seenAt }: KnownBrowser, current: string | undefined) => ({
  id,
  name,
  since: new Date(createdAt).toISOString(),
  seen_at: new Date(seenAt).toISOString(),
  current: id === current,
});
