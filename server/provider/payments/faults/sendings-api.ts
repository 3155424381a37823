/** The control route that immediately sends a notification about an order: genuine, forged, broken or several times. */
import { sendAboutSimOrder } from "../../../contract/provider/sim-operations.ts";
import { route, type Route } from "../../../http/route.ts";
import type { FindOrder } from "../ledger/find-order.ts";
import type { SendNow } from "./sendings.ts";

export const sendingRoute = (findOrder: FindOrder, sendNow: SendNow): Route =>
  route(sendAboutSimOrder, async ({ params: { out_trade_no }, query: { mch_id }, body }) => ({
    data: { deliveries: await sendNow(await findOrder(out_trade_no, mch_id), body) },
  }));
