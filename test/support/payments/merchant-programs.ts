/** Merchants' programs in any language, each through one life of an order at a simulator under `hearth exec --stand-in`. */
import { spawn, type ChildProcess } from "node:child_process";
import { createPublicKey } from "node:crypto";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { expect } from "vitest";
import type { SimAlipayCredentials, SimCredentials } from "../../../server/contract/provider/provider-keys.ts";
import { startStandIn } from "../process/stand-in-command.ts";
import { allowTime } from "./receivers/receiver-checks.ts";
import { temporaryFolder } from "../temporary-folder.ts";

/** The folder of the programs. */
export const programFolder = join(import.meta.dirname, "../../clients/merchants");

type Program = readonly [name: string, ...arguments: string[]];
type Environment = Readonly<Record<string, string>>;

export interface SeenOrder {
  readonly order: { readonly trade_state: string; readonly transaction_id?: string };
  readonly refunds: readonly { readonly refund: number; readonly status: string }[];
  readonly notifications: readonly {
    readonly about: string;
    readonly state: string;
    readonly due_at?: string;
    readonly attempts: readonly { readonly request: { readonly headers: Environment } }[];
  }[];
}

/** Keys of the platform for clients without a reader of certificates: each as `serial:key`, the key in DER and base64. */
export const publicKeys = (keys: Iterable<readonly [serial: string, pem: string]>): string =>
  [...keys]
    .map(([serial, pem]) => {
      const key = createPublicKey(pem).export({ type: "spki", format: "der" });
      return `${serial}:${key.toString("base64")}`;
    })
    .join(" ");

const wordsOfWeChatPay = { state: "SUCCESS", refund: "SUCCESS" };
export const wordsOfAlipay = { state: "TRADE_SUCCESS", refund: "REFUND_SUCCESS" };

