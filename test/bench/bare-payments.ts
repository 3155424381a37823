/**
 * The HTTP calls of a payment without logic and storage: two Express 5 applications in one process, as Hearth's two are,
 * that read each body and answer with what Hearth answered. `node bare-payments.ts MESSAGES PROOFS [FOLDER]` also signs and checks
 * each message as version 2 or 3 does, or not at all (`none`). With a FOLDER, each half also stores a row there before it
 * goes on, on the disk, wherever Hearth does. It prints its two addresses.
 */
import { readFileSync } from "node:fs";
import { Agent, request } from "node:http";
import { createRequire } from "node:module";
import { join } from "node:path";
import type { AddressInfo } from "node:net";
import type express from "express";
import { openBareWrites, type WriteText } from "./bare-writes.ts";
import { proofsOf, type Prove } from "./payment-proofs.ts";

/** A call of the merchant's server to the platform. */
export interface PlatformCall {
  readonly method: string;
  readonly target: string;
  readonly body: string;
  readonly reply: string;
}

/** Bodies as they were seen between Hearth's two halves. */
export interface Messages {
  /** What the client gets for an order, and for a payment. */
  readonly placed: string;
  readonly paid: string;
  readonly place: PlatformCall;
  readonly query: PlatformCall;
  readonly notification: string;
  readonly acknowledgement: string;
}

const [file = "", proofs = "none", folder] = process.argv.slice(2);
const writesOf = (half: string): WriteText =>
  folder === undefined ? async () => undefined : openBareWrites(join(folder, `bare-${half}.db`));
const [writeInShop, writeAtProvider] = [writesOf("shop"), writesOf("provider")];
const bare = createRequire(import.meta.url)("express") as typeof express;
const { placed, paid, place, query, notification, acknowledgement } = JSON.parse(
  readFileSync(file, "utf8"),
) as Messages;
const { merchant, platform, seal, open } = proofsOf(proofs);
const agent = new Agent({ keepAlive: true, scheduling: "lifo" });
const proofHeader = "bench-proof";
let settled = 0;

/** Sends a body with its proof. Resolves with the reply, whose proof is checked if the receiver gives one. */
function send(url: string, method: string, body: string, from: Prove, to: Prove): Promise<void> {
  return new Promise((resolve, reject) => {
    const headers = {
      "Content-Type": "text/plain; charset=utf-8",
      "Content-Length": Buffer.byteLength(body),
      [proofHeader]: from.sign(body),
    };
    const call = request(url, { method, agent, headers });
    call.on("error", reject);
    call.on("response", (response) => {
      let reply = "";
      response.setEncoding("utf8").on("data", (part: string) => (reply += part));
      response.on("error", reject).on("end", () => {
        const proof = response.headers[proofHeader];
        if (proof !== undefined) to.check(reply, String(proof));
        resolve();
      });
    });
    call.end(body);
  });
}

const text = bare.text({ type: () => true, limit: "64kb" });
const [shop, provider] = [bare(), bare()];
const listening = (app: express.Express) =>
  new Promise<string>((resolve) => {
    const server = app.listen(0, "127.0.0.1", () =>
      resolve(`http://127.0.0.1:${String((server.address() as AddressInfo).port)}`),
    );
    server.keepAliveTimeout = 120_000; // the others' turns must not cost it its connections
  });
const [shopUrl, providerUrl] = [await listening(shop), await listening(provider)];
const bodyOf = ({ body }: express.Request) => (typeof body === "string" ? body : "");
const ask = ({ method, target, body }: PlatformCall) =>
  send(`${providerUrl}${target}`, method, body, merchant, platform);

shop.post("/api/orders", text, async (_req, res) => {
  await writeInShop(placed);
  await ask(place);
  await writeInShop(placed);
  merchant.sign(placed); // of the parameters with which a client opens the payment
  res.status(201).type("json").send(placed);
});
shop.post("/api/payments/notifications", text, async (req, res) => {
  platform.check(bodyOf(req), req.get(proofHeader) ?? "");
  open(sealed);
  await ask(query);
  await writeInShop(notification);
  settled++;
  res.send(acknowledgement);
});
shop.get("/settled", (_req, res) => void res.json(settled));

const sealed = seal(notification);
function answer(path: string, reply: string, changes: boolean): void {
  provider.all(path, text, async (req, res) => {
    merchant.check(bodyOf(req), req.get(proofHeader) ?? "");
    if (changes) await writeAtProvider(reply);
    res.set(proofHeader, platform.sign(reply)).send(reply);
  });
}
for (const call of [place, query]) answer(call.target.replace(/\?.*/, ""), call.reply, call === place);
provider.post("/sim/orders/:number/pay", text, async (_req, res) => {
  await writeAtProvider(paid);
  res.type("json").send(paid);
  seal(notification);
  void send(`${shopUrl}/api/payments/notifications`, "POST", notification, platform, merchant);
});
console.log(JSON.stringify({ app: shopUrl, provider: providerUrl }));
