import { createLogin, getLogin, loginCodeParameter } from "../../../server/contract/console/console-logins.ts";
import type { LoginAccess } from "./access.ts";

/** Why a code did not log this browser in. `forgotten`: it did, but the browser keeps no cookies. */
export type LoginProblem = "wrong" | "later" | "offline" | "forgotten";

export interface Login {
  /** Exchanges the typed text, a code or an address with one; undefined: this browser is logged in. */
  withCode: (typed: string) => Promise<LoginProblem | undefined>;
  /** Checks whether the browser was logged in elsewhere, such as in another tab. */
  checkAgain: () => Promise<void>;
}

/** Accepts the code or the whole address. */
export const codeIn = (typed: string) =>
  new URLSearchParams(typed.split("?")[1] ?? "").get(loginCodeParameter) ?? typed.trim();

/** Bypasses the queue of requests that wait for the login. */
export function createLoginCalls(fetch: typeof globalThis.fetch, access: LoginAccess): Login {
  const isIn = async () => getLogin.data?.parse(await (await fetch(getLogin.path)).json()).known === true;
  return {
    async withCode(typed) {
      try {
        const { status, ok } = await fetch(createLogin.path, {
          method: createLogin.method,
          headers: { "content-type": "application/json" },
          body: JSON.stringify({ code: codeIn(typed) }),
        });
        if (!ok) return status === 429 ? "later" : status >= 500 ? "offline" : "wrong";
        if (!(await isIn())) return "forgotten";
      } catch {
        return "offline";
      }
      access.gained();
      return undefined;
    },
    async checkAgain() {
      if (await isIn().catch(() => false)) access.gained();
    },
  };
}
