/** The two ways by which a path names an order: by the merchant's number, or by the platform's. */
import type { OrderKey } from "../ledger/ledger.ts";
import { orderNumber, readAs, transactionNumber } from "./requests-v3.ts";
import type { RequestV3 } from "./route-v3.ts";

export interface OrderNumberPath {
  /** Last segments of the call's path. */
  readonly path: string;
  readonly keyOf: (params: RequestV3["params"]) => Pick<OrderKey, "outTradeNo" | "transactionId">;
}

export const orderNumberPaths: readonly OrderNumberPath[] = [
  {
    path: "out-trade-no/{out_trade_no}",
    keyOf: (params) => ({ outTradeNo: readAs(orderNumber, params, "uri_template").out_trade_no }),
  },
  {
    path: "id/{transaction_id}",
    keyOf: (params) => ({ transactionId: readAs(transactionNumber, params, "uri_template").transaction_id }),
  },
];
