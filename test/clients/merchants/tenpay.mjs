/** npm `tenpay`, version 2. */
import { readFileSync } from "node:fs";
import express from "express";
import Payment from "tenpay";
import { receive, tell } from "./receive.mjs";

const { APP_ID, MCH_ID, API_V2_KEY, OUT_TRADE_NO: out_trade_no } = process.env;
const out_refund_no = `R-${out_trade_no}`;
const pfx = readFileSync(process.env.MERCHANT_P12);
const payment = new Payment({ appid: APP_ID, mchid: MCH_ID, partnerKey: API_V2_KEY, pfx });

const { notifyUrl, notified } = await receive((app, told) =>
  app.post("/", express.text({ type: "*/*" }), payment.middlewareForExpress("pay"), (req, res) => {
    told(req.weixin.transaction_id);
    res.reply("");
  }),
);
await payment.unifiedOrder({
  ...{ out_trade_no, body: "Tea & <two>", total_fee: 101, notify_url: notifyUrl },
  ...{ trade_type: "NATIVE", product_id: "tea", sign_type: "HMAC-SHA256" },
});
const transactionId = await notified;
const { trade_state } = await payment.orderQuery({ out_trade_no });
await payment.refund({ out_trade_no, out_refund_no, total_fee: 101, refund_fee: 41 });
const { refund_status_0 } = await payment.refundQuery({ out_refund_no });
tell({ notified: transactionId, state: trade_state, refund: refund_status_0 });
