/**
 * Access to the console. Programs send the run's token as Bearer. A browser has a cookie, which it gets in exchange for a
 * code (valid for one login) or the token, given in the address of any page or typed into the page. Only the console's own
 * port sets the cookie and reads it.
 */
import type { IncomingMessage, ServerResponse } from "node:http";
import { createLogin, createLoginCode, loginCodeParameter } from "../../contract/console/console-logins.ts";
import { looksLikeKey } from "../../contract/process/access-keys.ts";
import { bearerOf, createTokenCheck } from "../../http/conventions/bearer-token.ts";
import { redirect } from "../../http/conventions/redirect.ts";
import { isFromHere } from "../../http/connection/peer/caller.ts";
import { isOwnSite, type Admit } from "../../http/conventions/control.ts";
import { refuse } from "../../http/http-error.ts";
import { pathOf, queryOf, type Middleware } from "../../http/middleware.ts";
import { notesOf } from "../../http/recording/exchange-notes.ts";
import { route, type Route } from "../../http/route.ts";
import { createBrowserLogins } from "./browser-logins.ts";
import type { KnownBrowser, KnownBrowsers } from "./known-browsers.ts";
import { createLoginCodes, type Redeemed } from "./login-codes.ts";

interface Options {
  /** Judges keys, and tokens that begin like keys. */
  readonly admitBearer: Admit;
  readonly browsers: KnownBrowsers;
  /** Whether a key still exists, by its id. */
  readonly isGoodKey: (id: string) => boolean;
  /** Base URL of the console's port. */
  readonly consoleUrl: () => string;
}

/** The fragment, which browsers do not send, tells the page why there is no session. */
const refusedFragment = { good: "", foreign: "", wrong: "#login=refused", later: "#login=later" } as const;

export function createConsoleAccess(consoleToken: string, options: Options) {
  const { admitBearer, browsers, isGoodKey, consoleUrl } = options;
  const isToken = createTokenCheck(consoleToken);
  const codes = createLoginCodes();

  /** Codes and logins that were made with a key end with it. */
  const isMakerValid = (maker: string | undefined) => maker === undefined || isGoodKey(maker);
  const { browserOf, logIn, ...logins } = createBrowserLogins(browsers, isMakerValid);

  function redeem(req: IncomingMessage, code: string): Redeemed {
    const redeemed = codes.redeem(code, isFromHere(req) ? "here" : "elsewhere");
    return redeemed.outcome === "good" && !isMakerValid(redeemed.maker) ? { outcome: "wrong" } : redeemed;
  }
  function admitBrowser(browser: KnownBrowser, res: ServerResponse): void {
    if (browser.maker !== undefined) notesOf(res).key = browser.maker;
    browsers.follow(browser, res);
  }
  const requireBy = (cookieCounts: boolean): Middleware => {
    return (req, res, next) => {
      const bearer = bearerOf(req);
      const browser = cookieCounts && bearer === undefined ? browserOf(req) : undefined;
      if (browser) admitBrowser(browser, res);
      else if (looksLikeKey(bearer)) admitBearer(req, res);
      else if (!isToken(bearer))
        throw refuse("console.login", undefined, { headers: { "WWW-Authenticate": "Bearer" } });
      next();
    };
  };
  /** Judges a login by a page's address. From a page of another origin, it neither succeeds nor counts as a try. */
  function judge(req: IncomingMessage, code: string | null, token: string | null): Redeemed | { outcome: "foreign" } {
    if (!isOwnSite(req)) return { outcome: "foreign" };
    if (token !== null && isToken(token)) return { outcome: "good", maker: undefined };
    return code === null ? { outcome: "wrong" } : redeem(req, code);
  }

  return {
    /** Exchanges a code or the token in a page's address for the cookie, and redirects to the address without it. */
    admit: (async (req, res, next) => {
      const searchParams = new URLSearchParams(queryOf(req));
      const [code, token] = [searchParams.get(loginCodeParameter), searchParams.get("token")];
      if (req.method !== "GET" || (code === null && token === null)) return next();
      const judged = judge(req, code, token);
      const wasIn = browserOf(req) !== undefined;
      if (judged.outcome === "good") res.setHeader("Set-Cookie", await logIn(req, judged.maker));
      for (const name of [loginCodeParameter, "token"]) searchParams.delete(name);
      const query = searchParams.size === 0 ? "" : `?${searchParams.toString()}`;
      const fragment = wasIn ? "" : refusedFragment[judged.outcome];
      res.setHeader("Cache-Control", "no-store");
      res.setHeader("Referrer-Policy", "no-referrer");
      // Not the path of a parsed URL: that removes dots, so `/console/..//host/` would redirect to another host.
      redirect(req, res, 303, `${pathOf(req)}${query}${fragment}`);
    }) satisfies Middleware,

    /** @throws HttpError 401 without the token, a session or a key, 403 or 429 as the key says. */
    require: requireBy(true),

    /** The same where no cookie counts. */
    requireToken: requireBy(false),

    isKnown: (req: IncomingMessage) => browserOf(req) !== undefined,

    /** Only for those with access. */
    routes: [
      route(createLoginCode, (_input, { res }) => {
        const { code, expiresInSeconds } = codes.create(notesOf(res).key);
        const address = `${consoleUrl()}/console/?${loginCodeParameter}=${code}`;
        return { data: { code, address, expires_in: expiresInSeconds }, headers: { "Cache-Control": "no-store" } };
      }),
      ...logins.routes,
    ] satisfies Route[],

    /** Open to all. */
    openRoutes: [
      logins.openRoute,
      route(createLogin, async ({ body: { code } }, { req }) => {
        const redeemed = redeem(req, code);
        if (redeemed.outcome === "later")
          throw refuse("console.wrongCodes", undefined, { retryAfter: redeemed.waitSeconds });
        if (redeemed.outcome === "wrong") throw refuse("console.code");
        return { headers: { "Set-Cookie": await logIn(req, redeemed.maker), "Cache-Control": "no-store" } };
      }),
    ] satisfies Route[],
  };
}
export type ConsoleAccess = ReturnType<typeof createConsoleAccess>;
