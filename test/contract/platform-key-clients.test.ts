/**
 * Clients of our own in Java and Python, as strict about reply headers as the SDKs of those languages, in each mode of
 * platform keys: at the stood-in host and at the simulator's own port.
 */
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { SimCredentials } from "../../server/contract/provider/provider-keys.ts";
import { platformKeysOf } from "../support/payments/merchant-v3.ts";
import {
  programFolder,
  publicKeys,
  startMerchantPrograms,
  type MerchantPrograms,
} from "../support/payments/merchant-programs.ts";

const clients = [
  ["Java", ["java", "-XX:TieredStopAtLevel=1", join(programFolder, "Merchant.java")]],
  ["Python", ["python3", join(programFolder, "merchant_v3.py")]],
] as const;

/** Each with the key that the client names in its requests, and with the one that signs the notification. */
const modes = [
  ["by certificates", { mode: "certificate" }, undefined, "certificate"],
  ["switching, and names no key", { mode: "switching", public_key_share: 100 }, undefined, "public_key"],
  ["switching, and names the certificate", { mode: "switching", public_key_share: 100 }, "certificate", "public_key"],
  ["switching, and names the public key", { mode: "switching", public_key_share: 0.1 }, "public_key", "certificate"],
  ["by the public key", { mode: "public_key" }, undefined, "public_key"],
] as const;

let programs: MerchantPrograms;
beforeAll(async () => void (programs = await startMerchantPrograms()));
afterAll(() => programs.end());

describe.each(["stood-in host", "port"] as const)("at the %s", (place) => {
  describe.each(modes)("a merchant %s", (_name, keys, named, notifiedBy) => {
    it.each(clients)("of %s lives an order's life, and takes every reply and notification", async (client, program) => {
      await programs.ask("PUT", "/platform-key", keys);
      const credentials = await programs.ask<SimCredentials>("GET", "/credentials");
      const serials = {
        certificate: credentials.platform_serial,
        public_key: credentials.platform_public_key_id ?? "",
      };
      const known = [...platformKeysOf(credentials)].filter(([serial]) => serial !== "");
      const number = `${place.slice(0, 2)}-${client}-${String(modes.findIndex(([name]) => name === _name))}`;
      const { notifications } = await programs.live(number, program, {
        PLATFORM_KEYS: publicKeys(known),
        ...(named && { NAMED_KEY: serials[named] }),
        ...(place === "port" && { API: programs.url }),
      });
      const { headers } = notifications.at(-1)?.attempts.at(-1)?.request ?? {};
      expect(headers).toMatchObject({ "Wechatpay-Serial": serials[notifiedBy] });
    });
  });
});
