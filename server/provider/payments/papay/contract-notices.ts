/** The notifications of contracts that were signed or have ended, and of deductions that have failed. */
import type { DeductionFailure } from "../../../contract/provider/papay/contract-terms.ts";
import { newNonce } from "../../../payment-wire/new-nonce.ts";
import { spacedTime } from "../../../payment-wire/provider-time.ts";
import type { FieldsV2 } from "../../../payment-wire/sign-v2.ts";
import type { Order } from "../ledger/ledger.ts";
import type { MerchantNotice } from "../notifier/product-notices.ts";
import { orderV3 } from "../v3/views-v3.ts";
import { contractV3, partnerContractV3 } from "./contract-views-v3.ts";
import { terminationNumbers } from "./contract-fields-v2.ts";
import type { ContractRow, PlanRow } from "./contract-tables.ts";

function changeV2(contract: ContractRow): FieldsV2 {
  const { sub_mch_id, terminated_at, termination_mode } = contract;
  const isSigned = contract.state === "SIGNED";
  return {
    ...{ return_code: "SUCCESS", result_code: "SUCCESS", mch_id: contract.mch_id },
    ...(sub_mch_id !== null && { sub_mch_id }),
    ...{ contract_code: contract.out_contract_code, plan_id: String(contract.plan_id), openid: contract.openid ?? "" },
    ...(contract.request_serial !== null && { request_serial: contract.request_serial }),
    contract_id: contract.contract_id,
    change_type: isSigned ? "ADD" : "DELETE",
    operate_time: spacedTime((isSigned ? contract.signed_at : terminated_at) ?? 0),
    ...(isSigned && { contract_expired_time: spacedTime(contract.expires_at ?? 0) }),
    ...(termination_mode !== null && { contract_termination_mode: terminationNumbers[termination_mode] }),
  };
}

/** That a contract was signed or has ended. */
export function contractNotice(contract: ContractRow, plan: PlanRow): MerchantNotice {
  const isSigned = contract.state === "SIGNED";
  const address = {
    about: "contract",
    ...{ mchId: contract.mch_id, number: contract.out_contract_code, id: contract.contract_id },
    url: (isSigned ? null : plan.terminated_url) ?? contract.notify_url,
    from: contract.notify_from,
  } as const;
  if (contract.version === "v2") return { ...address, signType: contract.sign_type, fields: changeV2(contract) };
  return {
    ...address,
    event: isSigned ? "ENTRUST.SIGN" : "ENTRUST.TERMINATE",
    ...{ summary: isSigned ? "签约成功" : "解约成功", originalType: "papay" },
    resource: contract.sub_mch_id === null ? contractV3(contract) : partnerContractV3(contract),
  };
}

const failures: Record<DeductionFailure, readonly [code: string, text: string]> = {
  no_funds: ["NOTENOUGH", "余额不足"],
  bank: ["BANKERROR", "银行系统异常"],
};

/** That a deduction has failed; undefined where the merchant named no address. */
export function failureNotice(
  order: Order,
  contract: ContractRow,
  reason: DeductionFailure,
): MerchantNotice | undefined {
  if (order.notifyUrl === undefined) return undefined;
  const address = {
    about: "contract",
    ...{ mchId: order.mchId, number: order.outTradeNo, id: contract.contract_id },
    ...{ url: order.notifyUrl, from: order.notifyFrom ?? null },
  } as const;
  if (order.version === "v3")
    return {
      ...address,
      ...{ event: "TRANSACTION.FAIL", summary: "支付失败", originalType: "transaction" },
      resource: { ...orderV3(order), trade_type: order.tradeType },
    };
  const [err_code, err_code_des] = failures[reason];
  return {
    ...address,
    signType: order.signType,
    fields: {
      ...{ return_code: "SUCCESS", result_code: "FAIL", err_code, err_code_des },
      ...{ appid: order.appId, mch_id: order.mchId, nonce_str: newNonce(), openid: contract.openid ?? "" },
      ...(contract.sub_mch_id !== null && { sub_mch_id: contract.sub_mch_id }),
      ...{ trade_type: "PAP", trade_state: order.tradeState, total_fee: String(order.total), fee_type: order.currency },
      ...{ out_trade_no: order.outTradeNo, contract_id: contract.contract_id },
      ...(order.attach !== undefined && { attach: order.attach }),
    },
  };
}
