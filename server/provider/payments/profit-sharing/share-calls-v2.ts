/** The calls of profit sharing in version 2. */
import { z } from "zod";
import { list } from "../../../contract/bounded-lists.ts";
import { fen } from "../../../contract/provider/payment-terms.ts";
import { outShareNo, shareReceiverType, shareRelation } from "../../../contract/provider/profit-sharing/share-terms.ts";
import { compactTime } from "../../../payment-wire/provider-time.ts";
import type { FieldsV2 } from "../../../payment-wire/sign-v2.ts";
import type { Ledger, Order } from "../ledger/ledger.ts";
import { refusal } from "../ledger/refusals.ts";
import type { Merchants } from "../merchants/merchants.ts";
import { boundMerchant, isOfSub } from "../partner/sub-merchant.ts";
import { filledField, type CallV2 } from "../v2/call-v2.ts";
import { isFen, isOneOf, isTransactionId, needed, optional } from "../v2/field-rules.ts";
import type { RequestV2 } from "../v2/read-request.ts";
import type { ProfitSharing } from "./profit-sharing.ts";
import { noRecord, notShareable } from "./share-refusals.ts";
import type { Share, ShareReturnRow } from "./share-tables.ts";

interface Deps {
  readonly ledger: Pick<Ledger, "find">;
  readonly merchants: Pick<Merchants, "get">;
  readonly profitSharing: ProfitSharing;
}

interface Found {
  readonly order: Order;
  readonly found: Share;
}

const receiver = z.object({ type: shareReceiverType, account: z.string().min(1).max(64) });
const newReceiver = receiver.extend({
  name: z.string().max(1024).optional(),
  relation_type: shareRelation,
  custom_relation: z.string().max(10).optional(),
});
const parts = list(receiver.extend({ amount: fen, description: z.string().min(1).max(80) }))
  .min(1)
  .max(50);

const isShareNo = (value: string) => outShareNo.safeParse(value).success;
const transactionRule = needed("transaction_id", 32, isTransactionId);
const numberRule = needed("out_order_no", 64, isShareNo);
const descriptionRule = needed("description", 80);

/** Profit sharing accepts the stronger signature only. */
const check = ({ sender }: RequestV2): void => {
  if (sender.signType !== "HMAC-SHA256") throw refusal("SIGNERROR");
};
const common = { missing: "PARAM_ERROR", malformed: "PARAM_ERROR", check } as const;

/** @throws PaymentRefusal PARAM_ERROR */
function readJson<Schema extends z.ZodType>(schema: Schema, fields: FieldsV2, name: string): z.output<Schema> {
  let value: unknown;
  try {
    value = JSON.parse(fields[name] ?? "");
  } catch {
    throw refusal("PARAM_ERROR", `${name}不是JSON`);
  }
  const parsed = schema.safeParse(value);
  if (!parsed.success) throw refusal("PARAM_ERROR", `${name}格式错误：${parsed.error.issues[0]?.path.join(".") ?? ""}`);
  return parsed.data;
}

/** @throws PaymentRefusal NOT_SHARE_ORDER also for an unknown order, as the platform says */
async function orderOf({ ledger }: Deps, { sender, fields }: RequestV2): Promise<Order> {
  const { mchId } = sender.merchant;
  const order = await ledger.find({ mchId, transactionId: fields["transaction_id"], sandbox: sender.sandbox });
  if (!order || !isOfSub(order, sender.sub?.sub_mchid)) throw notShareable();
  return order;
}

const shareFields = ({ found: { share } }: Found): FieldsV2 => ({
  transaction_id: share.transaction_id,
  out_order_no: share.out_order_no,
  order_id: share.order_id,
});
const withState = (one: Found): FieldsV2 => ({ ...shareFields(one), status: one.found.share.state });

