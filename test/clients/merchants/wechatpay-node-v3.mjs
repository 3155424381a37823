/** npm `wechatpay-node-v3`, which sends by superagent. */
import { readFileSync } from "node:fs";
import express from "express";
import WxPay from "wechatpay-node-v3";
import { receive, signedParts, tell } from "./receive.mjs";

const { APP_ID, MCH_ID, MERCHANT_CERTIFICATE, MERCHANT_KEY, API_V3_KEY, OUT_TRADE_NO: out_trade_no } = process.env;
const out_refund_no = `R-${out_trade_no}`;
const pay = new WxPay({
  ...{ appid: APP_ID, mchid: MCH_ID, key: API_V3_KEY },
  ...{ publicKey: readFileSync(MERCHANT_CERTIFICATE), privateKey: readFileSync(MERCHANT_KEY) },
});

const { notifyUrl, notified } = await receive((app, told) =>
  app.post("/", express.text({ type: "*/*" }), async (req, res) => {
    if (!(await pay.verifySign({ ...signedParts(req), apiSecret: API_V3_KEY }))) return void res.status(401).end();
    const { ciphertext, associated_data, nonce } = JSON.parse(req.body).resource;
    told(pay.decipher_gcm(ciphertext, associated_data, nonce, API_V3_KEY).transaction_id);
    res.status(204).end();
  }),
);
const read = ({ status, data, error }) => {
  if (status !== 200) throw new Error(`${status} ${error}`);
  return data;
};
const amount = { total: 101 };
read(await pay.transactions_native({ out_trade_no, description: "Tea", amount, notify_url: notifyUrl }));
const transactionId = await notified;
const { trade_state, success_time } = read(await pay.query({ out_trade_no }));
const { download_url } = read(await pay.tradebill({ bill_date: success_time.slice(0, 10), bill_type: "ALL" }));
read(await pay.downloadBill(download_url)); // signs the whole address unless it begins with the platform's own
read(await pay.refunds({ out_trade_no, out_refund_no, amount: { total: 101, refund: 41, currency: "CNY" } }));
const { status } = read(await pay.find_refunds(out_refund_no));
tell({ notified: transactionId, state: trade_state, refund: status });
