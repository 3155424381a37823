import { missingStep, type LoginPolicy, type SessionLookup } from "../../http/login.ts";
import { simulatedLogin } from "./simulated-login.ts";

interface Deps {
  readonly sessions: SessionLookup;
  readonly policy: LoginPolicy;
  readonly addresses: () => { app: string; provider: string };
  /** Unix ms. */
  readonly now: () => number;
}

/** A session that ends sooner is replaced. */
const leastLeftMs = 60_000;

/** The sessions that the console has begun for simulated users. Opening a page again begins no other one. */
export class ConsoleTokens {
  readonly #deps: Deps;
  readonly #tokens = new Map<string, string>();

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /** A session token of the user, who is logged in completely, and its remaining seconds. */
  async tokenOf(user: string): Promise<{ access_token: string; expires_in: number }> {
    const known = await this.#known(user);
    if (known) return known;
    const begun = await simulatedLogin(user, this.#deps.addresses());
    this.#tokens.set(user, begun.access_token);
    return begun;
  }

  async #known(user: string) {
    const { sessions, policy, now } = this.#deps;
    const token = this.#tokens.get(user);
    const session = token === undefined ? undefined : await sessions.find(token);
    if (!session || missingStep(session, policy) !== undefined) return undefined;
    const leftMs = session.expiresAt - now();
    if (leftMs < leastLeftMs) return undefined;
    return { access_token: session.token, expires_in: Math.floor(leftMs / 1000) };
  }
}
