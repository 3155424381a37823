/** The merchants of the simulated platform: the built-in test merchant, and those added through a control route. */
import type { Kysely } from "kysely";
import { changeAndTell } from "../../../store/change-and-tell.ts";
import { tradeType, type TradeType } from "../../../contract/provider/payment-terms.ts";
import type { Instances } from "../../../store/database.ts";
import type { MerchantsTables } from "./merchants-table.ts";

/** Its keys are test keys that work nowhere else, but must not be logged. Serials of certificates: see keys/. */
export interface Merchant {
  readonly mchId: string;
  /** The apps for which it accepts payments; the first is the one that is shown. */
  readonly appIds: readonly string[];
  /** 32 characters. */
  readonly apiV2Key: string;
  /** 32 bytes. */
  readonly apiV3Key: string;
  /** The products that it has signed up for; others are refused with NOAUTH. */
  readonly products: readonly TradeType[];
}

export interface Merchants {
  get(mchId: string): Promise<Merchant | undefined>;
  /** Adds a merchant, or replaces the one with that id, even the built-in one. */
  put(merchant: Merchant): Promise<void>;
  /** The built-in merchant first. */
  list(): Promise<readonly Merchant[]>;
  /** Whether any merchant accepts payments for this app. */
  knowsApp(appId: string): Promise<boolean>;
  /** Reads the merchants again after other code has written their table. */
  reload(): void;
}

/** @param testAppId the app of the built-in merchant */
export const builtInMerchant = (testAppId: string): Merchant => ({
  mchId: "1900000109",
  appIds: [testAppId],
  apiV2Key: "hearthApiV2Key0123456789abcdef01",
  apiV3Key: "hearthApiV3Key0123456789abcdef01",
  products: tradeType.options,
});

/**
 * Merchants are few and needed for every call, so they are cached in memory.
 * @param instances those that share the database
 */
export function createMerchants(
  db: Kysely<MerchantsTables>,
  testAppId: string,
  instances?: Pick<Instances, "tell" | "subscribe">,
): Merchants {
  let known: Promise<Map<string, Merchant>> | undefined;
  const all = () =>
    (known ??= load().catch((error: unknown) => {
      known = undefined;
      throw error;
    }));
  const topic = "merchants";
  instances?.subscribe(topic, () => (known = undefined));

  async function load(): Promise<Map<string, Merchant>> {
    const builtIn = builtInMerchant(testAppId);
    const rows = await db.selectFrom("pay_merchants").selectAll().orderBy("mch_id").execute();
    const stored = rows.map(({ mch_id, details }) => ({ mchId: mch_id, ...(JSON.parse(details) as Details) }));
    return new Map([builtIn, ...stored].map((merchant) => [merchant.mchId, merchant]));
  }

  return {
    get: async (mchId) => (await all()).get(mchId),
    list: async () => [...(await all()).values()],
    knowsApp: async (appId) => [...(await all()).values()].some(({ appIds }) => appIds.includes(appId)),

    async put({ mchId, appIds, apiV2Key, apiV3Key, products }) {
      const details = JSON.stringify({ appIds, apiV2Key, apiV3Key, products } satisfies Details);
      await changeAndTell(db, instances, topic, (trx) =>
        trx
          .insertInto("pay_merchants")
          .values({ mch_id: mchId, details })
          .onConflict((conflict) => conflict.column("mch_id").doUpdateSet({ details }))
          .execute(),
      );
      known = undefined;
    },

    reload() {
      known = undefined;
    },
  };
}

type Details = Omit<Merchant, "mchId">;
