/** The calls of profit sharing in version 3. */
import type { Keys } from "../keys/keys.ts";
import { PaymentRefusal, type Ledger, type Order } from "../ledger/ledger.ts";
import type { Merchants } from "../merchants/merchants.ts";
import { createDecryptField } from "../v3/decrypt-field-v3.ts";
import { encryptToMerchant } from "../v3/encrypt-field-v3.ts";
import { checkApp } from "../v3/order-request-v3.ts";
import { readAs, readBodyV3, transactionNumber } from "../v3/requests-v3.ts";
import { checkMerchant, type PreparedCall, type RequestV3, type RouteV3 } from "../v3/route-v3.ts";
import type { ProfitSharing } from "./profit-sharing.ts";
import { shareBill, type BillDeps } from "./share-bill-v3.ts";
import { shareRatio } from "./share-ratio-v3.ts";
import { noRecord, notShareable } from "./share-refusals.ts";
import {
  addReceiverBody,
  deleteReceiverBody,
  returnBody,
  returnNumber,
  returnQuery,
  shareBody,
  shareNumber,
  shareQuery,
  unfreezeBody,
} from "./share-requests-v3.ts";
import { returnV3, shareV3 } from "./share-views-v3.ts";
import type { Share } from "./share-tables.ts";

interface Deps extends BillDeps {
  readonly ledger: Pick<Ledger, "find">;
  readonly keys: Pick<Keys, "platformKey" | "merchantPublicKeys">;
  readonly merchants: Pick<Merchants, "get">;
  readonly profitSharing: ProfitSharing;
}

const path = "/v3/profitsharing";

/** The merchant whose money is shared. @throws RefusalV3 */
function payer(request: RequestV3, { sub_mchid }: { readonly sub_mchid?: string | undefined }): string {
  if (sub_mchid) checkMerchant(request, sub_mchid);
  return request.merchant.mchId;
}

/** @throws PaymentRefusal INVALID_REQUEST also for an unknown order, as the platform says */
async function orderOf({ ledger }: Deps, mchId: string, transactionId: string): Promise<Order> {
  const order = await ledger.find({ mchId, transactionId, sandbox: false });
  if (!order) throw notShareable();
  return order;
}

/** The share that a call has found; the record of the call finds its order there. */
interface Found {
  readonly order: Order;
  readonly found: Share;
}
const view = ({ found }: Found) => shareV3(found);

function addReceiver({ keys, profitSharing }: Deps): RouteV3 {
  const decrypted = createDecryptField(keys);

  return {
    name: "profitsharingaddreceiver",
    method: "POST",
    path: `${path}/receivers/add`,
    prepare(request) {
      const body = readAs(addReceiverBody, readBodyV3(request.body), "body");
      const mch_id = payer(request, body);
      const { type, account, relation_type, custom_relation } = body;
      return {
        async perform() {
          checkReceiverApps(request, body, [type]);
          const name = body.name === undefined ? "" : await decrypted("name", body.name, request.serial);
          const relation = { relation_type, custom_relation: custom_relation ?? null };
          await profitSharing.receivers.add({ mch_id, type, account, name, ...relation });
          return name === "" ? undefined : await encryptToMerchant(keys, mch_id, name);
        },
        view: (name: string | undefined) => ({
          type,
          account,
          ...(name !== undefined && { name }),
          relation_type,
          ...(custom_relation !== undefined && { custom_relation }),
        }),
      };
    },
  };
}

/** @throws PaymentRefusal for an app that is not the merchant's, or is missing for the openids that it would explain */
function checkReceiverApps(
  { merchant }: RequestV3,
  { appid, sub_appid }: { readonly appid?: string | undefined; readonly sub_appid?: string | undefined },
  types: readonly string[],
): void {
  if (appid !== undefined) checkApp(merchant, appid);
  else if (types.includes("PERSONAL_OPENID"))
    throw new PaymentRefusal("INVALID_REQUEST", "分账接收方类型包含PERSONAL_OPENID时，appid必填");
  if (!sub_appid && types.includes("PERSONAL_SUB_OPENID"))
    throw new PaymentRefusal("INVALID_REQUEST", "分账接收方类型包含PERSONAL_SUB_OPENID时，sub_appid必填");
}

const deleteReceiver = ({ profitSharing }: Deps): RouteV3 => ({
  name: "profitsharingremovereceiver",
  method: "POST",
  path: `${path}/receivers/delete`,
  prepare(request) {
    const body = readAs(deleteReceiverBody, readBodyV3(request.body), "body");
    const mchId = payer(request, body);
    const { type, account } = body;
    return {
      async perform() {
        checkReceiverApps(request, body, [type]);
        await profitSharing.receivers.remove(mchId, { type, account });
      },
      view: () => ({ type, account }),
    };
  },
});

