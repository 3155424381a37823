/**
 * A merchant's backend by version 3 of WeChat Pay: Express, and nothing else. It places, settles, refunds, closes and
 * reconciles orders. Its orders are in memory; yours belong in a database.
 */
import { randomBytes } from "node:crypto";
import express from "express";
import { call, fen, keys, open, readBill, Refusal } from "./wechat-pay.mjs";

const port = Number(process.env.PORT);
const address = `http://127.0.0.1:${port}`;
/** By number: amounts in fen, status UNPAID, PAID, CLOSED or REFUNDED. */
const orders = new Map();
/** Orders that the platform may have taken, although no reply came. No buyer knows them, so the next one may have them. */
const unanswered = [];
const askEveryMs = 2_000;

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

app.listen(port, "127.0.0.1", () => process.stdout.write("listening\n"));
process.once("SIGTERM", () => process.exit(0));
