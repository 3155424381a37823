/**
 * One order's life each, under `hearth exec --stand-in`: by third-party SDKs, unmodified and at the hosts that they have
 * built in, and by clients of our own with nothing but what their runtime brings.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  programFolder,
  startMerchantPrograms,
  wordsOfAlipay,
  type MerchantPrograms,
} from "../support/payments/merchant-programs.ts";
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

const merchantsOfAlipay: readonly (readonly [...(typeof merchants)[number], more: Record<string, string>])[] = [
  ["alipay-sdk", "alipay-sdk.mjs", node, { ALIPAY_SDK: "alipay-sdk" }],
  ["alipay-sdk by certificates", "alipay-sdk.mjs", node, { ALIPAY_SDK: "alipay-sdk", ALIPAY_MODE: "certificate" }],
  ["the alipay-sdk before", "alipay-sdk.mjs", node, { ALIPAY_SDK: "alipay-sdk-before" }],
  ["PHP like the samples", "alipay.php", (file) => ["php", file], {}],
  ["Java like the samples", "AlipayMerchant.java", (file) => ["java", "-XX:TieredStopAtLevel=1", file], {}],
];

const folder = temporaryFolder();
const outgoing = join(folder.path, "outgoing.log");
let programs: MerchantPrograms;

beforeAll(async () => {
  writeFileSync(outgoing, "");
  const preload = pathToFileURL(join(import.meta.dirname, "../support/process/outgoing-log.mjs")).href;
  programs = await startMerchantPrograms({ NODE_OPTIONS: `--import ${preload}`, HEARTH_TEST_OUTGOING_LOG: outgoing });
});
afterAll(async () => {
  await programs.end();
  folder[Symbol.dispose]();
});

describe("at the real platform's hosts, under hearth exec --stand-in", () => {
  it.each(merchants)(
    "%s places an order, takes its genuine notification only, queries and refunds it",
    async (name, file, run) => {
      await programs.live(`LIFE_${name.replaceAll(/\W/g, "_")}`, run(join(programFolder, file)));
    },
  );

  it.each(merchantsOfAlipay)("%s lives an order at Alipay", async (name, file, run, more) => {
    const number = `LIFE_${name.replaceAll(/\W/g, "_")}`;
    await programs.live(number, run(join(programFolder, file)), more, wordsOfAlipay);
  });

  it("asks no other host than those that are stood in for, and sends nothing beyond this machine", () => {
    expect(programs.command.errors()).not.toContain("blocks requests to");
    expect(readFileSync(outgoing, "utf8")).toBe("");
  });
});
