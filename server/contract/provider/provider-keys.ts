/** Wire shapes of the control routes for credentials and keys (/sim/credentials, /sim/platform-key). */
import { z } from "zod";

const pem = z.string().describe("Key in PEM form.");
const serial = z.string().describe("Serial number: 40 upper-case hex digits.");

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
  platform_certificate_file: z.string().describe("Path of the platform certificate on this machine."),
  platform_public_key_id: z
    .string()
    .optional()
    .describe("Id of the public key (PUB_KEY_ID_…). Absent in mode `certificate`."),
  platform_public_key: pem.optional(),
});
export type SimCredentials = z.infer<typeof simCredentialsSchema>;

const line = z.string().describe("Key as one line of base64, without the lines of PEM.");

/** GET /sim/alipay/credentials: the configuration of a client of Alipay. Test keys, worthless elsewhere. */
export const simAlipayCredentialsSchema = z.object({
  app_id: z.string(),
  seller_id: z.string().describe("Number of the merchant that owns the app."),
  merchant_private_key: line,
  alipay_public_key: line,
  key_type: z.literal("PKCS8").describe("Form of the private key."),
  app_cert: z.string().describe("Certificate of the app in PEM form."),
  alipay_cert: z.string().describe("Certificate of Alipay in PEM form."),
  alipay_root_cert: z.string().describe("Root certificate of Alipay in PEM form."),
});
export type SimAlipayCredentials = z.infer<typeof simAlipayCredentialsSchema>;

/** PUT /sim/platform-key: the keys by which the platform signs for a merchant. */
export const simPlatformKeysSchema = z.strictObject({
  mode: z
    .enum(["certificate", "switching", "public_key"])
    .describe(
      "Key that signs replies and notifications. `certificate`: the platform certificate. `switching`: the public key if the request's Wechatpay-Serial names it, otherwise the certificate. `public_key`: the public key; the platform serves no certificates.",
    ),
  public_key_share: z
    .number()
    .min(0.1)
    .max(100)
    .default(50)
    .describe("In mode `switching`: percentage of notifications that the public key signs."),
});

export type SimPlatformKeys = z.infer<typeof simPlatformKeysSchema>;

/** GET, PUT /sim/platform-key, POST /sim/platform-key/rotations. */
export const simPlatformKeySchema = z.object({
  ...simPlatformKeysSchema.shape,
  serial: z.string().describe("Wechatpay-Serial of replies to requests without one."),
  certificates: z
    .array(z.object({ serial, certificate: pem, effective_time: z.string(), expire_time: z.string() }))
    .describe("Newest certificate and the one before it, newest first."),
  public_key_id: z.string().optional(),
  public_key: pem.optional(),
});
