/** The call of version 3 about the largest part that a merchant may share. */
import type { Merchants } from "../merchants/merchants.ts";
import { boundMerchant } from "../partner/sub-merchant.ts";
import { readAs } from "../v3/requests-v3.ts";
import type { PreparedCall, RouteV3 } from "../v3/route-v3.ts";
import type { ProfitSharing } from "./profit-sharing.ts";
import { subMerchantNumber } from "./share-requests-v3.ts";

interface Deps {
  readonly merchants: Pick<Merchants, "get">;
  readonly profitSharing: Pick<ProfitSharing, "receivers">;
}

/** The largest part of its orders that a sub-merchant may share, or the merchant itself. */
export const shareRatio = ({ merchants, profitSharing }: Deps): RouteV3 => ({
  name: "profitsharingmerchantratioquery",
  method: "GET",
  path: "/v3/profitsharing/merchant-configs/{sub_mchid}",
  prepare({ merchant, params }): PreparedCall<number> {
    const { sub_mchid } = readAs(subMerchantNumber, params, "uri_template");
    return {
      async perform() {
        if (sub_mchid !== merchant.mchId) await boundMerchant(merchants, merchant, sub_mchid);
        return (await profitSharing.receivers.settingsOf(sub_mchid)).max_ratio;
      },
      view: (max_ratio) => ({ sub_mchid, max_ratio }),
    };
  },
});
