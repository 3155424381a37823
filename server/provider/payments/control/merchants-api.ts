/** Control routes for the merchants of the simulated platform. */
import type { z } from "zod";
import type { simMerchantSchema } from "../../../contract/provider/sim-orders.ts";
import { listSimMerchants, putSimMerchant } from "../../../contract/provider/sim-platform.ts";
import { badRequest } from "../../../http/http-error.ts";
import { route, type Route } from "../../../http/route.ts";
import { readCertificate, type MerchantCertificate } from "../keys/key-rows.ts";
import type { Keys } from "../keys/keys.ts";
import type { Ledger } from "../ledger/ledger.ts";
import { newPlatformKeys, type Merchant, type Merchants } from "../merchants/merchants.ts";

interface Deps {
  readonly merchants: Pick<Merchants, "get" | "list" | "put">;
  readonly keys: Pick<Keys, "registerMerchant" | "make">;
  readonly ledger: Pick<Ledger, "balance" | "setBalance">;
}

export function merchantRoutes({ merchants, keys, ledger }: Deps): Route[] {
  const view = async (merchant: Merchant): Promise<z.input<typeof simMerchantSchema>> => ({
    mch_id: merchant.mchId,
    app_ids: [...merchant.appIds],
    api_v2_key: merchant.apiV2Key,
    api_v3_key: merchant.apiV3Key,
    products: [...merchant.products],
    balance: await ledger.balance(merchant.mchId),
    platform_keys: merchant.platformKeys,
    service_provider: merchant.serviceProvider,
  });

  function read(mchId: string, certificate: string): MerchantCertificate {
    try {
      return readCertificate(mchId, certificate);
    } catch (error) {
      const problem = `certificate: not an RSA certificate in PEM form (${(error as Error).message})`;
      throw badRequest("invalid_request", problem, "certificate");
    }
  }

  return [
    route(listSimMerchants, async () => ({
      data: { merchants: await Promise.all((await merchants.list()).map(view)) },
    })),

    route(putSimMerchant, async ({ params: { mch_id: mchId }, body: change }) => {
      if (change.certificate !== undefined) await keys.registerMerchant(read(mchId, change.certificate));
      const merchant: Merchant = {
        mchId,
        appIds: change.app_ids,
        apiV2Key: change.api_v2_key,
        apiV3Key: change.api_v3_key,
        products: change.products,
        platformKeys: change.platform_keys ?? (await merchants.get(mchId))?.platformKeys ?? newPlatformKeys,
        serviceProvider: change.service_provider,
      };
      await merchants.put(merchant);
      await keys.make([mchId]);
      if (change.balance !== undefined) await ledger.setBalance(mchId, change.balance ?? undefined);
      return { data: await view(merchant) };
    }),
  ];
}
