/** npm `wechatpay-axios-plugin`, by version 2. */
import { readFileSync } from "node:fs";
import express from "express";
import kit from "wechatpay-axios-plugin";
import { receive, tell } from "./receive.mjs";

const { APP_ID, MCH_ID, API_V2_KEY, MERCHANT_SERIAL, PLATFORM_SERIAL, OUT_TRADE_NO: out_trade_no } = process.env;
const out_refund_no = `R-${out_trade_no}`;
const [key, cert] = [process.env.MERCHANT_KEY, process.env.MERCHANT_CERTIFICATE].map((file) => readFileSync(file));
const client = new kit.Wechatpay({
  ...{ mchid: MCH_ID, serial: MERCHANT_SERIAL, secret: API_V2_KEY },
  ...{ privateKey: key, merchant: { cert, key } },
  certs: { [PLATFORM_SERIAL]: readFileSync(process.env.PLATFORM_CERTIFICATE) },
});
const { pay, secapi } = client.v2;
const common = { appid: APP_ID, mch_id: MCH_ID };

const { notifyUrl, notified } = await receive((app, told) =>
  app.post("/", express.text({ type: "*/*" }), (req, res) => {
    const notification = kit.Transformer.toObject(req.body);
    const isGenuine = kit.Hash.equals(kit.Hash.sign("MD5", notification, API_V2_KEY), notification.sign);
    if (isGenuine) told(notification.transaction_id);
    res.type("xml").send(kit.Transformer.toXml({ return_code: isGenuine ? "SUCCESS" : "FAIL" }));
  }),
);
await pay.unifiedorder.post({
  ...{ ...common, out_trade_no, body: "Tea & <two>", total_fee: "101", notify_url: notifyUrl },
  ...{ trade_type: "APP", spbill_create_ip: "127.0.0.1" },
});
const transactionId = await notified;
const { data: queried } = await pay.orderquery.post({ ...common, out_trade_no });
await secapi.pay.refund.post(
  { ...common, out_trade_no, out_refund_no, total_fee: "101", refund_fee: "41" },
  { security: true },
);
const { data: refund } = await pay.refundquery.post({ ...common, out_refund_no });
tell({ notified: transactionId, state: queried.trade_state, refund: refund.refund_status_0 });
