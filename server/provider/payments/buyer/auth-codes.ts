/** Payment codes that buyers show at a till: 18 digits, valid once and for one minute. */
import { randomInt } from "node:crypto";
import type { Kysely } from "kysely";
import { z } from "zod";
import type { Migrations } from "../../../store/database.ts";
import { column, createTable, type TableOf } from "../../../store/define-table.ts";
import { latestBeginning } from "../../../store/waits.ts";
import type { CodePayment } from "../ledger/ledger.ts";
import { refusal } from "../ledger/refusals.ts";

const payAuthCodes = {
  code: column.key(),
  openid: column.text(),
  /** How the payment ends; null: the amount decides. */
  outcome: column.optional(column.text<CodePayment>()),
  created_at: column.integer(),
  /** 1 once it was used. */
  used: column.integer(z.int(), (c) => c.defaultTo(0)),
};

export interface AuthCodesTables {
  pay_auth_codes: TableOf<typeof payAuthCodes>;
}

export const authCodeMigrations: Migrations = {
  "008_auth_codes": {
    async up(db) {
      await createTable(db, "pay_auth_codes", payAuthCodes).execute();
    },
  },
};

const lifetimeMs = 60_000;
/** A used or expired code is remembered as such for this long. */
const memoryMs = 60 * lifetimeMs;

/** The first two digits are 10 to 15 at WeChat, and 28 at Alipay, like the platforms' own. */
const newCode = (ofAlipay: boolean) =>
  `${ofAlipay ? "28" : String(randomInt(10, 16))}${String(randomInt(0, 1e8)).padStart(8, "0")}${String(randomInt(0, 1e8)).padStart(8, "0")}`;

const isAuthCode = (text: string) => /^1[0-5]\d{16}$/.test(text);
/** Alipay also takes a code of WeChat's form, so that every code of the simulator works there (our choice). */
const isCodeAtAlipay = (text: string) => isAuthCode(text) || /^28\d{16}$/.test(text);

interface CodeOwner {
  readonly openid: string;
  readonly outcome?: CodePayment | undefined;
}

export type AuthCodes = ReturnType<typeof createAuthCodes>;

export function createAuthCodes(db: Kysely<AuthCodesTables>, now: () => number) {
  const byCode = (code: string) =>
    db.selectFrom("pay_auth_codes").selectAll().where("code", "=", code).executeTakeFirst();

  return {
    /** `expiresAt`: Unix ms. */
    async issue({ openid, outcome }: CodeOwner, ofAlipay = false) {
      const code = newCode(ofAlipay);
      const at = now();
      await db
        .deleteFrom("pay_auth_codes")
        .where("created_at", "<", at - memoryMs)
        .execute();
      await db
        .insertInto("pay_auth_codes")
        .values({ code, openid, outcome: outcome ?? null, created_at: at, used: 0 })
        .execute();
      return { authCode: code, expiresAt: at + lifetimeMs };
    },

    /**
     * Marks a code as used and returns its owner. Of two concurrent calls only one succeeds.
     * @throws PaymentRefusal AUTH_CODE_ERROR (not 18 digits), AUTH_CODE_INVALID (unknown or used), AUTHCODEEXPIRE
     */
    async redeem(authCode: string, atAlipay = false): Promise<CodeOwner> {
      if (!(atAlipay ? isCodeAtAlipay : isAuthCode)(authCode)) throw refusal("AUTH_CODE_ERROR");
      const redeemed = await db
        .updateTable("pay_auth_codes")
        .set({ used: 1 })
        .where("code", "=", authCode)
        .where("used", "=", 0)
        .where("created_at", ">", now() - lifetimeMs)
        .where("created_at", "<=", latestBeginning(now()))
        .returning(["openid", "outcome"])
        .executeTakeFirst();
      if (redeemed) return { openid: redeemed.openid, outcome: redeemed.outcome ?? undefined };
      const known = await byCode(authCode);
      if (known?.used === 0) throw refusal("AUTHCODEEXPIRE");
      throw refusal("AUTH_CODE_INVALID");
    },

    /** The openid of the buyer who shows a code, which stays valid. @throws PaymentRefusal as `redeem` */
    async ownerOf(authCode: string): Promise<string> {
      if (!isAuthCode(authCode)) throw refusal("AUTH_CODE_ERROR");
      const known = await byCode(authCode);
      if (!known || known.used === 1) throw refusal("AUTH_CODE_INVALID");
      if (known.created_at <= now() - lifetimeMs) throw refusal("AUTHCODEEXPIRE");
      return known.openid;
    },
  };
}
