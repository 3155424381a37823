/** Contracts in replies of version 2. */
import type { TerminationMode } from "../../../contract/provider/papay/contract-terms.ts";
import { spacedTime } from "../../../payment-wire/provider-time.ts";
import type { FieldsV2 } from "../../../payment-wire/sign-v2.ts";
import type { ContractRow } from "./contract-tables.ts";

/** Version 2's numbers of the ways in which a contract ends; 0 means that it has not. */
export const terminationNumbers: Record<TerminationMode, string> = {
  SYSTEM_TERMINATE: "1",
  USER_TERMINATE: "2",
  MCH_API_TERMINATE: "3",
  WEPAY_WEB_TERMINATE: "4",
  CUSTOMER_SERVICE_TERMINATE: "5",
};

export const namesOfContract = (contract: ContractRow): FieldsV2 => ({
  contract_id: contract.contract_id,
  plan_id: String(contract.plan_id),
  contract_code: contract.out_contract_code,
});

export const contractFields = (contract: ContractRow): FieldsV2 => ({
  ...namesOfContract(contract),
  request_serial: contract.request_serial ?? "0",
  contract_display_account: contract.display_account,
  contract_state: contract.state === "SIGNED" ? "0" : "1",
  contract_signed_time: spacedTime(contract.signed_at ?? 0),
  contract_expired_time: spacedTime(contract.expires_at ?? 0),
  ...(contract.terminated_at !== null && { contract_terminated_time: spacedTime(contract.terminated_at) }),
  ...(contract.termination_mode !== null && {
    contract_termination_mode: terminationNumbers[contract.termination_mode],
  }),
  ...(contract.termination_remark !== null && { contract_termination_remark: contract.termination_remark }),
  openid: contract.openid ?? "",
});
