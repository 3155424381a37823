/** The simulator's control routes for the platform itself: settings, merchants, keys, the whole state. */
import { z } from "zod";
import { endpoint } from "../endpoint.ts";
import { fidelitySchema } from "./operations/fidelity-schema.ts";
import {
  simAlipayCredentialsSchema,
  simCredentialsSchema,
  simPlatformKeySchema,
  simPlatformKeysSchema,
} from "./provider-keys.ts";
import { providerStateCounts, providerStateSchema } from "./provider-state.ts";
import { simSettingsChangeSchema, simSettingsSchema } from "./provider.ts";
import { simMchId, simMerchantChangeSchema, simMerchantSchema, simMerchantsSchema } from "./sim-orders.ts";

const platform = { access: "control", tag: "platform", status: 200 } as const;

/** Returns the settings of the simulated platform's behaviour. */
export const getSimSettings = endpoint({
  ...platform,
  id: "getSimSettings",
  method: "GET",
  path: "/sim/settings",
  data: simSettingsSchema,
});

/** Changes the settings of the simulated platform's behaviour. Omitted settings stay unchanged. */
export const changeSimSettings = endpoint({
  ...platform,
  id: "changeSimSettings",
  method: "PATCH",
  path: "/sim/settings",
  body: simSettingsChangeSchema,
  data: simSettingsSchema,
});

/** Lists the merchants of the platform. */
export const listSimMerchants = endpoint({
  ...platform,
  id: "listSimMerchants",
  method: "GET",
  path: "/sim/merchants",
  data: simMerchantsSchema,
});

/**
 * Adds a merchant, or replaces the merchant with this id, even the built-in one. Hearth's own payments then use its
 * first app and its new keys.
 */
export const putSimMerchant = endpoint({
  ...platform,
  id: "putSimMerchant",
  method: "PUT",
  path: "/sim/merchants/{mch_id}",
  params: z.object({ mch_id: simMchId }),
  body: simMerchantChangeSchema,
  data: simMerchantSchema,
});

const ofMerchant = z.object({
  mch_id: z.string().optional().describe("Merchant number. Default: the built-in merchant."),
});

/**
 * Returns everything that a client of the simulator needs in its configuration. The keys are for tests and work nowhere
 * else.
 */
export const getSimCredentials = endpoint({
  ...platform,
  id: "getSimCredentials",
  method: "GET",
  path: "/sim/credentials",
  query: ofMerchant,
  data: simCredentialsSchema,
  errors: [404],
});

/**
 * Returns everything that a client of Alipay needs in its configuration. The keys are made at the first call. They are for
 * tests and work nowhere else.
 */
export const getSimAlipayCredentials = endpoint({
  ...platform,
  id: "getSimAlipayCredentials",
  method: "GET",
  path: "/sim/alipay/credentials",
  data: simAlipayCredentialsSchema,
});

/**
 * Returns a merchant's certificate with its private key. The file is PKCS #12, as merchants get it; the password is the
 * merchant number.
 */
export const getSimMerchantCertificate = endpoint({
  ...platform,
  id: "getSimMerchantCertificate",
  method: "GET",
  path: "/sim/merchant-certificate.p12",
  query: ofMerchant,
  produces: ["application/x-pkcs12"],
  replyHeaders: ["Content-Disposition"],
  errors: [404],
});

/** Returns the newest platform certificate as a file. */
export const getSimPlatformCertificate = endpoint({
  ...platform,
  id: "getSimPlatformCertificate",
  method: "GET",
  path: "/sim/platform-certificate.pem",
  produces: ["application/x-x509-ca-cert"],
  replyHeaders: ["Content-Disposition"],
});

/** Returns the keys with which the platform signs for a merchant. */
export const getSimPlatformKey = endpoint({
  ...platform,
  id: "getSimPlatformKey",
  method: "GET",
  path: "/sim/platform-key",
  query: ofMerchant,
  data: simPlatformKeySchema,
  errors: [404],
});

/**
 * Selects the keys with which the platform signs for a merchant. Choose the certificate, the public key, or both while
 * switching.
 */
export const changeSimPlatformKey = endpoint({
  ...platform,
  id: "changeSimPlatformKey",
  method: "PUT",
  path: "/sim/platform-key",
  query: ofMerchant,
  body: simPlatformKeysSchema,
  data: simPlatformKeySchema,
  errors: [404],
});

/** Creates a new platform certificate, as the platform does every few years. The old one can still be downloaded. */
export const rotateSimPlatformKey = endpoint({
  ...platform,
  id: "rotateSimPlatformKey",
  method: "POST",
  path: "/sim/platform-key/rotations",
  status: 201,
  query: ofMerchant,
  data: simPlatformKeySchema,
  errors: [404],
});

const state = { ...platform, tag: "state", path: "/sim/state" } as const;

/** Returns the simulator's complete state as one document. */
export const getSimState = endpoint({ ...state, id: "getSimState", method: "GET", data: providerStateSchema });

/** Replaces the simulator's complete state. */
export const putSimState = endpoint({
  ...state,
  id: "putSimState",
  method: "PUT",
  rawBody: { "application/json": providerStateSchema },
  errors: [415],
  data: providerStateCounts,
});

/** Empties the simulator. */
export const deleteSimState = endpoint({ ...state, id: "deleteSimState", method: "DELETE", data: providerStateCounts });

/**
 * Lists the operations of the platform's public API and how far the simulator supports each. An operation that is not
 * simulated gets 501.
 */
export const listOperations = endpoint({
  ...platform,
  id: "listOperations",
  method: "GET",
  path: "/sim/fidelity",
  query: z.object({ product: z.string().max(100).optional().describe("Part of the product's name.") }),
  data: z.array(fidelitySchema),
});
