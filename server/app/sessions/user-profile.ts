import type { Updateable } from "kysely";
import type { Logger } from "pino";
import type { z } from "zod";
import type { createPhoneNumber, createUserInfo } from "../../contract/app/sessions.ts";
import { badRequest, HttpError } from "../../http/http-error.ts";
import type { EventDatabase } from "../../store/event-writes.ts";
import { isWaiting } from "../../store/waits.ts";
import type { IdentityClient } from "./identity-client.ts";
import { keepUnionid } from "./keep-unionid.ts";
import {
  decryptedPhoneSchema,
  decryptedUserInfoSchema,
  decryptOpenData,
  invalidOpenData,
  signingKey,
} from "./open-data.ts";
import { userEvent } from "./session-events.ts";
import { previousKeyMs, type SessionsTables, type UsersTable } from "./sessions-tables.ts";

export interface UserProfile {
  /** @throws HttpError 401 Bearer when no known key signed it, 400 for data that the platform did not make, 403 for another user's */
  storeUserInfo(
    userId: number,
    detail: z.output<NonNullable<typeof createUserInfo.body>>,
  ): Promise<{ nick_name: string; avatar_url: string }>;
  /** @throws HttpError 401: Bearer when no known key reads it, getPhoneNumber for an invalid code; 400 for data without a phone number */
  storePhoneNumber(userId: number, detail: z.output<NonNullable<typeof createPhoneNumber.body>>): Promise<void>;
  phoneNumber(userId: number): Promise<{ phone_number: string; country_code: string } | undefined>;
}

interface Deps {
  readonly database: EventDatabase<SessionsTables>;
  readonly identity: IdentityClient;
  readonly appId: string;
  readonly log: Pick<Logger, "warn">;
  readonly now: () => number;
}

/** A client must check errMsg: a result without `…:ok` has no data to store (spec: Login-state protocol 4, 5). */
function requireOk(call: "getUserInfo" | "getPhoneNumber", errMsg: string): void {
  if (errMsg !== `${call}:ok`)
    throw badRequest(
      "not_authorized_by_user",
      `errMsg is "${errMsg}", not "${call}:ok": the user has not allowed it, so there is nothing to store.`,
      "errMsg",
    );
}

/** An empty text counts as not given, in what clients send and in what the platform has encrypted. */
export function createUserProfile({ database: { db, writes }, identity, appId, log, now }: Deps): UserProfile {
  const userOf = (id: number) => db.selectFrom("users").selectAll().where("id", "=", id).executeTakeFirstOrThrow();
  const keysOf = (user: Awaited<ReturnType<typeof userOf>>) =>
    user.previous_session_key !== null && isWaiting(user.previous_key_until ?? 0, previousKeyMs, now())
      ? [user.session_key, user.previous_session_key]
      : [user.session_key];

  const change = (userId: number, values: Updateable<UsersTable>, field: "userinfo" | "phone") =>
    writes.writeWithEvent(
      async () => (await writes.run(db.updateTable("users").set(values).where("id", "=", userId).returning("id")))[0],
      () => userEvent("/app/sessions", userId, field),
    );

  return {
    async storeUserInfo(userId, { errMsg, rawData, signature, encryptedData, iv }) {
      requireOk("getUserInfo", errMsg);
      if (!rawData || !signature)
        throw badRequest("missing_field", "rawData and signature are required.", rawData ? "signature" : "rawData");
      const user = await userOf(userId);
      const key = signingKey(rawData, signature, keysOf(user));
      const open = decryptedUserInfoSchema.safeParse(
        encryptedData && iv
          ? decryptOpenData(encryptedData, iv, [key], appId, now(), invalidOpenData)
          : parseRaw(rawData),
      );
      if (!open.success)
        throw badRequest("open_data_invalid", "The user info has not the shape of the platform's.", "rawData");
      const { openId, unionId, nickName, avatarUrl } = open.data;
      if (openId && openId !== user.openid)
        throw new HttpError(403, "other_user", "The user info belongs to another user than this session.");
      const stored = { nick_name: nickName, avatar_url: avatarUrl };
      await change(userId, { ...stored, unionid: keepUnionid(user, unionId ?? undefined, log) }, "userinfo");
      return stored;
    },

    async storePhoneNumber(userId, { errMsg, code, encryptedData, iv }) {
      requireOk("getPhoneNumber", errMsg);
      const user = await userOf(userId);
      const phone = code
        ? await identity.phoneNumber(code, user.openid)
        : decryptPhone(encryptedData, iv, keysOf(user), appId, now());
      await change(userId, { phone_number: phone.phoneNumber, country_code: phone.countryCode }, "phone");
    },

    async phoneNumber(userId) {
      const { phone_number, country_code } = await userOf(userId);
      return phone_number === null ? undefined : { phone_number, country_code: country_code ?? "" };
    },
  };
}

function parseRaw(rawData: string): unknown {
  try {
    return JSON.parse(rawData);
  } catch {
    throw badRequest("open_data_invalid", "rawData is not JSON.", "rawData");
  }
}

function decryptPhone(
  encryptedData: string | undefined,
  iv: string | undefined,
  keys: readonly string[],
  appId: string,
  now: number,
) {
  if (!encryptedData || !iv)
    throw badRequest("missing_field", "Send the code, or encryptedData with iv, as getPhoneNumber gave them.", "code");
  const open = decryptedPhoneSchema.safeParse(decryptOpenData(encryptedData, iv, keys, appId, now));
  if (!open.success)
    throw badRequest("open_data_invalid", "The encrypted data holds no phone number.", "encryptedData");
  return { phoneNumber: open.data.purePhoneNumber, countryCode: open.data.countryCode };
}
