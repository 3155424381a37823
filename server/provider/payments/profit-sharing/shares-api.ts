/** Control routes of profit sharing. */
import {
  finishSimShare,
  listSimShares,
  putSimShareSettings,
  type SimShare,
} from "../../../contract/provider/profit-sharing/sim-shares.ts";
import { askerOf, keptAsker } from "../../../http/outgoing/asker.ts";
import { notFound } from "../../../http/http-error.ts";
import { route, type Route } from "../../../http/route.ts";
import { refusedAs409 } from "../ledger/find-order.ts";
import type { ProfitSharing } from "./profit-sharing.ts";
import type { ShareOfOrder } from "./shares.ts";

const mostShares = 100;

const view = ({ share, details, outTradeNo }: ShareOfOrder): SimShare => ({
  order_id: share.order_id,
  out_order_no: share.out_order_no,
  mch_id: share.mch_id,
  transaction_id: share.transaction_id,
  out_trade_no: outTradeNo,
  state: share.state,
  created_at: new Date(share.created_at).toISOString(),
  receivers: details.map(({ type, account, amount, description, result, fail_reason, returned }) => ({
    ...{ type, account, amount, description, result, returned },
    ...(fail_reason !== null && { fail_reason }),
  })),
});

export const shareRoutes = ({ receivers, shares, due }: ProfitSharing): Route[] => [
  route(listSimShares, async ({ query }) => {
    await due.settle();
    return { data: { shares: (await shares.list(query, mostShares)).map(view) } };
  }),

  route(finishSimShare, async ({ params: { order_id }, body: { failures } }) => {
    const reasons = Object.fromEntries(failures.map(({ account, reason }) => [account, reason]));
    await refusedAs409(shares.finish(order_id, reasons));
    const [finished] = await shares.list({ order_id }, 1);
    if (!finished) throw notFound(`Share ${order_id} does not exist.`);
    return { data: view(finished) };
  }),

  route(putSimShareSettings, async ({ params: { mch_id }, body: { max_ratio, notify_url } }, { req }) => {
    const notify_from = keptAsker(askerOf(req)) ?? null;
    await receivers.putSettings({ mch_id, max_ratio, notify_url: notify_url ?? null, notify_from });
    return { data: { max_ratio, ...(notify_url !== undefined && { notify_url }) } };
  }),
];
