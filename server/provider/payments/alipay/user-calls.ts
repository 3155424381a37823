/** Exchanges a login code for tokens, and reads the data of their person. */
import { PaymentRefusal } from "../ledger/ledger.ts";
import type { AlipayKeys } from "./alipay-keys.ts";
import { prepared, type CallAlipay, type ReplyMembers } from "./call-alipay.ts";
import { alipayUser } from "./trade-status.ts";
import { tokenLifetimes, UserTokens } from "./user-tokens.ts";

/** A person of the simulated platforms, as an app may see the person. */
export interface AlipayPerson {
  readonly openid: string;
  readonly nick_name: string;
  readonly avatar_url: string;
}

/** The people of the simulated platforms, by what an app knows of them. */
export interface AlipayPeople {
  /** Uses a login code up; undefined for one that is unknown, used or over. */
  byLoginCode(code: string): Promise<AlipayPerson | undefined>;
  byOpenId(openid: string): Promise<AlipayPerson | undefined>;
}

export interface AlipayUserDeps {
  readonly alipayKeys: Pick<AlipayKeys, "own">;
  readonly people: AlipayPeople;
  /** Unix time in ms. */
  readonly now: () => number;
}

export function userCalls({ people, ...deps }: AlipayUserDeps): readonly CallAlipay[] {
  const tokens = new UserTokens(deps);

  async function openidOf({ grant_type, code, refresh_token }: Readonly<Record<string, string>>): Promise<string> {
    if (grant_type === "refresh_token") {
      const openid = await tokens.ownerOf("refresh", refresh_token ?? "");
      if (openid === undefined) throw new PaymentRefusal("isv.refresh-token-invalid", "刷新令牌refresh_token无效");
      return openid;
    }
    if (grant_type !== "authorization_code") throw new PaymentRefusal("isv.grant-type-invalid", "grant_type参数不正确");
    const person = await people.byLoginCode(code ?? "");
    if (!person) throw new PaymentRefusal("isv.code-invalid", "授权码code无效");
    return person.openid;
  }

  const token: CallAlipay = {
    name: "authcodetoopenid",
    method: "alipay.system.oauth.token",
    refusedAs: "error_response",
    prepare: ({ params }) =>
      prepared({
        async perform(): Promise<ReplyMembers> {
          const openid = await openidOf(params);
          const { userId, openId } = alipayUser(openid);
          return {
            // Its reply says nothing of its success.
            ...{ code: undefined, msg: undefined, user_id: userId, open_id: openId },
            ...{ access_token: await tokens.issue("access", openid), expires_in: tokenLifetimes.access },
            ...{ refresh_token: await tokens.issue("refresh", openid), re_expires_in: tokenLifetimes.refresh },
          };
        },
        view: (members) => members,
      }),
  };

  const share: CallAlipay = {
    name: "authcodetoopenid",
    method: "alipay.user.info.share",
    prepare: ({ params }) =>
      prepared({
        async perform(): Promise<ReplyMembers> {
          const openid = await tokens.ownerOf("access", params["auth_token"] ?? "");
          const person = openid === undefined ? undefined : await people.byOpenId(openid);
          if (!person) throw new PaymentRefusal("aop.invalid-auth-token", "无效的访问令牌");
          const { userId, openId } = alipayUser(person.openid);
          return { user_id: userId, open_id: openId, nick_name: person.nick_name, avatar: person.avatar_url };
        },
        view: (members) => members,
      }),
  };

  return [token, share];
}