/** @param env what the environment of `hearth exec` has besides */
export async function startMerchantPrograms(env: Environment = {}) {
  const folder = temporaryFolder();
  const [temporary, kept] = ["tmp", "kept"].map((name) => join(folder.path, name)) as [string, string];
  for (const path of [temporary, kept]) mkdirSync(path);
  const command = await startStandIn(temporary, [], env);
  const programs: ChildProcess[] = [];
  const url = command.env["HEARTH_PROVIDER_URL"] ?? "";

  async function ask<Answer>(method: string, path: string, body: object = {}): Promise<Answer> {
    const response = await fetch(`${url}/sim${path}`, {
      method,
      ...(method !== "GET" && { headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) }),
    });
    if (!response.ok) throw new Error(`${path}: ${String(response.status)} ${await response.text()}`);
    return (await response.json()) as Answer;
  }

  function keepFile(name: string, content: string | Uint8Array): string {
    const file = join(kept, name);
    writeFileSync(file, content);
    return file;
  }

  await allowTime(url);
  await ask("PATCH", "/settings", {
    refund_seconds: 0,
    requireClientCert: true,
    bills_at_once: true,
    closeMinAgeSeconds: 0,
  });
  const packed = await fetch(`${url}/sim/merchant-certificate.p12`);
  const keys = await ask<SimCredentials>("GET", "/credentials");
  const alipay = await ask<SimAlipayCredentials>("GET", "/alipay/credentials");
  /** What each program finds in its environment. */
  const given: Environment = {
    ...{ APP_ID: keys.app_id, APP_SECRET: keys.app_secret, MCH_ID: keys.mch_id },
    ...{ API_V2_KEY: keys.api_v2_key, API_V3_KEY: keys.api_v3_key, MERCHANT_SERIAL: keys.merchant_serial },
    MERCHANT_KEY: keepFile("merchant-key.pem", keys.merchant_private_key),
    MERCHANT_CERTIFICATE: keepFile("merchant-certificate.pem", keys.merchant_certificate),
    MERCHANT_P12: keepFile("apiclient_cert.p12", await packed.bytes()),
    PLATFORM_SERIAL: keys.platform_serial,
    PLATFORM_CERTIFICATE: keepFile("platform-certificate.pem", keys.platform_certificate),
    PLATFORM_KEYS: publicKeys([[keys.platform_serial, keys.platform_certificate]]),
    ...{ ALIPAY_APP_ID: alipay.app_id, ALIPAY_PRIVATE_KEY: alipay.merchant_private_key },
    ALIPAY_PUBLIC_KEY: alipay.alipay_public_key,
    ALIPAY_APP_CERT: keepFile("alipay-app-certificate.pem", alipay.app_cert),
    ALIPAY_CERT: keepFile("alipay-certificate.pem", alipay.alipay_cert),
    ALIPAY_ROOT_CERT: keepFile("alipay-root-certificate.pem", alipay.alipay_root_cert),
  };

  /** @returns what the program prints, once it has ended well */
  function start(number: string, [name, ...args]: Program, more: Environment): Promise<string> {
    const child = spawn(name, args, {
      env: { ...command.env, ...given, OUT_TRADE_NO: number, ...more },
      cwd: kept,
      stdio: ["ignore", "pipe", "pipe"],
    });
    programs.push(child);
    const [output, errors] = [text(child.stdout), text(child.stderr)];
    return new Promise((resolve, reject) => {
      child.once("error", reject).once("close", (status) => {
        if (status === 0) resolve(output);
        else void errors.then((printed) => reject(new Error(`${name} ended with ${String(status)}: ${printed}`)));
      });
    });
  }

  const isThere = (number: string) =>
    ask("GET", `/orders/${number}`).then(
      () => true,
      () => false,
    );

  /** Once the order is placed; rejects where the program ends before. */
  const placed = (number: string, ended: Promise<unknown>) =>
    Promise.race([
      // Java compiles its program first, perhaps on a busy machine.
      expect.poll(() => isThere(number)).toBe(true),
      ended.then((output) => {
        throw new Error(`it ended without an order: ${String(output)}`);
      }),
    ]);

  /**
   * Once the program has accepted a notification or ended. A busy one may miss any delivery, and even all of the schedule:
   * whatever waits for the next one, or was given up, is sent at once.
   */
  async function delivered(number: string, ended: Promise<unknown>): Promise<void> {
    const isOver = ended.then(
      () => true,
      () => true,
    );
    const isAccepted = async () => {
      const { notifications } = await ask<SeenOrder>("GET", `/orders/${number}`);
      if (notifications.some(({ state }) => state === "accepted")) return true;
      const missed = notifications.some(({ state, due_at }) => state === "given_up" || due_at !== undefined);
      if (missed) await ask("POST", `/orders/${number}/notify`);
      return false;
    };
    await expect.poll(() => Promise.race([isOver, isAccepted()])).toBe(true);
  }

  return {
    command,
    /** The simulator's address. */
    url,
    ask,
    /**
     * Plays an order's life with the program: two forged notifications, the payment with its genuine one, a refund.
     * @param more what its environment has besides
     * @param words for the end of the order and of its refund
     */
    async live(number: string, program: Program, more: Environment = {}, words = wordsOfWeChatPay) {
      const { code } = await ask<{ code: string }>("POST", "/users/ada/login");
      const ended = start(number, program, { LOGIN_CODE: code, ...more });
      await placed(number, ended);
      for (const how of ["changed_field", "wrong_key"]) {
        const sending = { kind: "notification_signature", params: { how } };
        const { deliveries } = await ask<{ deliveries: { accepted: boolean }[] }>(
          "POST",
          `/orders/${number}/notifications`,
          sending,
        );
        expect(deliveries.map(({ accepted }) => accepted)).toEqual([false]);
      }
      await ask("POST", `/orders/${number}/pay`);
      await delivered(number, ended);
      const told = JSON.parse(await ended) as unknown;
      const seen = await ask<SeenOrder>("GET", `/orders/${number}`);
      expect(told).toEqual({ notified: seen.order.transaction_id, ...words });
      expect(seen).toMatchObject({
        order: { trade_state: "REFUND", transaction_id: expect.stringMatching(/^\d{28}$/) },
        refunds: [{ refund: 41, status: "SUCCESS" }],
      });
      const ofPayment = seen.notifications.filter(({ about }) => about === "payment");
      expect(ofPayment.map(({ state }) => state)).toEqual(["unscheduled", "unscheduled", "accepted"]);
      return seen;
    },
    async end(): Promise<void> {
      for (const program of programs) program.kill();
      await command.end();
      folder[Symbol.dispose]();
    },
  };
}
export type MerchantPrograms = Awaited<ReturnType<typeof startMerchantPrograms>>;
