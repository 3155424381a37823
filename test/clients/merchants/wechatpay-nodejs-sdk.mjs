/** npm `wechatpay-nodejs-sdk`, version 3. It has no calls of its own for refunds. */
import { readFileSync } from "node:fs";
import express from "express";
import WechatPay from "wechatpay-nodejs-sdk";
import { receive, signedParts, tell } from "./receive.mjs";

const { APP_ID, MCH_ID, MERCHANT_CERTIFICATE, MERCHANT_KEY, API_V3_KEY, OUT_TRADE_NO: out_trade_no } = process.env;
const out_refund_no = `R-${out_trade_no}`;
const pay = new WechatPay({
  ...{ appid: APP_ID, mchid: MCH_ID, secretKey: API_V3_KEY },
  ...{ publicKey: readFileSync(MERCHANT_CERTIFICATE), privateKey: readFileSync(MERCHANT_KEY) },
});

const { notifyUrl, notified } = await receive((app, told) =>
  app.post("/", express.json(), async (req, res) => {
    if (!(await pay.verifySign(signedParts(req)))) return void res.status(401).end();
    told(JSON.parse(pay.decrypt(req.body.resource)).transaction_id);
    res.status(204).end();
  }),
);
await pay.transactions_native({ out_trade_no, description: "Tea", amount: { total: 101 }, notify_url: notifyUrl });
const transactionId = await notified;
const { trade_state } = await pay.query({ out_trade_no });
const refunds = "/v3/refund/domestic/refunds";
const amount = { total: 101, refund: 41, currency: "CNY" };
await pay.request("POST", refunds, { out_trade_no, out_refund_no, amount });
const { status } = await pay.request("GET", `${refunds}/${out_refund_no}`);
tell({ notified: transactionId, state: trade_state, refund: status });
