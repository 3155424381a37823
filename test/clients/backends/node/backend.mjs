/**
 * A merchant's backend by version 3 of WeChat Pay: Express, and nothing else. It places, settles, refunds, closes and
 * reconciles orders. Its orders are in memory; yours belong in a database.
 */
import { createDecipheriv, createHash, createSign, createVerify, randomBytes } from "node:crypto";
import { gunzipSync } from "node:zlib";
import express from "express";

const { PORT: port, HEARTH_PROVIDER_URL: platform } = process.env;
const address = `http://127.0.0.1:${port}`;
/** With the real platform these are your own merchant's keys. */
const keys = await (await fetch(`${platform}/sim/credentials`)).json();
/** By serial. While a merchant switches to the platform's public key, either may sign. */
const platformKeys = new Map([
  [keys.platform_serial, keys.platform_certificate],
  [keys.platform_public_key_id, keys.platform_public_key],
]);
/** By number: amounts in fen, status UNPAID, PAID, CLOSED or REFUNDED. */
const orders = new Map();
/** Orders that the platform may have taken, although no reply came. No buyer knows them, so the next one may have them. */
const unanswered = [];
const callTimeoutMs = 3_000;
const maxAgeSeconds = 300;
const askEveryMs = 2_000;

class Refusal extends Error {
  constructor(status, message, code) {
    super(message);
    Object.assign(this, { status, code });
  }
}

// The platform's API

function authorization(method, target, body) {
  const [timestamp, nonce] = [Math.floor(Date.now() / 1000), randomBytes(16).toString("hex")];
  const signature = createSign("RSA-SHA256")
    .update(`${method}\n${target}\n${timestamp}\n${nonce}\n${body}\n`)
    .sign(keys.merchant_private_key, "base64");
  return `WECHATPAY2-SHA256-RSA2048 mchid="${keys.mch_id}",nonce_str="${nonce}",timestamp="${timestamp}",serial_no="${keys.merchant_serial}",signature="${signature}"`;
}

/** Whether the platform signed the body a short time ago. */
function isGenuine(header, body) {
  const key = platformKeys.get(header("wechatpay-serial"));
  const timestamp = header("wechatpay-timestamp");
  if (!key || !(Math.abs(Date.now() / 1000 - Number(timestamp)) <= maxAgeSeconds)) return false;
  return createVerify("RSA-SHA256")
    .update(`${timestamp}\n${header("wechatpay-nonce")}\n${body}\n`)
    .verify(key, header("wechatpay-signature") ?? "", "base64");
}

async function send(method, target, content) {
  const body = content ? JSON.stringify(content) : "";
  const headers = { Authorization: authorization(method, target, body), "Content-Type": "application/json" };
  const signal = AbortSignal.timeout(callTimeoutMs);
  const response = await fetch(platform + target, { method, headers, signal, ...(body && { body }) });
  return { response, bytes: Buffer.from(await response.arrayBuffer()) };
}

/** @throws Refusal with the platform's code, or without one where nobody knows what the platform did */
async function call(method, target, content) {
  const { response, bytes } = await send(method, target, content).catch(() => {
    throw new Refusal(502, "the platform did not answer");
  });
  const text = bytes.toString();
  if (!isGenuine((name) => response.headers.get(name), text)) throw new Refusal(502, "a reply without a signature");
  const reply = text ? JSON.parse(text) : {};
  if (!response.ok) throw new Refusal(502, `the platform refused: ${reply.code}`, reply.code);
  return reply;
}

const orderPath = (number) => `/v3/pay/transactions/out-trade-no/${number}`;

// Payments

/** Also renews what the buyer needs to pay: the platform takes the same order again. */
async function placeAtPlatform(order) {
  const reply = await call("POST", "/v3/pay/transactions/native", {
    appid: keys.app_id,
    mchid: keys.mch_id,
    description: "Tea",
    out_trade_no: order.number,
    notify_url: `${address}/pay/notify`,
    amount: { total: order.amount, currency: "CNY" },
  });
  return reply.code_url;
}

/** A wrong amount is for people to look at: nothing settles the order any more. @throws Refusal */
function compare(order, { appid, mchid, out_trade_no, amount }) {
  if (mchid !== keys.mch_id || appid !== keys.app_id || out_trade_no !== order.number)
    throw new Refusal(403, "somebody else's payment");
  if (amount?.total === order.amount && amount.currency === "CNY") return;
  order.isDoubtful = true;
  throw new Refusal(409, "another amount");
}

