/**
 * One order's life each, under `hearth exec --stand-in`: by third-party SDKs, unmodified and at the hosts that they have
 * built in, and by clients of our own with nothing but what their runtime brings.
 */
import { spawn, type ChildProcess } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { SimCredentials } from "../../server/contract/provider/provider-keys.ts";
import { startStandIn, type StandInCommand } from "../support/process/stand-in-command.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const node = (file: string) => [process.execPath, file] as const;

/** Each takes its keys from the environment, and prints what it has seen of its order. */
const merchants: readonly (readonly [
  name: string,
  file: string,
  run: (file: string) => readonly [string, ...string[]],
])[] = [
  ["tenpay", "tenpay.mjs", node],
  ["nest-wechat", "nest-wechat.mjs", node],
  ["wxpay-v3", "wxpay-v3.mjs", node],
  ["wechatpay-nodejs-sdk", "wechatpay-nodejs-sdk.mjs", node],
  ["node-easywechat", "node-easywechat.mjs", node],
  ["wechatpay-axios-plugin", "wechatpay-axios-plugin.mjs", node],
  ["wechatpay-node-v3", "wechatpay-node-v3.mjs", node],
  ["curl", "curl.mjs", node],
  ["Python", "merchant.py", (file) => ["python3", file]],
  ["PHP", "merchant.php", (file) => ["php", file]],
  ["Java", "Merchant.java", (file) => ["java", "-XX:TieredStopAtLevel=1", file]],
];

const folder = temporaryFolder();
const [temporary, kept] = ["tmp", "kept"].map((name) => join(folder.path, name)) as [string, string];
const outgoing = join(folder.path, "outgoing.log");
let command: StandInCommand;
const programs: ChildProcess[] = [];
/** What the merchants are given, by the names of environment variables. */
let given: Record<string, string>;

async function ask<Answer>(method: string, path: string, body: object = {}): Promise<Answer> {
  const response = await fetch(`${command.env["HEARTH_PROVIDER_URL"] ?? ""}/sim${path}`, {
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

beforeAll(async () => {
  for (const path of [temporary, kept]) mkdirSync(path);
  writeFileSync(outgoing, "");
  const preload = pathToFileURL(join(import.meta.dirname, "../support/process/outgoing-log.mjs")).href;
  command = await startStandIn(temporary, [], {
    NODE_OPTIONS: `--import ${preload}`,
    HEARTH_TEST_OUTGOING_LOG: outgoing,
  });
  await ask("PATCH", "/settings", { refund_seconds: 0, requireClientCert: true, bills_at_once: true });
  const packed = await fetch(`${command.env["HEARTH_PROVIDER_URL"] ?? ""}/sim/merchant-certificate.p12`);
  const keys = await ask<SimCredentials>("GET", "/credentials");
  given = {
    ...{ APP_ID: keys.app_id, APP_SECRET: keys.app_secret, MCH_ID: keys.mch_id },
    ...{ API_V2_KEY: keys.api_v2_key, API_V3_KEY: keys.api_v3_key, MERCHANT_SERIAL: keys.merchant_serial },
    MERCHANT_KEY: keepFile("merchant-key.pem", keys.merchant_private_key),
    MERCHANT_CERTIFICATE: keepFile("merchant-certificate.pem", keys.merchant_certificate),
    MERCHANT_P12: keepFile("apiclient_cert.p12", await packed.bytes()),
    PLATFORM_SERIAL: keys.platform_serial,
    PLATFORM_CERTIFICATE: keepFile("platform-certificate.pem", keys.platform_certificate),
  };
});
afterAll(async () => {
  for (const program of programs) program.kill();
  await command.end();
  folder[Symbol.dispose]();
});

/** Starts a merchant's program. @returns what it prints, once it has ended well */
function start(number: string, [name, ...args]: readonly [string, ...string[]], code: string): Promise<string> {
  const env = { ...command.env, ...given, OUT_TRADE_NO: number, LOGIN_CODE: code };
  const child = spawn(name, args, { env, cwd: kept, stdio: ["ignore", "pipe", "pipe"] });
  programs.push(child);
  const [output, errors] = [text(child.stdout), text(child.stderr)];
  return new Promise((resolve, reject) => {
    child.once("error", reject).once("close", (status) => {
      if (status === 0) resolve(output);
      else void errors.then((printed) => reject(new Error(`${name} ended with ${String(status)}: ${printed}`)));
    });
  });
}

interface Seen {
  readonly order: { readonly trade_state: string; readonly transaction_id?: string };
  readonly refunds: readonly { readonly refund: number; readonly status: string }[];
  readonly notifications: readonly { readonly state: string; readonly attempts: readonly unknown[] }[];
}

/** Once the notification is accepted. A busy program may miss deliveries, and the schedule's next one is minutes away. */
async function delivered(number: string, ended: Promise<unknown>): Promise<void> {
  const isOver = ended.then(
    () => true,
    () => true,
  );
  const isAccepted = async () => {
    const { notifications } = await ask<Seen>("GET", `/orders/${number}`);
    const missed = notifications.some(({ state, attempts }) => state === "pending" && attempts.length > 0);
    if (missed) await ask("POST", `/orders/${number}/notify`);
    return notifications.some(({ state }) => state === "accepted");
  };
  await expect.poll(() => Promise.race([isOver, isAccepted()])).toBe(true);
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

describe("at the real platform's hosts, under hearth exec --stand-in", () => {
  it.each(merchants)(
    "%s places an order, takes its genuine notification only, queries and refunds it",
    async (name, file, run) => {
      const number = `LIFE_${name.replaceAll(/\W/g, "_")}`;
      const { code } = await ask<{ code: string }>("POST", "/users/ada/login");
      const ended = start(number, run(join(import.meta.dirname, "../clients/merchants", file)), code);
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
      const seen = await ask<Seen>("GET", `/orders/${number}`);
      expect(told).toEqual({ notified: seen.order.transaction_id, state: "SUCCESS", refund: "SUCCESS" });
      expect(seen).toMatchObject({
        order: { trade_state: "REFUND", transaction_id: expect.stringMatching(/^\d{28}$/) },
        refunds: [{ refund: 41, status: "SUCCESS" }],
      });
      expect(seen.notifications.map(({ state }) => state)).toEqual(["unscheduled", "unscheduled", "accepted"]);
    },
  );

  it("asks no other host than those that are stood in for, and sends nothing beyond this machine", () => {
    expect(command.errors()).not.toContain("lets no request through");
    expect(readFileSync(outgoing, "utf8")).toBe("");
  });
});
