/** The calls of version 2. */
import type { Bills } from "../bills/bills.ts";
import type { Ledger, Order } from "../ledger/ledger.ts";
import type { Merchants } from "../merchants/merchants.ts";
import { contractCallsV2 } from "../papay/contract-calls-v2.ts";
import type { ContractRow } from "../papay/contract-tables.ts";
import type { Papay } from "../papay/open-papay.ts";
import type { ProfitSharing } from "../profit-sharing/profit-sharing.ts";
import { shareCallsV2 } from "../profit-sharing/share-calls-v2.ts";
import { downloadBill, downloadFundFlow } from "./bill-call.ts";
import type { CallV2 } from "./call-v2.ts";
import { micropay, reverse } from "./code-calls.ts";
import { closeOrder, orderQuery, unifiedOrder } from "./order-calls.ts";
import { authCodeToOpenId, report, shortUrl, type AuthCodeOwners } from "./merchant-tools.ts";
import { refundOrder, refundQuery } from "./refund-calls.ts";

export interface CallDepsV2 {
  readonly ledger: Ledger;
  readonly merchants: Pick<Merchants, "get">;
  readonly authCodes: AuthCodeOwners;
  readonly bills: Omit<Bills, "writeShares">;
  readonly profitSharing: ProfitSharing;
  readonly papay: Papay;
  /** Where a user signs a contract. */
  readonly signPage: (contract: ContractRow) => string;
  /** Where the buyer of an MWEB order pays. */
  readonly payPage: (order: Order) => string;
  /** Unix time in ms. */
  readonly now: () => number;
}

/** The calls' values have types of their own, which only the call itself reads. */
// oxlint-disable-next-line typescript/no-explicit-any
export const callsV2 = (deps: CallDepsV2): readonly CallV2<any>[] => [
  unifiedOrder(deps),
  orderQuery(deps),
  closeOrder(deps),
  refundOrder(deps),
  refundOrder(deps, "v2"),
  refundQuery(deps),
  refundQuery(deps, "v2"),
  reverse(deps),
  micropay(deps),
  downloadBill(deps.bills),
  downloadFundFlow(deps.bills),
  authCodeToOpenId(deps.authCodes),
  shortUrl,
  report,
  ...shareCallsV2(deps),
  ...contractCallsV2(deps),
];
