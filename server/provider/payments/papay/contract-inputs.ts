/** What callers name contracts by, and what they ask of them. */
import type { TerminationMode } from "../../../contract/provider/papay/contract-terms.ts";
import type { ContractRow, NewContract } from "./contract-tables.ts";

type RequestColumns =
  "mch_id" | "app_id" | "plan_id" | "out_contract_code" | "display_account" | "notify_url" | "version";
type OptionalColumns =
  | ("sub_mch_id" | "sub_app_id" | "openid" | "sub_openid" | "request_serial" | "out_user_code" | "notify_from")
  | ("return_url" | "out_trade_no" | "deduct_day" | "deduct_fen");
/** What a merchant asks a user to sign. */
export type SignRequest = Pick<NewContract, RequestColumns> &
  Partial<Pick<ContractRow, OptionalColumns>> & { readonly sign_type?: ContractRow["sign_type"] };

/** A merchant's contract, by the platform's number or by the merchant's within a plan. */
export interface ContractKey {
  readonly mchId: string;
  /** Null: of the merchant itself. */
  readonly subMchId: string | null;
  readonly contractId?: string | undefined;
  readonly planId?: number | undefined;
  readonly code?: string | undefined;
}

export interface Termination {
  readonly mode: TerminationMode;
  readonly remark: string | null;
}

export interface AnnouncedDeduction {
  readonly fen: number;
  readonly days?: number | undefined;
}
