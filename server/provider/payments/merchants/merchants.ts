/** The merchants of the simulated platform: the built-in test merchant, and those added through a control route. */
import type { Kysely } from "kysely";
import { changeAndNotify } from "../../../store/change-and-notify.ts";
import { tradeType, type TradeType } from "../../../contract/provider/payment-terms.ts";
import { simPlatformKeysSchema, type SimPlatformKeys } from "../../../contract/provider/provider-keys.ts";
import type { Instances } from "../../../store/database.ts";
import type { MerchantsTables } from "./merchants-table.ts";

/** The keys by which the platform signs for a new merchant. */
export const newPlatformKeys = simPlatformKeysSchema.parse({ mode: "certificate" });

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
  /** The keys by which the platform signs for it. */
  readonly platformKeys: SimPlatformKeys;
  /** The service provider that accepts payments for it; undefined: a direct merchant. */
  readonly serviceProvider?: string | undefined;
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
  platformKeys: newPlatformKeys,
});

/**
 * Merchants are few and needed for every call, so they are cached in memory.
 * @param onBuiltIn gets the built-in merchant as it is now, and after each change
 * @param instances those that share the database
 */
export async function openMerchants(
  db: Kysely<MerchantsTables>,
  testAppId: string,
  onBuiltIn: (merchant: Merchant) => void,
  instances?: Pick<Instances, "notify" | "subscribe">,
): Promise<Merchants> {
  const builtIn = builtInMerchant(testAppId);
  let known: Promise<Map<string, Merchant>> | undefined;
  const all = () => (known ??= read());
  const topic = "merchants";
  const readAgain = () => {
    known = undefined;
    return all();
  };
  // A failure is that of whoever asks next, for whom they are read once more.
  const readAgainSoon = () => void readAgain().catch(() => undefined);
  instances?.subscribe(topic, readAgainSoon);

  function read(): Promise<Map<string, Merchant>> {
    const reading = load().then(
      (merchants) => {
        if (known === reading) onBuiltIn(merchants.get(builtIn.mchId) ?? builtIn);
        return merchants;
      },
      (error: unknown) => {
        known = undefined;
        throw error;
      },
    );
    return reading;
  }

  async function load(): Promise<Map<string, Merchant>> {
    const rows = await db.selectFrom("pay_merchants").selectAll().orderBy("mch_id").execute();
    const stored = rows.map(({ mch_id: mchId, details }): Merchant => {
      const { platformKeys = newPlatformKeys, ...others } = JSON.parse(details) as StoredDetails;
      return { mchId, platformKeys, ...others };
    });
    return new Map([builtIn, ...stored].map((merchant) => [merchant.mchId, merchant]));
  }

  await all();
  return {
    get: async (mchId) => (await all()).get(mchId),
    list: async () => [...(await all()).values()],
    knowsApp: async (appId) => [...(await all()).values()].some(({ appIds }) => appIds.includes(appId)),

    async put({ mchId, ...merchant }) {
      const details = JSON.stringify(merchant satisfies Details);
      await changeAndNotify(db, instances, topic, (trx) =>
        trx
          .insertInto("pay_merchants")
          .values({ mch_id: mchId, details })
          .onConflict((conflict) => conflict.column("mch_id").doUpdateSet({ details }))
          .execute(),
      );
      await readAgain();
    },

    reload: readAgainSoon,
  };
}

type Details = Omit<Merchant, "mchId">;
/** States that were saved before merchants had modes of platform keys name none. */
type StoredDetails = Omit<Details, "platformKeys"> & Partial<Pick<Details, "platformKeys">>;
