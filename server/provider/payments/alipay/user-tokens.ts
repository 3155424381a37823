/** Tokens by which an app reads a person's data at Alipay. They say whose they are, and Alipay's key seals them. */
import { createHmac, randomBytes } from "node:crypto";
import type { AlipayKeys } from "./alipay-keys.ts";

interface Deps {
  readonly alipayKeys: Pick<AlipayKeys, "own">;
  /** Unix time in ms. */
  readonly now: () => number;
}

export type TokenKind = "access" | "refresh";

/** Seconds. */
export const tokenLifetimes: Readonly<Record<TokenKind, number>> = { access: 1_296_000, refresh: 2_592_000 };

export class UserTokens {
  readonly #deps: Deps;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  async issue(kind: TokenKind, openid: string): Promise<string> {
    const until = this.#deps.now() + tokenLifetimes[kind] * 1000;
    const content = Buffer.from(JSON.stringify([kind, openid, until, randomBytes(6).toString("hex")]));
    const text = content.toString("base64url");
    return `${text}.${await this.#seal(text)}`;
  }

  /** The openid of its person; undefined for a token that is forged, of another kind or over. */
  async ownerOf(kind: TokenKind, token: string): Promise<string | undefined> {
    const [text = "", seal] = token.split(".");
    if (seal !== (await this.#seal(text))) return undefined;
    const [is, openid, until] = JSON.parse(Buffer.from(text, "base64url").toString()) as [string, string, number];
    return is === kind && until > this.#deps.now() ? openid : undefined;
  }

  async #seal(text: string): Promise<string> {
    const { alipayPrivateKey } = await this.#deps.alipayKeys.own();
    const key = alipayPrivateKey.export({ type: "pkcs8", format: "der" });
    return createHmac("sha256", key).update(text).digest("base64url");
  }
}
