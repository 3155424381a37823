/** The words of transfers to users. */
import { z } from "zod";

export const transferState = z.enum([
  "ACCEPTED",
  "PROCESSING",
  "WAIT_USER_CONFIRM",
  "TRANSFERING",
  "SUCCESS",
  "FAIL",
  "CANCELING",
  "CANCELLED",
]);
export type TransferState = z.infer<typeof transferState>;

/** Why a transfer has failed: a part of the platform's list. */
export const transferFailure = z.enum([
  "ACCOUNT_FROZEN",
  "ACCOUNT_NOT_EXIST",
  "DAY_RECEIVED_COUNT_EXCEED",
  "DAY_RECEIVED_QUOTA_EXCEED",
  "MCH_CANCEL",
  "NAME_NOT_CORRECT",
  "OPENID_INVALID",
  "OTHER_FAIL_REASON_TYPE",
  "OVERDUE_CLOSE",
  "PAYEE_ACCOUNT_ABNORMAL",
  "PAYER_ACCOUNT_ABNORMAL",
  "REALNAME_ACCOUNT_RECEIVED_QUOTA_EXCEED",
  "REAL_NAME_CHECK_FAIL",
  "TRANSFER_QUOTA_EXCEED",
]);
export type TransferFailure = z.infer<typeof transferFailure>;

/** Merchant's number of a transfer. */
export const outBillNo = z.string().regex(/^[0-9A-Za-z]{1,32}$/, "1 to 32 digits and letters");
