/** Wire shapes of the control routes by which a person of the simulated platform pays. */
import { z } from "zod";

/** POST /sim/users/{name}/payments[?outcome=…]: what the person does when the client asks for the password. */
export const simPaymentQuery = z.strictObject({
  outcome: z.enum(["pay", "wrong_password", "no_funds", "cancel", "slow"]).default("pay"),
});

/** Its body: the parameters of requestPayment (timeStamp, nonceStr, package, signType, paySign), or of an app's payment. */
export const simPaymentParameters = z.record(z.string().max(64), z.string().max(2_048));

/** The platform's answer to its client. `requestPayment:ok` proves nothing to a server. */
export const simPaymentSchema = z.object({
  errMsg: z.string().describe("requestPayment:ok, requestPayment:fail cancel, or requestPayment:fail and the reason."),
});

/** POST /sim/users/{name}/payment-codes: what the person's payment code does at the till, if not what the amount decides. */
export const simPaymentCodeInput = z.strictObject({
  outcome: z.enum(["paid", "asks-password", "refused"]).optional(),
});
export const simPaymentCodeSchema = z.object({
  auth_code: z.string().describe("18 digits; works once."),
  expires_at: z.iso.datetime(),
});
