import type { Updateable } from "kysely";
import type { Logger } from "pino";
import type { z } from "zod";
import type { createPhoneNumber, createUserInfo } from "../../contract/app/sessions.ts";
import { refuse } from "../../http/http-error.ts";
import type { EventDatabase } from "../../store/event-writes.ts";
import { isWaiting } from "../../store/waits.ts";
import type { IdentityClient } from "./identity-client.ts";
import { keepUnionid } from "./keep-unionid.ts";
import { joinUserOfPhone } from "./one-user-per-phone.ts";
import { decryptedPhoneSchema, decryptedUserInfoSchema, decryptOpenData, signingKey } from "./open-data.ts";
import type { SessionEvents } from "./session-events.ts";
import { previousKeyMs, type SessionsTables, type UsersTable } from "./sessions-tables.ts";

interface Deps {
  readonly database: EventDatabase<SessionsTables>;
  readonly events: SessionEvents;
  readonly identity: IdentityClient;
  readonly appId: string;
  /** The setting one_user_per_phone. */
  readonly onePerPhone: boolean;
  readonly log: Pick<Logger, "warn">;
  readonly now: () => number;
}

/** A client must check errMsg: a result without `…:ok` has no data to store (spec: Login-state protocol 4, 5). */
function requireOk(call: "getUserInfo" | "getPhoneNumber", errMsg: string): void {
  if (errMsg !== `${call}:ok`) throw refuse("userInfo.notAllowed", { errMsg, call }, { field: "errMsg" });
}

export type UserProfile = ReturnType<typeof createUserProfile>;

/** An empty text counts as missing, both in clients' data and in the platform's encrypted data. */
export function createUserProfile({ database, events, identity, appId, onePerPhone, log, now }: Deps) {
  const { db, writes } = database;
  const userOf = (id: number) => db.selectFrom("users").selectAll().where("id", "=", id).executeTakeFirstOrThrow();
  const keysOf = (user: Awaited<ReturnType<typeof userOf>>) =>
    user.previous_session_key !== null && isWaiting(user.previous_key_until ?? 0, previousKeyMs, now())
      ? [user.session_key, user.previous_session_key]
      : [user.session_key];

  const change = (userId: number, values: Updateable<UsersTable>, field: "userinfo" | "phone") =>
    writes.writeWithEvent(
      async () => (await writes.run(db.updateTable("users").set(values).where("id", "=", userId).returning("id")))[0],
      () => events.user("/app/sessions", userId, field),
    );

  return {
    /** @throws HttpError 401 Bearer when no known key signed it, 400 for data that the platform did not make, 403 for another user's */
    async storeUserInfo(
      userId: number,
      { errMsg, rawData, signature, encryptedData, iv }: z.output<NonNullable<typeof createUserInfo.body>>,
    ) {
      requireOk("getUserInfo", errMsg);
      if (!rawData || !signature)
        throw refuse("userInfo.missing", undefined, { field: rawData ? "signature" : "rawData" });
      const user = await userOf(userId);
      const key = signingKey(rawData, signature, keysOf(user));
      const open = decryptedUserInfoSchema.safeParse(
        encryptedData && iv
          ? decryptOpenData(encryptedData, iv, [key], appId, now(), () => refuse("openData.undecrypted"))
          : parseRaw(rawData),
      );
      if (!open.success) throw refuse("userInfo.shape", undefined, { field: "rawData" });
      const { openId, unionId, nickName, avatarUrl } = open.data;
      if (openId && openId !== user.openid) throw refuse("userInfo.otherUser");
      const stored = { nick_name: nickName, avatar_url: avatarUrl };
      await change(userId, { ...stored, unionid: keepUnionid(user, unionId ?? undefined, log) }, "userinfo");
      return stored;
    },

    /** @throws HttpError 401: Bearer when no known key reads it, getPhoneNumber for an invalid code; 400 for data without a phone number */
    async storePhoneNumber(
      userId: number,
      { errMsg, code, encryptedData, iv }: z.output<NonNullable<typeof createPhoneNumber.body>>,
    ): Promise<void> {
      requireOk("getPhoneNumber", errMsg);
      const user = await userOf(userId);
      const phone = code
        ? await identity.phoneNumber(code, user.openid)
        : decryptPhone(encryptedData, iv, keysOf(user), appId, now());
      const stored = { phone_number: phone.phoneNumber, country_code: phone.countryCode };
      if (onePerPhone && (await joinUserOfPhone(database, events, user, stored))) return;
      await change(userId, stored, "phone");
    },

    async phoneNumber(userId: number) {
      const { phone_number, country_code } = await userOf(userId);
      return phone_number === null ? undefined : { phone_number, country_code: country_code ?? "" };
    },
  };
}

function parseRaw(rawData: string): unknown {
  try {
    return JSON.parse(rawData);
  } catch {
    throw refuse("userInfo.notJson", undefined, { field: "rawData" });
  }
}

function decryptPhone(
  encryptedData: string | undefined,
  iv: string | undefined,
  keys: readonly string[],
  appId: string,
  now: number,
) {
  if (!encryptedData || !iv) throw refuse("phone.send", undefined, { field: "code" });
  const open = decryptedPhoneSchema.safeParse(decryptOpenData(encryptedData, iv, keys, appId, now));
  if (!open.success) throw refuse("phone.absent", undefined, { field: "encryptedData" });
  return { phoneNumber: open.data.purePhoneNumber, countryCode: open.data.countryCode };
}
