/** The client certificate that version 2 asks for on calls that move money back, over TLS as a merchant's SDK speaks it. */
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import type { IncomingMessage } from "node:http";
import { request, type RequestOptions } from "node:https";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, expect, it } from "vitest";
import { certifyServer, createAuthority, makeKey } from "../../../../server/stand-in/certificates.ts";
import { openStandIn } from "../../../../server/stand-in/open-stand-in.ts";
import { consoleToken } from "../../../support/app/console-token.ts";
import { createMerchantV2 } from "../../../support/payments/merchant-v2.ts";
import { hasOpenssl, openssl } from "../../../support/payments/openssl.ts";
import { orderDetails } from "../../../support/payments/order-details.ts";
import { fieldsOfXml, signedXml } from "../../../support/payments/payment-signatures.ts";
import { startTestProvider, type TestProvider } from "../../../support/payments/test-provider.ts";
import { temporaryFolder } from "../../../support/temporary-folder.ts";

const authority = createAuthority(Date.now());
const host = "api.mch.weixin.qq.com";
const mchId = "1900000109";
const other = { mchId: "1900000110", apiV2Key: "k".repeat(32) };
let provider: TestProvider;
let merchant: ReturnType<typeof createMerchantV2>;
let standIn: Awaited<ReturnType<typeof openStandIn>>;
beforeAll(async () => {
  provider = await startTestProvider();
  merchant = createMerchantV2(provider);
  standIn = await openStandIn({
    ...{ provider: provider.url, consoleToken, authority, passes: [], port: 0, at: Date.now() },
    onRefused: () => undefined,
  });
  const keys = { api_v2_key: other.apiV2Key, api_v3_key: "v".repeat(32) };
  await provider.control("PUT", `/merchants/${other.mchId}`, { app_ids: [provider.app.appid], ...keys });
  await provider.control("PATCH", "/settings", { requireClientCert: true });
  await merchant.paid("PAID_ORDER");
});
afterAll(async () => {
  await standIn.close();
  await provider[Symbol.asyncDispose]();
});

/** The file that a merchant gets. */
async function merchantFile(of = mchId) {
  const reply = await fetch(`${provider.url}/sim/merchant-certificate.p12?mch_id=${of}`);
  expect(reply.headers.get("content-disposition")).toContain("apiclient_cert.p12");
  return Buffer.from(await reply.arrayBuffer());
}

/** Asks the host for a refund. */
async function refund(number: string, shown: Pick<RequestOptions, "pfx" | "passphrase" | "key" | "cert">) {
  const { port } = new URL(standIn.url);
  const path = "/secapi/pay/refund";
  const options = { host: "127.0.0.1", port, path, servername: host, headers: { host }, ca: authority.certificate };
  const asked = request({ ...options, ...shown, method: "POST", agent: false });
  const fields = { out_trade_no: "PAID_ORDER", out_refund_no: number, total_fee: "100", refund_fee: "10" };
  asked.end(signedXml({ ...merchant.common(), ...fields }, merchant.apiV2Key));
  const [reply] = (await once(asked, "response")) as [IncomingMessage];
  const content = await text(reply);
  return { status: reply.statusCode, text: content, fields: fieldsOfXml(content) };
}

it("of the merchant, as the file with the merchant number as password, lets a refund through at the host's name", async () => {
  const pfx = await merchantFile();
  expect(await refund("OWN", { pfx, passphrase: mchId })).toMatchObject({
    status: 200,
    fields: { return_code: "SUCCESS", result_code: "SUCCESS" },
  });
  await expect(refund("OWN", { pfx, passphrase: "another" })).rejects.toThrow();
});

it("is asked for: a connection without one gets the page of the host's web server, and nothing comes of the call", async () => {
  const reply = await refund("NONE", {});
  expect([reply.status, reply.text]).toEqual([400, expect.stringContaining("No required SSL certificate was sent")]);
});

it("of nobody whom the platform knows is refused by the web server, too", async () => {
  const key = makeKey();
  const cert = certifyServer(key, authority.key, ["localhost"], Date.now());
  const reply = await refund("FOREIGN", { key: key.export({ type: "pkcs8", format: "pem" }), cert });
  expect([reply.status, reply.text]).toEqual([400, expect.stringContaining("The SSL certificate error")]);
});

it("of another merchant is told apart", async () => {
  const pfx = await merchantFile(other.mchId);
  const { fields } = await refund("ANOTHERS", { pfx, passphrase: other.mchId });
  expect(fields).toEqual({ return_code: "FAIL", return_msg: "certificate not match" });
});

it("cannot be claimed by a header", async () => {
  const { merchant_certificate: pem } = (await provider.call("/sim/credentials")) as { merchant_certificate: string };
  const claimed = pem.replace(/-----[^-]+-----|\s/g, "");
  const headers = { "x-hearth-passed-on": `${"x".repeat(43)} 127.0.0.1 https ${claimed}` };
  const reply = await merchant.call("/secapi/pay/refund", { out_trade_no: "PAID_ORDER" }, { headers });
  expect(reply.status).toBe(400);
});

it("is what the refused calls of an order are recorded for", async () => {
  const { calls } = await orderDetails(provider, "PAID_ORDER");
  const refused = calls.map(({ outcome }) => outcome).filter((outcome) => outcome !== "SUCCESS");
  expect(new Set(refused)).toEqual(new Set(["NO_CERTIFICATE", "FOREIGN_CERTIFICATE", "CERTIFICATE_NOT_MATCH"]));
});

it.runIf(hasOpenssl)("and its key are read from the merchant's file by openssl", async () => {
  using folder = temporaryFolder();
  const file = join(folder.path, "apiclient_cert.p12");
  writeFileSync(file, await merchantFile());
  const { merchant_certificate: pem } = (await provider.call("/sim/credentials")) as { merchant_certificate: string };
  const read = openssl(["pkcs12", "-in", file, "-passin", `pass:${mchId}`, "-nodes"]);
  expect(read).toContain(pem.trim());
  expect(read).toContain("PRIVATE KEY");
});

it("no merchant that does not exist has one", async () => {
  expect((await fetch(`${provider.url}/sim/merchant-certificate.p12?mch_id=1999999999`)).status).toBe(404);
});