/** Asks the platform, and settles a paid order once. @throws Refusal if the state is unknown */
async function settle(order, transaction) {
  const found = await call("GET", `${orderPath(order.number)}?mchid=${keys.mch_id}`);
  if (["CLOSED", "REVOKED"].includes(found.trade_state) && order.status === "UNPAID") order.status = "CLOSED";
  if (found.trade_state === "REFUND" && order.status === "UNPAID") order.status = "REFUNDED";
  if (found.trade_state !== "SUCCESS") return found.trade_state;
  compare(order, found);
  if (transaction !== undefined && transaction !== found.transaction_id) throw new Refusal(409, "another payment");
  if (order.isDoubtful) throw new Refusal(409, "a person has to look at this order");
  // Another copy may have settled it in the meantime.
  if (order.status === "PAID") return found.trade_state;
  Object.assign(order, { status: "PAID", transaction: found.transaction_id, paidAt: found.success_time });
  order.settlements++;
  return found.trade_state;
}

// Refunds

const sumOf = (refunds) => refunds.reduce((sum, { amount }) => sum + amount, 0);
/** Fen that are back. */
const returned = ({ refunds }) => sumOf(refunds.filter(({ status }) => status === "SUCCESS"));
/** Fen that are back, or may come back. */
const returning = ({ refunds }) => sumOf(refunds.filter(({ status }) => status !== "CLOSED"));

/** One number for each refund: a repeat after an error has the same. */
function refundOf(order, amount) {
  const before = order.refunds.find((one) => !one.isAnswered && one.amount === amount && one.status !== "CLOSED");
  if (before) return before;
  if (returning(order) + amount > order.amount) throw new Refusal(409, "more than the order");
  const refund = { number: `${order.number}-${order.refunds.length + 1}`, amount, status: "REQUESTED" };
  order.refunds.push(refund);
  return refund;
}

function refundAtPlatform(order, refund) {
  return call("POST", "/v3/refund/domestic/refunds", {
    out_trade_no: order.number,
    out_refund_no: refund.number,
    notify_url: `${address}/pay/refund-notify`,
    amount: { refund: refund.amount, total: order.amount, currency: "CNY" },
  });
}

const askRefund = ({ number }) => call("GET", `/v3/refund/domestic/refunds/${number}`);
/** A late reply must not replace the end of a refund. */
function note(refund, { status, create_time }) {
  if (status === "PROCESSING" && refund.status !== "REQUESTED") return;
  Object.assign(refund, { status, createdAt: create_time });
}

// The bill

/** @returns the lines of a day's bill, by the names of their columns */
async function readBill(date) {
  const target = `/v3/bill/tradebill?bill_date=${date}&bill_type=ALL&tar_type=GZIP`;
  const bill = await call("GET", target).catch((error) => {
    if (error.code === "NO_STATEMENT_EXIST") return undefined;
    throw error;
  });
  if (!bill) return [];
  const { pathname, search } = new URL(bill.download_url);
  const text = gunzipSync((await send("GET", pathname + search)).bytes).toString();
  if (createHash("sha1").update(text).digest("hex") !== bill.hash_value) throw new Refusal(502, "a damaged bill");
  const [head = "", ...lines] = text.replace(/^\uFEFF/, "").split("\r\n");
  const names = head.split(",");
  const cells = (line) => line.slice(1).split(",`");
  // The last two lines are the sums.
  return lines
    .slice(
      0,
      lines.findIndex((line) => !line.startsWith("`")),
    )
    .map((line) => Object.fromEntries(cells(line).map((cell, at) => [names[at], cell])));
}

const fen = (yuan) => Math.round(Number(yuan) * 100);

async function reconcile(date) {
  const differences = [];
  const seen = new Set();
  for (const line of await readBill(date)) {
    const [number, isRefund] = [line["商户订单号"], line["交易状态"] !== "SUCCESS"];
    const order = orders.get(number);
    const refund = order?.refunds.find((one) => one.number === line["商户退款单号"]);
    const isSame = isRefund
      ? refund?.amount === fen(line["申请退款金额"])
      : order?.status === "PAID" && order.amount === fen(line["订单金额"]) && order.transaction === line["微信订单号"];
    seen.add(isRefund ? refund?.number : number);
    if (!isSame) differences.push({ number, why: "the bill differs" });
  }
  for (const { number, paidAt, refunds } of orders.values()) {
    if (paidAt?.startsWith(date) && !seen.has(number)) differences.push({ number, why: "not in the bill" });
    for (const refund of refunds)
      if (refund.createdAt?.startsWith(date) && refund.status !== "CLOSED" && !seen.has(refund.number))
        differences.push({ number: refund.number, why: "not in the bill" });
  }
  return differences;
}

// Notifications

