/** npm `node-easywechat`, version 3, and the login. Its index needs a module that is no longer shipped: Pay and MiniApp by their files. */
import express from "express";
import MiniApp from "node-easywechat/dist/MiniApp/Application.js";
import Pay from "node-easywechat/dist/Pay/Application.js";
import ServerRequest from "node-easywechat/dist/Core/Http/ServerRequest.js";
import { receive, tell } from "./receive.mjs";

const { APP_ID, APP_SECRET, MCH_ID, API_V3_KEY, OUT_TRADE_NO: out_trade_no, LOGIN_CODE } = process.env;
const { MERCHANT_CERTIFICATE: certificate, MERCHANT_KEY: private_key } = process.env;
const out_refund_no = `R-${out_trade_no}`;
const app = new Pay({ mch_id: MCH_ID, private_key, certificate, secret_key: API_V3_KEY });
const client = app.getClient();

const { notifyUrl, notified } = await receive((merchant, told) =>
  merchant.post("/", express.text({ type: "*/*" }), async (req, res) => {
    app.setRequest(await ServerRequest.createFromIncomingMessage(req, req.body));
    const server = app.getServer();
    server.handlePaid(async (message, next) => {
      await app.getValidator().validate(app.getRequest());
      told(message.transaction_id);
      return next(message);
    });
    const reply = await server.serve();
    const isDone = JSON.parse(reply.getBody().toString()).code === "SUCCESS";
    res.status(isDone ? 200 : 401).end();
  }),
);
const { openid } = await new MiniApp({ app_id: APP_ID, secret: APP_SECRET }).getUtils().codeToSession(LOGIN_CODE);
const read = (response) => {
  if (response.isFailed()) throw new Error(response.toString());
  return response.toObject();
};
const order = {
  ...{ appid: APP_ID, mchid: MCH_ID, out_trade_no, description: "Tea", notify_url: notifyUrl },
  ...{ amount: { total: 101 }, payer: { openid } },
};
read(await client.post("/v3/pay/transactions/jsapi", { data: order }));
const transactionId = await notified;
const params = { mchid: MCH_ID };
const { trade_state } = read(await client.get(`/v3/pay/transactions/out-trade-no/${out_trade_no}`, { params }));
const refunds = "/v3/refund/domestic/refunds";
const amount = { total: 101, refund: 41, currency: "CNY" };
read(await client.post(refunds, { data: { out_trade_no, out_refund_no, amount } }));
const { status } = read(await client.get(`${refunds}/${out_refund_no}`));
tell({ notified: transactionId, state: trade_state, refund: status });
