/** The simulator's control routes by which the console's phone acts as the platform's client, by what a call needs of them. */
import { z } from "zod";
import { simLocationSchema, simLoginSchema, simPhoneNumberSchema, simUserInfoSchema } from "./provider.ts";
import { simPaymentParameters, simPaymentQuery, simPaymentSchema } from "./sim-buyers.ts";

const person = { method: "POST", params: z.object({ name: z.string() }) } as const;
/** The person's answer to a prompt, if there is one. */
const asks = { ...person, query: z.object({ deny: z.literal("true").optional() }) } as const;

export const simLogin = { ...person, path: "/sim/users/{name}/login", data: simLoginSchema } as const;
export const simGetUserInfo = { ...asks, path: "/sim/users/{name}/user-info", data: simUserInfoSchema } as const;
export const simGetPhoneNumber = {
  ...asks,
  path: "/sim/users/{name}/phone-number",
  data: simPhoneNumberSchema,
} as const;
export const simGetLocation = { ...asks, path: "/sim/users/{name}/location", data: simLocationSchema } as const;
export const simRequestPayment = {
  ...person,
  path: "/sim/users/{name}/payments",
  query: simPaymentQuery,
  body: simPaymentParameters,
  data: simPaymentSchema,
} as const;
