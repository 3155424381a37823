/**
 * Wire formats of the provider simulator's control routes (/sim), with which a client simulator or a test acts as the
 * platform's client.
 */
import { z } from "zod";
import { conditions } from "../messages/en/conditions.ts";

export const simUserName = z.string().regex(/^[\w.-]{1,64}$/, conditions["condition.userName"]);

/** POST /sim/users/{name}/login[?app_id=…]. The first call creates the user. */
export const simLoginSchema = z.object({ code: z.string(), errMsg: z.literal("login:ok") });

/** POST /sim/users/{name}/user-info[?deny]: the `detail` of the platform's getUserInfo event, and whether a prompt was shown. */
export const simUserInfoSchema = z.object({
  prompted: z.boolean(),
  errMsg: z.string(),
  userInfo: z.record(z.string(), z.unknown()).optional(),
  rawData: z.string().optional(),
  signature: z.string().optional(),
  encryptedData: z.string().optional(),
  iv: z.string().optional(),
});

/** POST /sim/users/{name}/phone-number[?deny]: the `detail` of the platform's getPhoneNumber event. */
export const simPhoneNumberSchema = z.object({
  prompted: z.boolean(),
  errMsg: z.string(),
  code: z.string().optional(),
  encryptedData: z.string().optional(),
  iv: z.string().optional(),
});

/** POST /sim/users/{name}/location[?deny]: the result of the platform's getLocation, and whether a prompt was shown. */
export const simLocationSchema = z.object({
  prompted: z.boolean(),
  errMsg: z.string(),
  latitude: z.number().optional().describe("Degrees."),
  longitude: z.number().optional().describe("Degrees."),
  altitude: z.number().optional().describe("Metres."),
  speed: z.number().optional().describe("Metres per second. -1: unknown."),
  accuracy: z.number().optional().describe("Metres."),
  horizontalAccuracy: z.number().optional().describe("Metres."),
  verticalAccuracy: z.number().optional().describe("Metres."),
});

const allowance = z.boolean().nullable();
const allowances = { userInfo: allowance, phoneNumber: allowance, location: allowance };

/** PATCH /sim/users/{name}/settings: the person's permissions for the app; null as if never asked. */
export const simAllowancesChangeSchema = z.strictObject(allowances).partial();

/** GET and PATCH /sim/users/{name}/settings. `authSetting` is the platform's getSetting: only scopes already asked. */
export const simAllowancesSchema = z.object({ ...allowances, authSetting: z.record(z.string(), z.boolean()) });

/**
 * When code2Session returns the union id. `seed`: after consent to user info, or while the person follows an account of
 * the same owner or uses another of its apps. `modern`: always. `unbound`: never, nor does user info; the app is bound
 * to no open platform.
 */
export const unionIdMode = z.enum(["seed", "modern", "unbound"]);
export type UnionIdMode = z.infer<typeof unionIdMode>;

const changeableFields = {
  nick_name: z.string().max(64),
  avatar_url: z.string().max(512),
  phone_number: z
    .string()
    .regex(/^\d{5,20}$/, conditions["condition.phone"])
    .describe("Phone number without country code."),
  country_code: z
    .string()
    .regex(/^[1-9]\d{0,3}$/, conditions["condition.country"])
    .meta({ examples: ["86"] }),
  latitude: z.number().min(-90).max(90).describe("Latitude in degrees."),
  longitude: z.number().min(-180).max(180).describe("Longitude in degrees."),
  unionid_mode: unionIdMode,
  follows_account: z.boolean(),
  uses_other_app: z.boolean(),
  blocked: z.boolean().describe("Whether the person is a high-risk user. Login codes then get 40226."),
};

/** GET /sim/users/{name}: a person, existing or not yet. Its ids are simulated, not secrets. */
export const simUserSchema = z.object({
  name: z.string(),
  openid: z.string(),
  unionid: z.string(),
  session_key_id: z
    .string()
    .nullable()
    .describe("Changes with the session key, without revealing it. null: expired, or never logged in."),
  ...changeableFields,
});

