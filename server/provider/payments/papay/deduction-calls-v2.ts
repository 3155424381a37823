/** The calls of version 2 that ask for deductions, and for a payment that signs a contract. */
import type { FieldsV2 } from "../../../payment-wire/sign-v2.ts";
import { PaymentRefusal, type Order } from "../ledger/ledger.ts";
import { refusal } from "../ledger/refusals.ts";
import { orderOfSub, subMerchantFields } from "../partner/sub-merchant.ts";
import { filledField, missingNumber, orderKey, type CallV2 } from "../v2/call-v2.ts";
import { isFen, isNotifyUrl, isOneOf, needed, optional, orderNumberField, orderNumbers } from "../v2/field-rules.ts";
import { unifiedOrder } from "../v2/order-calls.ts";
import { queryFields } from "../v2/order-fields.ts";
import type { RequestV2 } from "../v2/read-request.ts";
import {
  checkSender,
  common,
  contractOf,
  lacksSub,
  signRules,
  subFields,
  toSignRequest,
  type ContractDepsV2,
} from "./contract-request-v2.ts";
import type { ContractRow } from "./contract-tables.ts";
import { signedByPayment } from "./open-papay.ts";

interface SignedOrder {
  readonly order: Order;
  /** A refusal leaves the order without a contract. */
  readonly contract: ContractRow | PaymentRefusal;
}

/** The fields of a contract beside those of its order. */
const contractOnly = new Set([
  ...["contract_mchid", "contract_appid", "plan_id", "contract_code", "request_serial"],
  ...["contract_display_account", "contract_notify_url"],
]);

/** An order whose payment also signs a contract. */
export function contractOrder(deps: ContractDepsV2): CallV2<SignedOrder> {
  const plain = unifiedOrder(deps);
  const needs: Readonly<Record<string, string>> = { JSAPI: "openid", NATIVE: "product_id" };

  async function contractFor(request: RequestV2): Promise<ContractRow | PaymentRefusal> {
    try {
      const asked = toSignRequest(request, await checkSender(deps, request));
      return await deps.papay.contracts.ask({ ...asked, out_trade_no: request.fields["out_trade_no"] ?? null });
    } catch (error) {
      if (error instanceof PaymentRefusal) return error;
      throw error;
    }
  }

  return {
    ...{ ...common, name: "contractorder", paths: ["/pay/contractorder"] },
    rules: [
      ...[needed("contract_mchid", 32), needed("contract_appid", 32), orderNumberField, needed("body", 128)],
      ...[needed("total_fee", 10, isFen), needed("spbill_create_ip", 16), needed("notify_url", 256, isNotifyUrl)],
      needed("trade_type", 16, isOneOf(["JSAPI", "NATIVE", "APP", "MWEB"])),
      ...[...signRules, needed("contract_notify_url", 256, isNotifyUrl)],
      ...[optional("device_info", 32), optional("detail", 8192), optional("attach", 127), optional("openid", 128)],
      ...[optional("time_start", 14), optional("time_expire", 14), optional("goods_tag", 32)],
      ...[optional("product_id", 32), optional("limit_pay", 32)],
    ],
    alsoMissing(fields) {
      const name = needs[fields["trade_type"] ?? ""];
      if (name === undefined || filledField(fields, name) !== undefined) return undefined;
      return name === "openid" && filledField(fields, "sub_openid") !== undefined ? undefined : name;
    },
    check({ sender, fields }) {
      const isOther = fields["contract_mchid"] !== sender.merchant.mchId || fields["contract_appid"] !== sender.appId;
      if (isOther) throw refusal("PARAM_ERROR", "签约商户号和appid必须与支付的一致");
    },
    async perform(request, hints) {
      const contract = await contractFor(request);
      const own = Object.entries(request.fields).filter(([name]) => !contractOnly.has(name));
      const signs = contract instanceof PaymentRefusal ? {} : { [signedByPayment]: contract.contract_id };
      const order = await plain.perform({ ...request, fields: { ...Object.fromEntries(own), ...signs } }, hints);
      return { order, contract };
    },
    reply: ({ order, contract }, request) => ({
      ...plain.reply(order, request),
      out_trade_no: order.outTradeNo,
      ...(contract instanceof PaymentRefusal
        ? {
            contract_result_code: "FAIL",
            contract_err_code: contract.code,
            contract_err_code_des: contract.message,
          }
        : {
            contract_result_code: "SUCCESS",
            plan_id: String(contract.plan_id),
            request_serial: contract.request_serial ?? "",
            contract_code: contract.out_contract_code,
            contract_display_account: contract.display_account,
            ...subFields(contract),
          }),
    }),
  };
}

const apply = (isPartner: boolean, deps: ContractDepsV2): CallV2<Order> => ({
  ...common,
  name: "pappayapply",
  paths: [`/pay/${isPartner ? "partner/" : ""}pappayapply`],
  rules: [
    ...[needed("body", 128), orderNumberField, needed("total_fee", 10, isFen), needed("spbill_create_ip", 16)],
    ...[needed("notify_url", 256, isNotifyUrl), needed("trade_type", 16, isOneOf(["PAP"])), needed("contract_id", 32)],
    ...[optional("detail", 8192), optional("attach", 128), optional("fee_type", 16, isOneOf(["CNY"]))],
    ...[optional("goods_tag", 32), optional("receipt", 8, isOneOf(["Y", "N"]))],
  ],
  alsoMissing: lacksSub(isPartner),
  async perform(request) {
    const { fields, sender, from } = request;
    const contract = await contractOf(deps, request);
    const others = ["detail", "goods_tag", "receipt", "contract_id"].filter((name) => filledField(fields, name));
    return deps.papay.deductions.ask(contract, {
      ...{ mchId: sender.merchant.mchId, appId: sender.appId, outTradeNo: fields["out_trade_no"] ?? "" },
      ...{ version: "v2", signType: sender.signType, description: fields["body"] ?? "" },
      ...{ total: Number(fields["total_fee"]), currency: filledField(fields, "fee_type") ?? "CNY" },
      ...{ notifyUrl: filledField(fields, "notify_url"), notifyFrom: from, attach: filledField(fields, "attach") },
      extra: {
        ...Object.fromEntries(others.map((name) => [name, fields[name]])),
        ...(sender.sub && { sub_merchant: sender.sub }),
      },
    });
  },
  reply: (_order, request) => subMerchantFields(request.sender.sub),
});

/** A deduction without a result yet has a state of its own. */
const deductionFields = (order: Order): FieldsV2 => ({
  ...queryFields(order),
  ...(order.tradeState === "NOTPAY" && { trade_state: "ACCEPT", trade_state_desc: "已接收，等待扣款" }),
});

const queryOrder = (isPartner: boolean, { ledger }: ContractDepsV2): CallV2<Order> => ({
  ...common,
  name: "paporderquery",
  paths: [`/pay/${isPartner ? "partner/" : ""}paporderquery`],
  rules: orderNumbers,
  alsoMissing: (fields) => missingNumber(fields) ?? lacksSub(isPartner)(fields),
  async perform(request) {
    const order = await orderOfSub(ledger, orderKey(request), request.sender.sub?.sub_mchid);
    if (order.tradeType !== "PAP") throw refusal("ORDERNOTEXIST");
    return order;
  },
  reply: (order, request) => ({ ...subMerchantFields(request.sender.sub), ...deductionFields(order) }),
});

/** @param isPartner the calls of a service provider for its sub-merchant */
export const deductionCallsV2 = (isPartner: boolean, deps: ContractDepsV2): readonly CallV2<Order>[] => [
  apply(isPartner, deps),
  queryOrder(isPartner, deps),
];
