/** npm `alipay-sdk` of either version, at the host that it has built in. */
import express from "express";
import { receive, tell } from "./receive.mjs";

const { ALIPAY_SDK, ALIPAY_APP_ID, ALIPAY_PRIVATE_KEY, ALIPAY_PUBLIC_KEY, OUT_TRADE_NO: out_trade_no } = process.env;
const { ALIPAY_APP_CERT, ALIPAY_CERT, ALIPAY_ROOT_CERT } = process.env;
const { AlipaySdk } = await import(ALIPAY_SDK);
const trusted =
  process.env.ALIPAY_MODE === "certificate"
    ? { appCertPath: ALIPAY_APP_CERT, alipayPublicCertPath: ALIPAY_CERT, alipayRootCertPath: ALIPAY_ROOT_CERT }
    : { alipayPublicKey: ALIPAY_PUBLIC_KEY };
const sdk = new AlipaySdk({ appId: ALIPAY_APP_ID, privateKey: ALIPAY_PRIVATE_KEY, keyType: "PKCS8", ...trusted });
const call = (method, bizContent, more = {}) => sdk.exec(method, { bizContent, ...more }, { validateSign: true });

const { notifyUrl, notified } = await receive((app, told) =>
  app.post("/", express.urlencoded({ extended: false }), (req, res) => {
    if (!sdk.checkNotifySignV2({ ...req.body })) return void res.send("failure");
    told(req.body.trade_no);
    res.send("success");
  }),
);
const order = { out_trade_no, total_amount: "1.01", subject: "Tea" };
await call("alipay.trade.precreate", order, { notify_url: notifyUrl });
const tradeNo = await notified;
const { tradeStatus } = await call("alipay.trade.query", { out_trade_no });
const refund = { out_trade_no, out_request_no: "1", refund_amount: "0.41" };
await call("alipay.trade.refund", refund);
const { refundStatus } = await call("alipay.trade.fastpay.refund.query", refund);
tell({ notified: tradeNo, state: tradeStatus, refund: refundStatus });
