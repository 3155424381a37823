/** The bill of profit sharing: a merchant's shares and returns of one day. */
import type { BillFiles } from "../v3/bill-files-v3.ts";
import { readAs } from "../v3/requests-v3.ts";
import type { PreparedCall, RouteV3 } from "../v3/route-v3.ts";
import type { ProfitSharing } from "./profit-sharing.ts";
import { shareBillQuery } from "./share-requests-v3.ts";

export interface BillDeps {
  readonly profitSharing: Pick<ProfitSharing, "due">;
  readonly billFiles: Pick<BillFiles, "writeShares" | "offer">;
}

export const shareBill = ({ profitSharing, billFiles }: BillDeps): RouteV3 => ({
  name: "profitsharingbill",
  method: "GET",
  path: "/v3/profitsharing/bills",
  prepare({ merchant: { mchId }, query, origin }): PreparedCall<string> {
    const { bill_date: day, sub_mchid, tar_type } = readAs(shareBillQuery, query, "query");
    return {
      async perform() {
        await profitSharing.due.settle();
        return billFiles.writeShares({ mchId, day, subMchId: sub_mchid || undefined });
      },
      view: (text) => billFiles.offer(mchId, text, tar_type === "GZIP", origin),
    };
  },
});
