/** The rows of a receiver check about products beside payments. */
import type { ServerResponse } from "node:http";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { unseal, type Sealed } from "../../../server/payment-wire/sealed-v3.ts";
import { createMerchantV3, isFromPlatform, type MerchantV3 } from "../../support/payments/merchant-v3.ts";
import { notificationReceiver, type ReceivedNotification } from "../../support/payments/notification-receiver.ts";
import {
  allowTime,
  checkReceiver,
  failed,
  productRows,
  rowsOf,
} from "../../support/payments/receivers/receiver-checks.ts";
import { startTestProvider, type TestProvider } from "../../support/payments/test-provider.ts";

let provider: TestProvider;
let merchant: MerchantV3;
beforeAll(async () => {
  provider = await startTestProvider();
  await allowTime(provider.url);
  merchant = await createMerchantV3(provider.url);
});
afterAll(() => provider[Symbol.asyncDispose]());

const forgedRows = productRows.filter((row) => row.endsWith("-forged"));
const genuineRows = productRows.filter((row) => !row.endsWith("-forged"));

type Answer = (sent: ReceivedNotification, response: ServerResponse) => void;
const reply = (response: ServerResponse, status: number) => response.writeHead(status).end();
/** Refuses what is forged, and repeats its answer for a copy. */
const right: Answer = (sent, response) => reply(response, isGenuine(sent) ? 204 : 401);

function isGenuine({ headers, body }: ReceivedNotification): boolean {
  const { platform_certificate, api_v3_key } = merchant.credentials;
  if (!isFromPlatform((name) => String(headers[name] ?? ""), body, platform_certificate)) return false;
  const { resource } = JSON.parse(body) as { resource: Sealed };
  try {
    unseal(resource, api_v3_key);
    return true;
  } catch {
    return false;
  }
}

async function check(answer: Answer, productUrl = true) {
  await using receiver = await notificationReceiver(answer);
  return await checkReceiver(provider, {
    notify_url: receiver.url,
    ...(productUrl && { product_notify_url: `${receiver.url}/products` }),
    orders: { from: "simulator", version: "v3" },
    only: productRows,
  });
}

describe("the check-up of a receiver of products' notifications", () => {
  it("passes a right receiver in every row", async () => {
    const report = await check(right);
    expect([report.problem, report.state, failed(report), rowsOf(report, "not_judged")]).toEqual([
      undefined,
      "done",
      {},
      [],
    ]);
    expect(rowsOf(report, "pass").toSorted()).toEqual(productRows.toSorted());
  });

  it("judges no row without the address for them", async () => {
    const report = await check(right, false);
    expect(rowsOf(report, "not_judged").toSorted()).toEqual(productRows.toSorted());
    expect(report.results[0]?.seen).toBe("the address for notifications of other products is not set");
  });

  it("tells a receiver that believes forgeries to verify them, for each product", async () => {
    const failings = failed(await check((_sent, response) => reply(response, 204)));
    expect(Object.keys(failings).toSorted()).toEqual(forgedRows.toSorted());
    for (const texts of Object.values(failings))
      expect(texts).toEqual([
        expect.stringMatching(/unknown key. Verify Wechatpay-Signature/),
        expect.stringMatching(/without a signature. Require the headers/),
        expect.stringMatching(/changed resource. Decrypt resource/),
      ]);
  });

  it("tells a receiver that refuses the genuine ones what to answer, for each product", async () => {
    const failings = failed(await check((_sent, response) => reply(response, 500)));
    expect(Object.keys(failings).toSorted()).toEqual(genuineRows.toSorted());
    for (const texts of Object.values(failings))
      expect(texts).toEqual([expect.stringMatching(/HTTP 500.*Decrypt resource.*answer 200 or 204/)]);
  });

  it("tells a receiver that refuses copies to accept them", async () => {
    const seen = new Set<string>();
    const failings = failed(
      await check((sent, response) => {
        if (seen.has(sent.body)) return void reply(response, 409);
        seen.add(sent.body);
        right(sent, response);
      }),
    );
    expect(Object.keys(failings).toSorted()).toEqual(genuineRows.toSorted());
    for (const texts of Object.values(failings)) expect(texts).toEqual([expect.stringMatching(/^Reply to its copy/)]);
  });
});
