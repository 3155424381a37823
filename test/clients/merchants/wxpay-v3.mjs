/** npm `wxpay-v3`. */
import { readFileSync } from "node:fs";
import express from "express";
import Payment from "wxpay-v3";
import { receive, signedParts, tell } from "./receive.mjs";

const { APP_ID, MCH_ID, MERCHANT_SERIAL, MERCHANT_KEY, API_V3_KEY, OUT_TRADE_NO: out_trade_no } = process.env;
const out_refund_no = `R-${out_trade_no}`;
const payment = new Payment({
  ...{ appid: APP_ID, mchid: MCH_ID, serial_no: MERCHANT_SERIAL, apiv3_private_key: API_V3_KEY },
  private_key: readFileSync(MERCHANT_KEY, "utf8"),
});
await payment.decodeCertificates();

const { notifyUrl, notified } = await receive((app, told) =>
  app.post("/", express.text({ type: "*/*" }), async (req, res) => {
    if (!(await payment.verifySign(signedParts(req)))) return void res.status(401).end();
    told(payment.decodeResource(JSON.parse(req.body).resource).transaction_id);
    res.status(204).end();
  }),
);
const read = ({ status, data }) => {
  if (status !== 200) throw new Error(`${status} ${data}`);
  return JSON.parse(data);
};
read(await payment.native({ out_trade_no, description: "Tea", amount: { total: 101 }, notify_url: notifyUrl }));
const transactionId = await notified;
const { trade_state } = read(await payment.getTransactionsByOutTradeNo({ out_trade_no }));
const amount = { total: 101, refund: 41, currency: "CNY" };
read(await payment.refund({ out_trade_no, out_refund_no, amount }));
const { status } = read(await payment.getRefund({ out_refund_no }));
tell({ notified: transactionId, state: trade_state, refund: status });
