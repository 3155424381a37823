/** What the calls of contracts and deductions in version 2 share. */
import type { FieldsV2 } from "../../../payment-wire/sign-v2.ts";
import { outContractCode } from "../../../contract/provider/papay/contract-terms.ts";
import type { Ledger, Order } from "../ledger/ledger.ts";
import { refusal } from "../ledger/refusals.ts";
import type { Merchants } from "../merchants/merchants.ts";
import { checkBinding, type SubMerchant } from "../partner/sub-merchant.ts";
import { filledField } from "../v2/call-v2.ts";
import { isOneOf, needed } from "../v2/field-rules.ts";
import type { RequestV2 } from "../v2/read-request.ts";
import type { ContractRow } from "./contract-tables.ts";
import type { SignRequest } from "./contract-inputs.ts";
import type { Papay } from "./open-papay.ts";

export interface ContractDepsV2 {
  readonly ledger: Ledger;
  readonly merchants: Pick<Merchants, "get">;
  readonly papay: Papay;
  /** The page on which the user signs. */
  readonly signPage: (contract: ContractRow) => string;
  readonly payPage: (order: Order) => string;
  /** Unix time in ms. */
  readonly now: () => number;
}

export const isPlan = (value: string) => /^[1-9]\d{0,9}$/.test(value) && Number(value) <= 4_294_967_295;
const isSerial = (value: string) => /^\d{1,20}$/.test(value);
const isCode = (value: string) => outContractCode.safeParse(value).success;
export const version = needed("version", 8, isOneOf(["1.0"]));

export const common = { missing: "PARAM_ERROR", malformed: "PARAM_ERROR", withoutSandbox: true } as const;
/** A direct merchant's address, and the one of a service provider for its sub-merchant. */
export const addresses = (isPartner: boolean, end: string) => [`/papay/${isPartner ? "partner/" : ""}${end}`];
export const lacksSub = (isPartner: boolean) => (fields: FieldsV2) =>
  isPartner && filledField(fields, "sub_mch_id") === undefined ? "sub_mch_id" : undefined;

export const subFields = ({ sub_mch_id, sub_app_id }: ContractRow): FieldsV2 => ({
  ...(sub_app_id !== null && { sub_appid: sub_app_id }),
  ...(sub_mch_id !== null && { sub_mch_id }),
});

/** @throws PaymentRefusal NOAUTH, APPID_MCHID_NOT_MATCH */
export async function checkSender({ merchants }: ContractDepsV2, request: RequestV2): Promise<SubMerchant | undefined> {
  const { merchant, sub } = request.sender;
  if (!merchant.products.includes("PAP")) throw refusal("NOAUTH", "商户未开通委托代扣");
  if (sub) await checkBinding(merchants, merchant, sub, "PAP");
  return sub;
}

export const signRules = [
  needed("plan_id", 28, isPlan),
  needed("contract_code", 32, isCode),
  needed("request_serial", 20, isSerial),
  needed("contract_display_account", 32),
];
export function toSignRequest({ sender, fields, from }: RequestV2, sub: SubMerchant | undefined): SignRequest {
  return {
    mch_id: sender.merchant.mchId,
    app_id: sender.appId,
    plan_id: Number(fields["plan_id"]),
    out_contract_code: fields["contract_code"] ?? "",
    request_serial: fields["request_serial"] ?? null,
    display_account: fields["contract_display_account"] ?? "",
    notify_url: filledField(fields, "contract_notify_url") ?? fields["notify_url"] ?? "",
    notify_from: from ?? null,
    version: "v2",
    sign_type: sender.signType,
    openid: filledField(fields, "openid") ?? sub?.sub_openid ?? null,
    out_user_code: filledField(fields, "outerid") ?? null,
    sub_mch_id: sub?.sub_mchid ?? null,
    sub_app_id: sub?.sub_appid ?? null,
    sub_openid: sub?.sub_openid ?? null,
  };
}

/** @throws PaymentRefusal NOAUTH, CONTRACT_NOT_EXIST … */
export async function contractOf(deps: ContractDepsV2, request: RequestV2): Promise<ContractRow> {
  const sub = await checkSender(deps, request);
  await deps.papay.settle();
  return deps.papay.contracts.get({
    mchId: request.sender.merchant.mchId,
    subMchId: sub?.sub_mchid ?? null,
    contractId: filledField(request.fields, "contract_id"),
    planId: Number(request.fields["plan_id"] ?? 0),
    code: request.fields["contract_code"],
  });
}
