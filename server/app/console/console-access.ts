import { createHash, timingSafeEqual } from "node:crypto";
import type { NextFunction, Request, Response } from "express";
import { HttpError } from "../../http/http-error.ts";

const digest = (text: string) => createHash("sha256").update(text).digest();

/**
 * Access to the console: the run's token as Bearer (programs), or the cookie that opening `/console/?token=…` sets (the
 * page). The cookie's name holds the port, since cookies do not tell the ports of one host apart.
 */
export function createConsoleAccess(token: string) {
  const expected = digest(token);
  const fits = (given: string | undefined) => given !== undefined && timingSafeEqual(digest(given), expected);
  const cookieName = (req: Request) => `hearth_console_${String(req.socket.localPort ?? 0)}`;

  function cookieOf(req: Request): string | undefined {
    const prefix = `${cookieName(req)}=`;
    return req.headers.cookie
      ?.split(";")
      .map((one) => one.trim())
      .find((one) => one.startsWith(prefix))
      ?.slice(prefix.length);
  }

  return {
    /** Exchanges the token in the address for the cookie, so that it stays in no history. */
    admit: (req: Request, res: Response, next: NextFunction): void => {
      const given = new URL(req.originalUrl, "http://localhost").searchParams.get("token");
      if (given === null) {
        next();
        return;
      }
      if (!fits(given))
        throw new HttpError(
          403,
          "bad_console_token",
          "This token is not of the running Hearth: open the address that it printed.",
        );
      res.cookie(cookieName(req), given, { httpOnly: true, sameSite: "strict", path: "/" });
      res.redirect(303, "/console/");
    },

    /** @throws HttpError 401 without the token or the cookie. */
    require: (req: Request, _res: Response, next: NextFunction): void => {
      const bearer = /^Bearer +(\S+)$/i.exec(req.headers.authorization ?? "")?.[1];
      if (!fits(bearer ?? cookieOf(req)))
        throw new HttpError(
          401,
          "console_token_required",
          "Open the console by the address that Hearth printed at its start, or send its token as Bearer.",
          {
            headers: { "WWW-Authenticate": "Bearer" },
          },
        );
      next();
    },
  };
}
export type ConsoleAccess = ReturnType<typeof createConsoleAccess>;
