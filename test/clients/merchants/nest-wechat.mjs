/** npm `nest-wechat`, version 3, and the login. */
import { readFileSync } from "node:fs";
import express from "express";
import nestWechat from "nest-wechat";
import { receive, tell } from "./receive.mjs";

const { APP_ID, APP_SECRET, MCH_ID, API_V3_KEY, MERCHANT_SERIAL, OUT_TRADE_NO: out_trade_no, LOGIN_CODE } = process.env;
const privateKey = readFileSync(process.env.MERCHANT_KEY, "utf8");
const signer = [MCH_ID, MERCHANT_SERIAL, privateKey];
const out_refund_no = `R-${out_trade_no}`;
const { mp, pay } = new nestWechat.WeChatService({ appId: APP_ID, secret: APP_SECRET });
const certificates = await pay.getPlatformCertificates(...signer, API_V3_KEY);

const { notifyUrl, notified } = await receive((app, told) =>
  app.post("/", express.json(), async (req, res) => {
    const { transaction_id } = await pay.paidCallback(certificates, API_V3_KEY, req, res);
    if (transaction_id !== undefined) told(transaction_id);
  }),
);
const session = await mp.code2Session(LOGIN_CODE);
const order = {
  ...{ appid: APP_ID, mchid: MCH_ID, out_trade_no, description: "Tea", notify_url: notifyUrl },
  ...{ amount: { total: 101 }, payer: { openid: session.openid } },
};
await pay.jsapi(order, MERCHANT_SERIAL, privateKey);
const transactionId = await notified;
const { data: queried } = await pay.getTransactionByOutTradeNo(out_trade_no, ...signer);
const amount = { total: 101, refund: 41, currency: "CNY" };
await pay.refund({ out_trade_no, out_refund_no, amount }, ...signer);
const { data: refund } = await pay.getRefund(out_refund_no, ...signer);
tell({ notified: transactionId, state: queried.trade_state, refund: refund.status });