/** @param unfreezeAs the description of the merchant's own part; undefined: what is left stays frozen */
const share = (deps: Deps, path: string, unfreezeAs: string | undefined): CallV2<Found> => ({
  ...common,
  name: "profitsharing",
  paths: [path],
  needsCertificate: true,
  rules: [transactionRule, numberRule, needed("receivers", 10_240)],
  async perform(request) {
    const receivers = readJson(parts, request.fields, "receivers");
    const order = await orderOf(deps, request);
    const outOrderNo = request.fields["out_order_no"] ?? "";
    return { order, found: await deps.profitSharing.shares.ask(order, { outOrderNo, receivers, unfreezeAs }) };
  },
  reply: unfreezeAs === undefined ? shareFields : withState,
});

const finish = (deps: Deps): CallV2<Found> => ({
  ...common,
  name: "profitsharingfinish",
  paths: ["/secapi/pay/profitsharingfinish"],
  needsCertificate: true,
  rules: [transactionRule, numberRule, descriptionRule],
  async perform(request) {
    const order = await orderOf(deps, request);
    const { out_order_no: outOrderNo = "", description: unfreezeAs } = request.fields;
    return { order, found: await deps.profitSharing.shares.ask(order, { outOrderNo, receivers: [], unfreezeAs }) };
  },
  reply: shareFields,
});

const queryShare = (deps: Deps): CallV2<Found> => ({
  ...common,
  name: "profitsharingquery",
  paths: ["/pay/profitsharingquery"],
  withoutApp: true,
  rules: [transactionRule, numberRule],
  async perform(request) {
    const order = await orderOf(deps, request);
    const found = await deps.profitSharing.get(order.mchId, { outOrderNo: request.fields["out_order_no"] });
    if (found.share.transaction_id !== order.transactionId) throw noRecord();
    return { order, found };
  },
  reply: ({ order, found }) => ({
    appid: order.appId,
    ...withState({ order, found }),
    receivers: JSON.stringify(
      found.details.map(({ type, account, amount, description, result, detail_id, finished_at, created_at }) => ({
        ...{ type, account, amount, description, result, detail_id },
        finish_time: compactTime(finished_at ?? created_at),
      })),
    ),
  }),
});

const frozen = (deps: Deps): CallV2<{ readonly order: Order; readonly amount: number }> => ({
  ...common,
  name: "profitsharingorderamountquery",
  paths: ["/pay/profitsharingorderamountquery"],
  withoutApp: true,
  rules: [transactionRule],
  async perform(request) {
    const order = await orderOf(deps, request);
    return { order, amount: await deps.profitSharing.shares.frozen(order) };
  },
  reply: ({ order, amount }) => ({ transaction_id: order.transactionId ?? "", unsplit_amount: String(amount) }),
});

const ratio = ({ merchants, profitSharing }: Deps): CallV2<number> => ({
  ...common,
  name: "profitsharingmerchantratioquery",
  paths: ["/pay/profitsharingmerchantratioquery"],
  withoutApp: true,
  rules: [],
  async perform({ sender: { merchant, sub } }) {
    const { mchId } = sub ? await boundMerchant(merchants, merchant, sub.sub_mchid) : merchant;
    return (await profitSharing.receivers.settingsOf(mchId)).max_ratio;
  },
  reply: (maxRatio) => ({ max_ratio: String(maxRatio) }),
});

const addReceiver = ({ profitSharing }: Deps): CallV2<void> => ({
  ...common,
  name: "profitsharingaddreceiver",
  paths: ["/pay/profitsharingaddreceiver"],
  rules: [needed("receiver", 2_048)],
  async perform({ sender, fields }) {
    const { name = "", custom_relation = null, ...others } = readJson(newReceiver, fields, "receiver");
    await profitSharing.receivers.add({ mch_id: sender.merchant.mchId, name, custom_relation, ...others });
  },
  reply: (_value, { fields }) => ({ receiver: fields["receiver"] ?? "" }),
});

