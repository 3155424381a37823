/**
 * The simulator's control routes with which the console's phone, or a test, acts as a person: in the client, at a till,
 * on a page.
 */
import { z } from "zod";
import { conditions } from "../messages/en/conditions.ts";
import { dictionary } from "../bounded-lists.ts";
import { endpoint } from "../endpoint.ts";
import { simLocationSchema, simLoginSchema, simPhoneNumberSchema, simUserInfoSchema } from "./provider.ts";

const person = {
  access: "control",
  tag: "client",
  status: 200,
  method: "POST",
  params: z.object({ name: z.string() }),
} as const;
const asks = {
  ...person,
  query: z.object({
    deny: z.string().optional().describe("Refuses a prompt that appears. The value does not matter."),
  }),
} as const;

/** Returns a login code for a person. A missing person is created. */
export const simLogin = endpoint({
  ...person,
  id: "simLogin",
  path: "/sim/users/{name}/login",
  query: z.object({ app_id: z.string().optional().describe("App id. Default: the built-in app.") }),
  data: simLoginSchema,
});

/** Returns the result of the platform's getUserInfo for the client. */
export const simGetUserInfo = endpoint({
  ...asks,
  query: asks.query.extend({
    profile: z
      .string()
      .optional()
      .describe("As getUserProfile: asks each time, and the encrypted data has no ids. The value does not matter."),
  }),
  id: "simGetUserInfo",
  path: "/sim/users/{name}/user-info",
  data: simUserInfoSchema,
});

/** Returns the result of the platform's getPhoneNumber for the client. */
export const simGetPhoneNumber = endpoint({
  ...asks,
  id: "simGetPhoneNumber",
  path: "/sim/users/{name}/phone-number",
  data: simPhoneNumberSchema,
});

/** Returns the result of the platform's getLocation for the client. */
export const simGetLocation = endpoint({
  ...asks,
  id: "simGetLocation",
  path: "/sim/users/{name}/location",
  data: simLocationSchema,
});

export const buyerOutcome = z.enum(["pay", "wrong_password", "no_funds", "cancel", "slow"]);
export type BuyerOutcome = z.infer<typeof buyerOutcome>;

/** POST /sim/users/{name}/payments[?outcome=…]: what the person does when the client asks for the password. */
export const simPaymentQuery = z.strictObject({
  outcome: buyerOutcome.default("pay"),
});

/**
 * Its body: the parameters of requestPayment (timeStamp, nonceStr, package, signType, paySign), or of an app's payment. For
 * Alipay `orderStr`, the signed order of alipay.trade.app.pay, or `tradeNO`, the number of a trade.
 */
export const simPaymentParameters = dictionary(z.string().max(64), z.string().max(8_192));

/** The platform's answer to its client. `requestPayment:ok` proves nothing to a server. */
export const simPaymentSchema = z.object({
  errMsg: z
    .string()
    .describe("Result: requestPayment:ok, requestPayment:fail cancel, or requestPayment:fail with the reason."),
});

/** POST /sim/users/{name}/payment-codes: what the person's payment code does at the till, if not what the amount decides. */
export const simPaymentCodeInput = z.strictObject({
  platform: z.enum(["wechat", "alipay"]).default("wechat").describe("Platform whose form the code has."),
  outcome: z.enum(["paid", "asks-password", "refused"]).optional(),
});
export const simPaymentCodeSchema = z.object({
  auth_code: z.string().describe("Payment code: 18 digits, valid once. Those of Alipay begin with 28."),
  expires_at: z.iso.datetime(),
});

/** Returns the result of the platform's requestPayment for the client. The answer comes when the person has acted. */
export const simRequestPayment = endpoint({
  ...person,
  id: "simRequestPayment",
  path: "/sim/users/{name}/payments",
  query: simPaymentQuery,
  body: simPaymentParameters,
  data: simPaymentSchema,
});

/** Creates a person's payment code for a till to scan. */
export const createSimPaymentCode = endpoint({
  ...person,
  id: "createSimPaymentCode",
  path: "/sim/users/{name}/payment-codes",
  status: 201,
  body: simPaymentCodeInput,
  data: simPaymentCodeSchema,
});

const page = {
  access: "control",
  tag: "pay-pages",
  status: 200,
  params: z.object({ prepay_id: z.string() }),
  errors: [404],
} as const;

/** The form's result, shown on the next page. */
export const outcomeView = z.enum(["cancelled", "wrong_password", "no_funds"]);
const shown = outcomeView.optional().describe("Result of the form.");
const query = z.looseObject({ shown });
const form = z.strictObject({ outcome: buyerOutcome });

/** Shows the payment page of a NATIVE order. On it, you act as the buyer who scanned the code. */
export const getSimPayPage = endpoint({
  ...page,
  id: "getSimPayPage",
  method: "GET",
  path: "/sim/pay/{prepay_id}",
  query,
  produces: ["text/html"],
  replyHeaders: ["Content-Security-Policy", "X-Content-Type-Options"],
});

/** Submits the form of the payment page and redirects to that page. */
export const postSimPayPage = endpoint({
  ...page,
  id: "postSimPayPage",
  method: "POST",
  path: "/sim/pay/{prepay_id}",
  status: 303,
  query,
  body: form,
  produces: ["text/plain", "text/html"],
  replyHeaders: ["Location"],
});

/** Shows the QR code of a NATIVE order. */
export const getSimPayCode = endpoint({
  ...page,
  id: "getSimPayCode",
  method: "GET",
  path: "/sim/pay/{prepay_id}/qr.svg",
  query,
  produces: ["image/svg+xml"],
  replyHeaders: ["Content-Security-Policy"],
});

export const pageAddress = z
  .url()
  .max(2_048)
  .refine((text) => /^https?:/i.test(text), "an http or https address is required");
export const h5Query = z.looseObject({
  prepay_id: z.string().max(128).default(""),
  package: z
    .string()
    .regex(/^\d{1,15}$/, conditions["is.notWritten"])
    .optional()
    .describe("When the link expires, Unix time in ms."),
  redirect_url: pageAddress.optional(),
  shown,
});
const h5 = { access: "none", tag: "pay-pages", path: "/pay/h5", query: h5Query } as const;

/** Shows the payment page of an MWEB order. The merchant redirects the buyer's browser to it. */
export const getH5PayPage = endpoint({
  ...h5,
  id: "getH5PayPage",
  method: "GET",
  status: 200,
  produces: ["text/html"],
});

/** Submits the form of the page of an MWEB order and redirects to the page or to the merchant. */
export const postH5PayPage = endpoint({
  ...h5,
  id: "postH5PayPage",
  method: "POST",
  status: 303,
  body: form,
  produces: ["text/plain", "text/html"],
});