function share(deps: Deps): RouteV3 {
  const decrypted = createDecryptField(deps.keys);
  return {
    name: "profitsharing",
    method: "POST",
    path: `${path}/orders`,
    prepare(request): PreparedCall<Found> {
      const body = readAs(shareBody, readBodyV3(request.body), "body");
      const mchId = payer(request, body);
      const { transaction_id: transactionId } = body;
      return {
        transactionId,
        async perform() {
          checkReceiverApps(
            request,
            body,
            body.receivers.map(({ type }) => type),
          );
          for (const [at, { name }] of body.receivers.entries())
            if (name !== undefined) await decrypted(`receivers/${String(at)}/name`, name, request.serial);
          const order = await orderOf(deps, mchId, transactionId);
          const found = await deps.profitSharing.shares.ask(order, {
            outOrderNo: body.out_order_no,
            receivers: body.receivers.map(({ type, account, amount, description }) => ({
              ...{ type, account, amount, description },
            })),
            unfreezeAs: body.unfreeze_unsplit ? "解冻给分账方" : undefined,
          });
          return { order, found };
        },
        view,
      };
    },
  };
}

const unfreeze = (deps: Deps): RouteV3 => ({
  name: "profitsharingfinish",
  method: "POST",
  path: `${path}/orders/unfreeze`,
  prepare(request): PreparedCall<Found> {
    const body = readAs(unfreezeBody, readBodyV3(request.body), "body");
    const mchId = payer(request, body);
    const { transaction_id: transactionId, out_order_no: outOrderNo, description: unfreezeAs } = body;
    return {
      transactionId,
      async perform() {
        const order = await orderOf(deps, mchId, transactionId);
        return { order, found: await deps.profitSharing.shares.ask(order, { outOrderNo, receivers: [], unfreezeAs }) };
      },
      view,
    };
  },
});

const queryShare = (deps: Deps): RouteV3 => ({
  name: "profitsharingquery",
  method: "GET",
  path: `${path}/orders/{out_order_no}`,
  prepare(request): PreparedCall<Found> {
    const { out_order_no: outOrderNo } = readAs(shareNumber, request.params, "uri_template");
    const query = readAs(shareQuery, request.query, "query");
    const mchId = payer(request, query);
    const { transaction_id: transactionId } = query;
    return {
      transactionId,
      async perform() {
        const order = await deps.ledger.find({ mchId, transactionId, sandbox: false });
        const found = await deps.profitSharing.get(mchId, { outOrderNo });
        if (!order || found.share.transaction_id !== transactionId) throw noRecord();
        return { order, found };
      },
      view,
    };
  },
});

const frozen = (deps: Deps): RouteV3 => ({
  name: "profitsharingorderamountquery",
  method: "GET",
  path: `${path}/transactions/{transaction_id}/amounts`,
  prepare(request): PreparedCall<{ readonly order: Order; readonly amount: number }> {
    const { transaction_id: transactionId } = readAs(transactionNumber, request.params, "uri_template");
    return {
      transactionId,
      async perform() {
        const order = await orderOf(deps, request.merchant.mchId, transactionId);
        return { order, amount: await deps.profitSharing.shares.frozen(order) };
      },
      view: ({ amount }) => ({ transaction_id: transactionId, unsplit_amount: amount }),
    };
  },
});

type Returned = readonly [Share, Awaited<ReturnType<ProfitSharing["returns"]["get"]>>];

const askReturn = ({ profitSharing }: Deps): RouteV3 => ({
  name: "profitsharingreturn",
  method: "POST",
  path: `${path}/return-orders`,
  prepare(request): PreparedCall<Returned> {
    const body = readAs(returnBody, readBodyV3(request.body), "body");
    const mchId = payer(request, body);
    const { out_return_no, return_mchid, amount, description } = body;
    return {
      async perform() {
        const key = { orderId: body.order_id || undefined, outOrderNo: body.out_order_no };
        const found = await profitSharing.get(mchId, key);
        return [found, await profitSharing.returns.ask(found, { out_return_no, return_mchid, amount, description })];
      },
      view: ([found, one]) => returnV3(found, one),
    };
  },
});

const queryReturn = ({ profitSharing }: Deps): RouteV3 => ({
  name: "profitsharingreturnquery",
  method: "GET",
  path: `${path}/return-orders/{out_return_no}`,
  prepare(request): PreparedCall<Returned> {
    const { out_return_no } = readAs(returnNumber, request.params, "uri_template");
    const query = readAs(returnQuery, request.query, "query");
    const mchId = payer(request, query);
    return {
      async perform() {
        const found = await profitSharing.get(mchId, { outOrderNo: query.out_order_no });
        return [found, await profitSharing.returns.get(found, out_return_no)];
      },
      view: ([found, one]) => returnV3(found, one),
    };
  },
});

export const shareCallsV3 = (deps: Deps): readonly RouteV3[] => [
  addReceiver(deps),
  deleteReceiver(deps),
  share(deps),
  unfreeze(deps),
  queryShare(deps),
  frozen(deps),
  shareRatio(deps),
  askReturn(deps),
  queryReturn(deps),
  shareBill(deps),
];
