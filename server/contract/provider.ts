/** Wire shapes of the provider simulator's control routes (/sim), by which a client simulator or a test acts as the platform's client. */
import { z } from "zod";

export const simUserName = z.string().regex(/^[\w.-]{1,64}$/, "letters, digits, '_', '.' and '-', at most 64");

/** POST /sim/users/{name}/login. The user comes into being at the first call. */
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

/** GET /sim/credentials: the built-in test app. Its keys are test keys, not secrets. */
export const simCredentialsSchema = z.object({ app_id: z.string(), app_secret: z.string() });