/** PATCH /sim/users/{name}: the person's name, location, and standing with the platform. */
export const simUserChangeSchema = z.strictObject(changeableFields).partial();

/** The behaviour of payments. Names are those of the provider's description, where it has them. */
const paymentSettings = {
  timeScale: z
    .number()
    .min(0)
    .max(100)
    .describe(
      "Factor for pauses between notifications, refund_seconds and slow_seconds. 0.001: a thousand times faster. A change also applies to waiting notifications and refunds, but not to buyers who are already paying slowly.",
    ),
  refund_seconds: z.number().min(0).max(86_400).describe("Duration of PROCESSING of a refund, in seconds."),
  slow_seconds: z.number().min(0).max(3_600).describe("Duration of a slow payment, in seconds."),
  notification_timeout_ms: z
    .int()
    .min(10)
    .max(60_000)
    .describe("Timeout of notification receivers, in ms. The real platform allows 5 seconds."),
  closeMinAgeSeconds: z
    .number()
    .min(0)
    .max(3_600)
    .describe(
      "Minimum age of an order before a close, in seconds. Earlier closes get FREQUENCY_LIMITED. 300 is realistic.",
    ),
  autoCloseAfterExpire: z.boolean().describe("Close expired orders."),
  commonErrorsAsErrCode: z
    .boolean()
    .describe("Version 2: return errors of signature and form as err_code, as published, instead of return_code FAIL."),
  strict_openid: z.boolean().describe("Refuse orders for openids without a simulated person."),
  refund_interval_seconds: z
    .number()
    .min(0)
    .max(3_600)
    .describe(
      "Minimum time between two refunds of one order, in seconds. Earlier refunds get FREQUENCY_LIMITED. 60 is realistic.",
    ),
  reverse_min_age_seconds: z
    .number()
    .min(0)
    .max(3_600)
    .describe("Minimum age of a payment by code before a reversal, in seconds. 15 is realistic."),
  password_above_fen: z
    .int()
    .min(0)
    .describe("Amount in fen above which a payment by code asks for the buyer's password."),
  free_payments_a_day: z
    .int()
    .min(0)
    .describe("Number of payments by code per buyer and day (UTC+8) without the password. The next one asks for it."),
  requireClientCert: z
    .boolean()
    .describe(
      "Version 2: require the merchant's client certificate for refunds, reversals and fund-flow bills, as the real host does. Only the stand-in hosts accept it, over HTTPS. Calls over plain HTTP cannot send one.",
    ),
  notification_sign_type: z
    .boolean()
    .describe("Version 2: include sign_type in payment notifications of HMAC-SHA256 orders. The platform does both."),
  password_seconds: z
    .number()
    .min(1)
    .max(3_600)
    .describe(
      "Time for the buyer's password, in seconds. Then the order is NOTPAY. The real platform allows 30 to 45.",
    ),
  bills_at_once: z.boolean().describe("Serve a day's bill at any time, not only from 09:00 on the next day."),
};

/** GET and PATCH /sim/settings: the behaviour of the simulated platform. */
export const simSettingsSchema = z.strictObject({
  session_key_ttl_seconds: z
    .number()
    .int()
    .min(1)
    .describe("Lifetime of a session key after the last activity, in seconds. The platform publishes no value."),
  login_rotates_key: z
    .enum(["whenExpired", "always"])
    .describe("When a login creates a new session key: `always`, or only after the old key has expired."),
  errmsg_rid: z.boolean().describe("Append a request id to each errmsg, as the platform does."),
  content_type_text_plain: z.boolean().describe("Send code2Session's JSON as text/plain, as the platform has done."),
  country_code_number: z.boolean().describe("Send countryCode as a number, as the platform's own example does."),
  ...paymentSettings,
});
export type SimSettings = z.infer<typeof simSettingsSchema>;
export type SimPaymentSettings = Pick<SimSettings, keyof typeof paymentSettings>;
export const simSettingsChangeSchema = simSettingsSchema.partial();