const removeReceiver = ({ profitSharing }: Deps): CallV2<void> => ({
  ...common,
  name: "profitsharingremovereceiver",
  paths: ["/pay/profitsharingremovereceiver"],
  rules: [needed("receiver", 2_048)],
  perform: ({ sender, fields }) =>
    profitSharing.receivers.remove(sender.merchant.mchId, readJson(receiver, fields, "receiver")),
  reply: (_value, { fields }) => ({ receiver: fields["receiver"] ?? "" }),
});

interface Returned {
  readonly found: Share;
  readonly one: ShareReturnRow;
}

const shareRules = [optional("order_id", 64), optional("out_order_no", 64, isShareNo)];
const missingShare = (fields: FieldsV2) =>
  (filledField(fields, "order_id") ?? filledField(fields, "out_order_no")) ? undefined : "out_order_no";
/** @throws PaymentRefusal RESOURCE_NOT_EXISTS also for a share of another sub-merchant */
async function shareOf({ ledger, profitSharing }: Deps, { sender, fields }: RequestV2): Promise<Share> {
  const { mchId } = sender.merchant;
  const found = await profitSharing.get(mchId, {
    orderId: filledField(fields, "order_id"),
    outOrderNo: filledField(fields, "out_order_no"),
  });
  const order = await ledger.find({ mchId, transactionId: found.share.transaction_id });
  if (!order || !isOfSub(order, sender.sub?.sub_mchid)) throw noRecord();
  return found;
}

const returnFields = ({ found: { share: origin }, one }: Returned): FieldsV2 => ({
  order_id: origin.order_id,
  out_order_no: origin.out_order_no,
  out_return_no: one.out_return_no,
  return_no: one.return_id,
  return_account_type: "MERCHANT_ID",
  return_account: one.return_mchid,
  return_amount: String(one.amount),
  description: one.description,
  result: "SUCCESS",
  finish_time: compactTime(one.created_at),
});

const askReturn = (deps: Deps): CallV2<Returned> => ({
  ...common,
  name: "profitsharingreturn",
  paths: ["/secapi/pay/profitsharingreturn"],
  needsCertificate: true,
  rules: [
    ...shareRules,
    needed("out_return_no", 32, isShareNo),
    needed("return_account_type", 32, isOneOf(["MERCHANT_ID"])),
    needed("return_account", 64),
    needed("return_amount", 10, isFen),
    descriptionRule,
  ],
  alsoMissing: missingShare,
  async perform(request) {
    const found = await shareOf(deps, request);
    const { out_return_no = "", return_account: return_mchid = "", return_amount, description = "" } = request.fields;
    const amount = Number(return_amount);
    return {
      found,
      one: await deps.profitSharing.returns.ask(found, { out_return_no, return_mchid, amount, description }),
    };
  },
  reply: returnFields,
});

const queryReturn = (deps: Deps): CallV2<Returned> => ({
  ...common,
  name: "profitsharingreturnquery",
  paths: ["/pay/profitsharingreturnquery"],
  rules: [...shareRules, needed("out_return_no", 32, isShareNo)],
  alsoMissing: missingShare,
  async perform(request) {
    const found = await shareOf(deps, request);
    return { found, one: await deps.profitSharing.returns.get(found, request.fields["out_return_no"] ?? "") };
  },
  reply: returnFields,
});

/** The calls' values have types of their own, which only the call itself reads. */
// oxlint-disable-next-line typescript/no-explicit-any
export const shareCallsV2 = (deps: Deps): readonly CallV2<any>[] => [
  share(deps, "/secapi/pay/profitsharing", "解冻给分账方"),
  share(deps, "/secapi/pay/multiprofitsharing", undefined),
  finish(deps),
  queryShare(deps),
  frozen(deps),
  ratio(deps),
  addReceiver(deps),
  removeReceiver(deps),
  askReturn(deps),
  queryReturn(deps),
];
