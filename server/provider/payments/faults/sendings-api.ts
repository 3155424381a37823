/** The control route that immediately sends a notification about an order: genuine, forged, broken or several times. */
import { Router, type Request } from "express";
import type { z } from "zod";
import { simOrderQuery } from "../../../contract/provider/sim-orders.ts";
import { simSendingSchema, type simSendingResultSchema } from "../../../contract/provider/sim-notification-faults.ts";
import { checkedBody, checkedQuery } from "../../../http/formats/checked-body.ts";
import type { FindOrder } from "../ledger/find-order.ts";
import type { SendNow } from "./sendings.ts";

export function sendingsApi(findOrder: FindOrder, sendNow: SendNow): Router {
  const router = Router();
  router.post("/orders/:number/notifications", async (req: Request<{ number: string }>, res) => {
    const order = await findOrder(req.params.number, checkedQuery(req, simOrderQuery).mch_id);
    const deliveries = await sendNow(order, await checkedBody(req, simSendingSchema));
    res.json({ deliveries } satisfies z.input<typeof simSendingResultSchema>);
  });
  return router;
}
