/** Contracts as version 3 writes them, in replies and, encrypted, in notifications. */
import { offsetTime } from "../../../payment-wire/provider-time.ts";
import { dayOf } from "./contract-rules.ts";
import type { ContractRow } from "./contract-tables.ts";

const money = (total: number) => ({ total, currency: "CNY" });

/** The state of the only deduction, with the amounts that it has by now. */
function progress({ schedule_state, scheduled_fen, deducted_fen, deducted_at }: ContractRow) {
  return {
    schedule_state: schedule_state ?? "NO_SCHEDULED",
    ...(scheduled_fen !== null && { scheduled_amount: money(scheduled_fen) }),
    ...(deducted_fen !== null && { deduct_amount: money(deducted_fen) }),
    ...(deducted_at !== null && { deduct_date: dayOf(deducted_at) }),
  };
}

/** The booked deduction: its days are known once it is booked. */
export function scheduleV3(contract: ContractRow) {
  const { deduct_day, scheduled_fen } = contract;
  const days = scheduled_fen === null ? {} : { deduct_start_date: deduct_day, deduct_end_date: deduct_day };
  return { ...progress(contract), ...days };
}

const common = (contract: ContractRow) => ({
  contract_id: contract.contract_id,
  plan_id: contract.plan_id,
  out_contract_code: contract.out_contract_code,
  contract_display_account: contract.display_account,
  contract_state: contract.state,
  ...(contract.signed_at !== null && { contract_signed_time: offsetTime(contract.signed_at) }),
  ...(contract.expires_at !== null && { contract_expired_time: offsetTime(contract.expires_at) }),
  ...(contract.terminated_at !== null && {
    contract_terminate_info: {
      contract_termination_mode: contract.termination_mode,
      contract_terminated_time: offsetTime(contract.terminated_at),
      ...(contract.termination_remark !== null && { contract_termination_remark: contract.termination_remark }),
    },
  }),
  ...(contract.out_user_code !== null && { out_user_code: contract.out_user_code }),
});

const deduction = (contract: ContractRow) =>
  contract.deduct_day === null
    ? {}
    : {
        deduct_schedule: {
          ...progress(contract),
          estimated_deduct_date: contract.deduct_day,
          estimated_deduct_amount: money(contract.deduct_fen ?? 0),
        },
      };

/** A contract of a direct merchant without its deduction. */
export const plainContractV3 = (contract: ContractRow) => ({
  mchid: contract.mch_id,
  appid: contract.app_id,
  ...common(contract),
  openid: contract.openid,
});

/** A contract of a direct merchant. */
export const contractV3 = (contract: ContractRow) => ({ ...plainContractV3(contract), ...deduction(contract) });

/** A contract of a sub-merchant. */
export const partnerContractV3 = (contract: ContractRow) => ({
  sp_mchid: contract.mch_id,
  sp_appid: contract.app_id,
  sub_mchid: contract.sub_mch_id,
  ...(contract.sub_app_id !== null && { sub_appid: contract.sub_app_id }),
  ...common(contract),
  sp_openid: contract.openid,
  ...(contract.sub_openid !== null && { sub_openid: contract.sub_openid }),
  ...deduction(contract),
});
