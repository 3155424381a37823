/** The whole header set of each kind of reply of version 3, by the names and in the case of live replies. */
import { request } from "node:http";
import { afterAll, beforeAll, expect, it } from "vitest";
import { createMerchantV3, type Changed, type MerchantV3 } from "../../../support/payments/merchant-v3.ts";
import { startTestProvider, type TestProvider } from "../../../support/payments/test-provider.ts";

let provider: TestProvider;
let merchant: MerchantV3;
beforeAll(async () => {
  provider = await startTestProvider();
  await provider.control("PATCH", "/settings", { closeMinAgeSeconds: 0 });
  merchant = await createMerchantV3(provider.url);
});
afterAll(() => provider[Symbol.asyncDispose]());

/** A live reply to an order has these, and `Server`. */
const all = ["Connection", "Content-Language", "Date", "Keep-Alive", "Request-ID", "X-Content-Type-Options"];
const withBody = ["Cache-Control", "Content-Length", "Content-Type"];
const ofSignature = ["Nonce", "Serial", "Signature", "Signature-Type", "Timestamp"].map((name) => `Wechatpay-${name}`);
const signed = [...all, ...ofSignature];

const orders = "/v3/pay/transactions/out-trade-no";

it.each<[what: string, status: number, names: readonly string[], method: string, path: string, changed?: Changed]>([
  ["a success", 200, [...signed, ...withBody], "POST", "/v3/pay/transactions/native"],
  ["one without a body", 204, signed, "POST", `${orders}/HEADERS_1/close`],
  ["a refusal", 404, [...signed, ...withBody], "GET", `${orders}/HEADERS_2?mchid=1900000109`],
  ["a wrong parameter", 400, [...signed, ...withBody], "GET", `${orders}/A?mchid=1900000109`],
  ["the certificates", 200, [...signed, ...withBody], "GET", "/v3/certificates"],
  ["a refused sender", 401, [...all, ...withBody], "GET", "/v3/certificates", { timestamp: 1 }],
  ["an unknown address", 404, [...all, ...withBody], "GET", "/v3/nowhere"],
])("%s", async (_what, status, names, method, path, changed) => {
  const body = { "/v3/pay/transactions/native": merchant.order("HEADERS_1") }[path] ?? { mchid: "1900000109" };
  const { headers, sent } = merchant.signed(method, path, method === "POST" ? body : undefined, changed);
  const reply = await new Promise<{ status: number | undefined; raw: string[] }>((resolve, reject) => {
    request(`${provider.url}${path}`, { method, headers }, (response) => {
      response.resume().on("end", () => resolve({ status: response.statusCode, raw: response.rawHeaders }));
    })
      .on("error", reject)
      .end(sent);
  });
  expect([reply.status, reply.raw.filter((_value, index) => index % 2 === 0).sort()]).toEqual([
    status,
    names.toSorted(),
  ]);
  const valueOf = (name: string) => reply.raw[reply.raw.indexOf(name) + 1];
  expect([valueOf("Content-Language"), valueOf("X-Content-Type-Options")]).toEqual(["zh-CN", "nosniff"]);
  if (names.includes("Wechatpay-Signature-Type"))
    expect(valueOf("Wechatpay-Signature-Type")).toBe("WECHATPAY2-SHA256-RSA2048");
  if (names.includes("Content-Type")) expect(valueOf("Content-Type")).toBe("application/json; charset=utf-8");
});
