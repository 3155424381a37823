/**
 * The HTTP calls of a payment without logic and storage: two Express 5 applications in one process, as Hearth's two are,
 * that read each body and answer with what Hearth answered. `node bare-payments.ts MESSAGES`; it prints its two addresses.
 */
import { readFileSync } from "node:fs";
import { Agent, request } from "node:http";
import { createRequire } from "node:module";
import type { AddressInfo } from "node:net";
import type express from "express";

/** Bodies as they were seen between Hearth's two halves. */
export interface Messages {
  /** What the client gets for an order, and for a payment. */
  readonly placed: string;
  readonly paid: string;
  readonly placeCall: string;
  readonly placeReply: string;
  readonly queryCall: string;
  readonly queryReply: string;
  readonly notification: string;
  readonly acknowledgement: string;
}

const bare = createRequire(import.meta.url)("express") as typeof express;
const messages = JSON.parse(readFileSync(process.argv[2] ?? "", "utf8")) as Messages;
const agent = new Agent({ keepAlive: true, scheduling: "lifo" });
let settled = 0;

function post(url: string, body: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const headers = { "Content-Type": "text/xml; charset=utf-8", "Content-Length": Buffer.byteLength(body) };
    const call = request(url, { method: "POST", agent, headers });
    call.on("error", reject);
    call.on("response", (response) => response.on("end", resolve).on("error", reject).resume());
    call.end(body);
  });
}

const text = bare.text({ type: () => true, limit: "64kb" });
const [merchant, platform] = [bare(), bare()];
const listening = (app: express.Express) =>
  new Promise<string>((resolve) => {
    const server = app.listen(0, "127.0.0.1", () =>
      resolve(`http://127.0.0.1:${String((server.address() as AddressInfo).port)}`),
    );
    server.keepAliveTimeout = 120_000; // the others' turns must not cost it its connections
  });
const [merchantUrl, platformUrl] = [await listening(merchant), await listening(platform)];

merchant.post("/api/orders", text, async (_req, res) => {
  await post(`${platformUrl}/pay/unifiedorder`, messages.placeCall);
  res.status(201).type("json").send(messages.placed);
});
merchant.post("/api/payments/notifications", text, async (_req, res) => {
  await post(`${platformUrl}/pay/orderquery`, messages.queryCall);
  settled++;
  res.type("xml").send(messages.acknowledgement);
});
merchant.get("/settled", (_req, res) => void res.json(settled));
platform.post("/pay/unifiedorder", text, (_req, res) => void res.type("xml").send(messages.placeReply));
platform.post("/pay/orderquery", text, (_req, res) => void res.type("xml").send(messages.queryReply));
platform.post("/sim/orders/:number/pay", text, (_req, res) => {
  res.type("json").send(messages.paid);
  void post(`${merchantUrl}/api/payments/notifications`, messages.notification);
});
console.log(JSON.stringify({ app: merchantUrl, provider: platformUrl }));