/** @returns what the platform says. @throws Refusal */
function open(req) {
  if (!isGenuine((name) => req.get(name), req.body)) throw new Refusal(401, "not the platform's");
  const { ciphertext, nonce, associated_data } = JSON.parse(req.body).resource;
  const sealed = Buffer.from(ciphertext, "base64");
  const decipher = createDecipheriv("aes-256-gcm", keys.api_v3_key, nonce, { authTagLength: 16 });
  decipher.setAAD(Buffer.from(associated_data)).setAuthTag(sealed.subarray(-16));
  return JSON.parse(decipher.update(sealed.subarray(0, -16), undefined, "utf8") + decipher.final("utf8"));
}

/** @throws Refusal 404 */
function orderOf(number) {
  const order = orders.get(number);
  if (!order) throw new Refusal(404, "no such order");
  return order;
}

const shown = (order) => {
  const { number, amount, status, settlements } = order;
  return { number, amount, status, settlements, refunded: returned(order) };
};

const app = express();
const notification = express.text({ type: () => true, limit: "64kb" });

app.post("/pay/notify", notification, async (req, res) => {
  const said = open(req);
  const order = orderOf(said.out_trade_no);
  compare(order, said);
  if (order.status !== "PAID") {
    const state = await settle(order, said.transaction_id);
    if (state === "NOTPAY" || state === "USERPAYING") throw new Refusal(503, "not paid yet");
  } else if (order.transaction !== said.transaction_id) throw new Refusal(409, "another payment");
  res.status(204).end();
});

app.post("/pay/refund-notify", notification, async (req, res) => {
  const said = open(req);
  const refund = orderOf(said.out_trade_no).refunds.find(({ number }) => number === said.out_refund_no);
  if (!refund || said.mchid !== keys.mch_id || said.amount.refund !== refund.amount)
    throw new Refusal(404, "no such refund");
  note(refund, await askRefund(refund));
  res.status(204).end();
});

// The shop

app.use(express.json());

app.post("/orders", async (req, res) => {
  const { amount } = req.body;
  if (!Number.isInteger(amount) || amount < 1) throw new Refusal(400, "amount: fen, a whole number");
  const before = unanswered.findIndex((one) => one.amount === amount);
  const [order = { number: `SHOP${randomBytes(10).toString("hex")}`, amount, status: "UNPAID" }] =
    before < 0 ? [] : unanswered.splice(before, 1);
  const code_url = await placeAtPlatform(order).catch((error) => {
    unanswered.push(order);
    throw error;
  });
  Object.assign(order, { settlements: 0, refunds: [], placedAt: Date.now() });
  orders.set(order.number, order);
  res.status(201).json({ ...shown(order), code_url });
});

app.get("/orders/:number", (req, res) => res.json(shown(orderOf(req.params.number))));

app.post("/orders/:number/pay", async (req, res) => {
  const order = orderOf(req.params.number);
  if (order.status !== "UNPAID") throw new Refusal(409, `the order is ${order.status}`);
  res.json({ ...shown(order), code_url: await placeAtPlatform(order) });
});

app.post("/orders/:number/close", async (req, res) => {
  const order = orderOf(req.params.number);
  if (order.status !== "UNPAID") throw new Refusal(409, `the order is ${order.status}`);
  try {
    await call("POST", `${orderPath(order.number)}/close`, { mchid: keys.mch_id });
    order.status = "CLOSED";
  } catch (error) {
    if (error.code !== "ORDERPAID") throw error;
    await settle(order);
  }
  res.json(shown(order));
});

app.post("/orders/:number/refunds", async (req, res) => {
  const order = orderOf(req.params.number);
  const { amount } = req.body;
  if (order.status !== "PAID") throw new Refusal(409, `the order is ${order.status}`);
  if (!Number.isInteger(amount) || amount < 1) throw new Refusal(400, "amount: fen, a whole number");
  const refund = refundOf(order, amount);
  note(refund, await refundAtPlatform(order, refund));
  refund.isAnswered = true;
  res.status(201).json({ number: refund.number, amount, status: refund.status });
});

app.post("/reconcile", async (req, res) => res.json({ differences: await reconcile(req.body.date) }));

app.use((error, req, res, next) => {
  if (res.headersSent) return next(error);
  res.status(error.status ?? 500).json({ code: "FAIL", message: error.status ? error.message : "cannot read it" });
});

// What no notification told

function ask() {
  for (const order of orders.values()) {
    // Most notifications come at once.
    if (order.status === "UNPAID" && !order.isDoubtful && Date.now() - order.placedAt > askEveryMs)
      void settle(order).catch(() => {});
    for (const refund of order.refunds.filter(({ status }) => status === "REQUESTED" || status === "PROCESSING"))
      void askRefund(refund).then(
        (found) => note(refund, found),
        () => {},
      );
  }
}
setInterval(ask, askEveryMs / 2);

app.listen(Number(port), "127.0.0.1", () => process.stdout.write("listening\n"));
process.once("SIGTERM", () => process.exit(0));
