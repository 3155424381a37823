/** Wire shapes of the control routes for credentials and keys (/sim/credentials, /sim/platform-key). */
import { z } from "zod";

const pem = z.string().describe("PEM text.");
const serial = z.string().describe("40 hex digits in upper case.");

/**
 * GET /sim/credentials[?mch_id=…]: the configuration of a client of the simulator, with the built-in app and test
 * merchant unless another merchant is named. Test keys, worthless elsewhere.
 */
export const simCredentialsSchema = z.object({
  app_id: z.string(),
  app_secret: z.string(),
  mch_id: z.string(),
  api_v2_key: z.string(),
  api_v3_key: z.string(),
  merchant_serial: serial,
  merchant_certificate: pem,
  merchant_private_key: pem,
  platform_serial: serial,
  platform_certificate: pem,
  platform_certificate_file: z.string().describe("Where the platform certificate lies on this machine."),
  platform_public_key_id: z.string().optional().describe("PUB_KEY_ID_…, where the platform signs by a public key."),
  platform_public_key: pem.optional(),
});
export type SimCredentials = z.infer<typeof simCredentialsSchema>;

const platformMode = z
  .enum(["certificate", "public_key"])
  .describe("Whether replies and notifications name a certificate or the id of a public key as their signer.");

/** PUT /sim/platform-key: the platform's future means of signing. */
export const simPlatformKeyChangeSchema = z.strictObject({ mode: platformMode });

/** GET, PUT /sim/platform-key, POST /sim/platform-key/rotations. */
export const simPlatformKeySchema = z.object({
  mode: platformMode,
  serial: z.string().describe("What Wechatpay-Serial says."),
  certificates: z
    .array(z.object({ serial, certificate: pem, effective_time: z.string(), expire_time: z.string() }))
    .describe("The newest first, and the one before it."),
  public_key_id: z.string().optional(),
  public_key: pem.optional(),
});
