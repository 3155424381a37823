/** A merchant's backend: places orders, takes notifications, and settles each order once. */
import express from "express";
import { createProvider } from "./provider.js";

const [ownUrl, providerUrl] = process.argv.slice(2);
const provider = await createProvider(providerUrl);
/** By number: amount in fen, status OPEN or PAID, and the payment that settled it. */
const orders = new Map();
/** Notifications of one order are taken one after another: two at once must not settle it twice. */
const queues = new Map();

const app = express();

app.post("/orders", express.json(), async (req, res) => {
  const number = `TEA${Date.now()}${orders.size}`;
  const order = { number, amount: req.body.amount, status: "OPEN" };
  orders.set(number, order);
  const code_url = await provider.place(order, `${ownUrl}/pay/notify`);
  res.status(201).json({ ...order, code_url });
});

app.get("/orders/:number", (req, res) => {
  const order = orders.get(req.params.number);
  if (order) res.json(order);
  else res.status(404).end();
});

app.post("/pay/notify", express.text({ type: () => true, limit: "64kb" }), async (req, res) => {
  const payment = provider.open(req.headers, req.body);
  const before = queues.get(payment.out_trade_no) ?? Promise.resolve();
  const settled = before.catch(() => undefined).then(() => settle(payment));
  queues.set(payment.out_trade_no, settled);
  await settled;
  res.status(204).end();
});

/** The notification only says that something happened; what happened is asked. @throws Error where nothing may be settled */
async function settle({ out_trade_no, transaction_id, amount }) {
  const order = orders.get(out_trade_no);
  if (!order) throw new Error("no such order");
  if (order.status === "PAID" && order.payment === transaction_id) return;
  const found = await provider.query(out_trade_no);
  if (["REFUND", "CLOSED", "REVOKED", "PAYERROR"].includes(found.trade_state)) return;
  if (found.trade_state !== "SUCCESS") throw new Error("not paid");
  for (const { total, currency } of [amount, found.amount])
    if (total !== order.amount || currency !== "CNY") throw new Error("another amount");
  if (found.transaction_id !== transaction_id || order.status === "PAID") throw new Error("another payment");
  order.status = "PAID";
  order.payment = transaction_id;
}

// Any refusal: the provider sends the notification again later.
app.use((error, req, res, next) => {
  if (res.headersSent) return next(error);
  res.status(500).json({ code: "FAIL", message: error.message });
});

app.listen(Number(new URL(ownUrl).port), "127.0.0.1", () => console.log(`listening at ${ownUrl}`));
