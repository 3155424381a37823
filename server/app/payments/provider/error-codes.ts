/** How the merchant's side reads the provider's error codes. Unlisted ones are final: the provider has signed them. */
import { errorCodes, type MerchantCall } from "../../../contract/provider/payment-errors/error-codes.ts";

const withoutUnderscores = (code: string) => code.replaceAll("_", "");
const wordsOfV2 = new Map([
  ...Object.keys(errorCodes).map((code) => [withoutUnderscores(code), code] as const),
  // Codes that differ in version 3 by more than underscores.
  ["MCHNOTEXISTS", "MCHID_NOT_EXIST"],
  ["RATELIMITEXCEEDED", "FREQUENCY_LIMITED"],
]);

/** The version 2 code for an error code of version 3 in any spelling; the code itself where version 2 has none. */
export function codeOfV2(code: string, call: MerchantCall): string {
  const plain = withoutUnderscores(code);
  if (plain === "RESOURCENOTEXISTS") return call === "queryRefund" ? "REFUNDNOTEXIST" : "ORDERNOTEXIST";
  return wordsOfV2.get(plain) ?? code;
}

/** False for a code that the contract does not list. */
export const isKnownCode = (code: string): boolean => Object.hasOwn(errorCodes, code);

/** True when a signed failure with this code leaves the result of the call open. */
export function leavesOpen(code: string, call: MerchantCall): boolean {
  const calls = errorCodes[code]?.leavesOpen;
  return calls === "always" || (calls?.includes(call) ?? false);
}
