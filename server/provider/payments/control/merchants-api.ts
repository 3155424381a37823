/** Control routes for the merchants of the simulated platform. */
import { Router } from "express";
import type { z } from "zod";
import {
  simMchId,
  simMerchantChangeSchema,
  type simMerchantSchema,
  type simMerchantsSchema,
} from "../../../contract/provider/sim-orders.ts";
import { checked, checkedBody } from "../../../http/formats/checked-body.ts";
import { badRequest } from "../../../http/http-error.ts";
import type { Keys } from "../keys/keys.ts";
import type { Ledger } from "../ledger/ledger.ts";
import type { Merchant, Merchants } from "../merchants/merchants.ts";

interface Deps {
  readonly merchants: Pick<Merchants, "list" | "put">;
  readonly keys: Pick<Keys, "registerMerchant" | "make">;
  readonly ledger: Pick<Ledger, "balance" | "setBalance">;
}

export function merchantsApi({ merchants, keys, ledger }: Deps): Router {
  const router = Router();

  const view = async (merchant: Merchant): Promise<z.input<typeof simMerchantSchema>> => ({
    mch_id: merchant.mchId,
    app_ids: [...merchant.appIds],
    api_v2_key: merchant.apiV2Key,
    api_v3_key: merchant.apiV3Key,
    products: [...merchant.products],
    balance: await ledger.balance(merchant.mchId),
  });

  async function register(mchId: string, certificate: string): Promise<void> {
    try {
      await keys.registerMerchant(mchId, certificate);
    } catch (error) {
      const problem = `certificate: is no PEM text of an RSA certificate (${(error as Error).message})`;
      throw badRequest("invalid_request", problem, "certificate");
    }
  }

  router.get("/merchants", async (_req, res) => {
    const known = await Promise.all((await merchants.list()).map(view));
    res.json({ merchants: known } satisfies z.input<typeof simMerchantsSchema>);
  });

  /** Adds a merchant, or replaces the one with that id, even the built-in one. */
  router.put("/merchants/:mchId", async (req, res) => {
    const mchId = checked(req.params.mchId, simMchId, "mch_id");
    const change = await checkedBody(req, simMerchantChangeSchema);
    if (change.certificate !== undefined) await register(mchId, change.certificate);
    const merchant: Merchant = {
      mchId,
      appIds: change.app_ids,
      apiV2Key: change.api_v2_key,
      apiV3Key: change.api_v3_key,
      products: change.products,
    };
    await merchants.put(merchant);
    await keys.make([mchId]);
    if (change.balance !== undefined) await ledger.setBalance(mchId, change.balance ?? undefined);
    res.json(await view(merchant));
  });

  return router;
}
