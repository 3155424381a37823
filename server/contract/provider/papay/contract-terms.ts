/** The words of contracts by which a merchant deducts money from a user. */
import { z } from "zod";

/** States of a contract: waits for its user, is in force, has ended, or was refused by the user. */
export const contractState = z.enum(["WAITING", "SIGNED", "TERMINATED", "REFUSED"]);
export type ContractState = z.infer<typeof contractState>;

/** Who has ended a contract. */
export const terminationMode = z.enum([
  "USER_TERMINATE",
  "MCH_API_TERMINATE",
  "WEPAY_WEB_TERMINATE",
  "CUSTOMER_SERVICE_TERMINATE",
  "SYSTEM_TERMINATE",
]);
export type TerminationMode = z.infer<typeof terminationMode>;

/** States of the one deduction that a contract with a date allows. */
export const scheduleState = z.enum(["NO_SCHEDULED", "SCHEDULED", "PAID", "EXPIRED"]);

/**
 * When a plan's contracts allow deductions: at once, 24 hours after each request, or in the days after the user was told.
 */
export const planMode = z.enum(["instant", "delayed", "announced"]);

/** Why a deduction has failed. */
export const deductionFailure = z.enum(["no_funds", "bank"]);
export type DeductionFailure = z.infer<typeof deductionFailure>;

/** Merchant's number of a contract. */
export const outContractCode = z.string().regex(/^[0-9A-Za-z_-]{1,32}$/, "1 to 32 digits, letters, _ and -");
export const planId = z.int().min(1).max(4_294_967_295);
