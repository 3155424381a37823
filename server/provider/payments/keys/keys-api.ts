/** Control routes for the configuration of a simulator's client: credentials, keys, certificates. */
import { Router } from "express";
import type { z } from "zod";
import {
  simPlatformKeyChangeSchema,
  type SimCredentials,
  type simPlatformKeySchema,
} from "../../../contract/provider/provider-keys.ts";
import { checkedBody } from "../../../http/formats/checked-body.ts";
import { notFound } from "../../../http/http-error.ts";
import { offsetTime } from "../../../payment-wire/provider-time.ts";
import type { Merchants } from "../merchants/merchants.ts";
import type { Keys } from "./keys.ts";

/** A merchant's complete configuration. @throws HttpError 404 for an unknown merchant */
export type ReadCredentials = (mchId: string) => Promise<SimCredentials>;

interface CredentialsDeps {
  readonly keys: Keys;
  readonly merchants: Pick<Merchants, "get">;
  /** The built-in app, which logs people in. */
  readonly app: { readonly app_id: string; readonly app_secret: string };
  readonly certificateFile: string;
}

export function createReadCredentials({ keys, merchants, app, certificateFile }: CredentialsDeps): ReadCredentials {
  return async (mchId) => {
    const merchant = await merchants.get(mchId);
    if (!merchant) throw notFound(`There is no merchant ${mchId}.`);
    const [own, platform, certificates] = await Promise.all([
      keys.merchant(mchId),
      keys.platform(),
      keys.certificates(),
    ]);
    const publicKey = platform.mode === "public_key" ? await keys.publicKey() : undefined;
    return {
      app_id: merchant.appIds[0] ?? app.app_id,
      app_secret: app.app_secret,
      mch_id: mchId,
      api_v2_key: merchant.apiV2Key,
      api_v3_key: merchant.apiV3Key,
      merchant_serial: own.serial,
      merchant_certificate: own.certificate,
      merchant_private_key: own.privateKey,
      platform_serial: certificates[0]?.serial ?? "",
      platform_certificate: certificates[0]?.certificate ?? "",
      platform_certificate_file: certificateFile,
      ...(publicKey && { platform_public_key_id: publicKey.id, platform_public_key: publicKey.publicKey }),
    };
  };
}

interface Deps {
  readonly keys: Keys;
  readonly readCredentials: ReadCredentials;
  /** The merchant whose credentials are returned if none is named. */
  readonly builtInMchId: string;
}

export function keysApi({ keys, readCredentials, builtInMchId }: Deps): Router {
  const router = Router();

  router.get("/credentials", async (req, res) => {
    const query = new URLSearchParams(req.url.split(/\?(.*)/s)[1] ?? "");
    res.json(await readCredentials(query.get("mch_id") ?? builtInMchId));
  });

  router.get("/platform-certificate.pem", async (_req, res) => {
    const [newest] = await keys.certificates();
    res
      .type("application/x-pem-file")
      .attachment("platform-certificate.pem")
      .send(newest?.certificate ?? "");
  });

  router.get("/platform-key", async (_req, res) => void res.json(await view(keys)));
  /** Switches between certificate and public key; real platforms use one or the other. */
  router.put("/platform-key", async (req, res) => {
    const { mode } = await checkedBody(req, simPlatformKeyChangeSchema);
    await keys.use(mode);
    res.json(await view(keys));
  });
  /** Creates a new certificate, as platforms do every few years; the old one can still be downloaded. */
  router.post("/platform-key/rotations", async (_req, res) => {
    await keys.rotate();
    res.status(201).json(await view(keys));
  });
  return router;
}

async function view(keys: Keys): Promise<z.input<typeof simPlatformKeySchema>> {
  const { mode, serial } = await keys.platform();
  const publicKey = await keys.publicKey();
  return {
    mode,
    serial,
    certificates: (await keys.certificates()).map(({ serial, certificate, createdAt, expiresAt }) => ({
      serial,
      certificate,
      effective_time: offsetTime(createdAt),
      expire_time: offsetTime(expiresAt),
    })),
    ...(publicKey && { public_key_id: publicKey.id, public_key: publicKey.publicKey }),
  };
}
