/** The words of profit sharing, as version 3 writes them. */
import { z } from "zod";

/** Kinds of receivers: a merchant, or a person by an openid of the merchant's app or the sub-merchant's. */
export const shareReceiverType = z.enum(["MERCHANT_ID", "PERSONAL_OPENID", "PERSONAL_SUB_OPENID"]);

export const shareRelation = z.enum([
  "SERVICE_PROVIDER",
  "STORE",
  "STAFF",
  "STORE_OWNER",
  "PARTNER",
  "HEADQUARTER",
  "BRAND",
  "DISTRIBUTOR",
  "USER",
  "SUPPLIER",
  "CUSTOM",
]);

export const shareState = z.enum(["PROCESSING", "FINISHED"]);
export const shareResult = z.enum(["PENDING", "SUCCESS", "CLOSED"]);

export const shareFailure = z.enum([
  "ACCOUNT_ABNORMAL",
  "NO_RELATION",
  "RECEIVER_HIGH_RISK",
  "RECEIVER_REAL_NAME_NOT_VERIFIED",
  "NO_AUTH",
  "RECEIVER_RECEIPT_LIMIT",
  "PAYER_ACCOUNT_ABNORMAL",
  "INVALID_REQUEST",
]);
export type ShareFailure = z.infer<typeof shareFailure>;

/** Merchant's number of a share or of a return. */
export const outShareNo = z.string().regex(/^[0-9A-Za-z_\-|*@]{1,64}$/, "1 to 64 of digits, letters and _-|*@");
