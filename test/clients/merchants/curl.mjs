/** curl, which sends what this program signs by version 2. */
import { execFileSync } from "node:child_process";
import { createHash, randomUUID } from "node:crypto";
import express from "express";
import { receive, tell } from "./receive.mjs";

const { APP_ID, MCH_ID, API_V2_KEY, MERCHANT_CERTIFICATE, MERCHANT_KEY, OUT_TRADE_NO: out_trade_no } = process.env;
const out_refund_no = `R-${out_trade_no}`;

function signed(fields) {
  const names = Object.keys(fields).filter((name) => name !== "sign" && fields[name] !== "");
  const text = names.sort().map((name) => `${name}=${fields[name]}`);
  return createHash("md5")
    .update(`${text.join("&")}&key=${API_V2_KEY}`)
    .digest("hex")
    .toUpperCase();
}
const read = (xml) =>
  Object.fromEntries(Array.from(xml.matchAll(/<(\w+)><!\[CDATA\[(.*?)\]\]>/g), ([, name, text]) => [name, text]));
const write = (fields) =>
  `<xml>${Object.entries(fields)
    .map(([name, text]) => `<${name}><![CDATA[${text}]]></${name}>`)
    .join("")}</xml>`;

function call(path, fields) {
  const all = { appid: APP_ID, mch_id: MCH_ID, nonce_str: randomUUID().replaceAll("-", ""), ...fields };
  const body = write({ ...all, sign: signed(all) });
  const url = `https://api.mch.weixin.qq.com${path}`;
  const certified = ["--cert", MERCHANT_CERTIFICATE, "--key", MERCHANT_KEY];
  const sent = ["-sS", "--fail", ...certified, "--data-binary", "@-", url];
  const reply = read(execFileSync("curl", sent, { input: body, encoding: "utf8" }));
  if (reply.result_code !== "SUCCESS" || reply.sign !== signed(reply)) throw new Error(JSON.stringify(reply));
  return reply;
}

const { notifyUrl, notified } = await receive((app, told) =>
  app.post("/", express.text({ type: "*/*" }), (req, res) => {
    const notification = read(req.body);
    const isGenuine = notification.sign === signed(notification);
    if (isGenuine) told(notification.transaction_id);
    res.type("xml").send(write({ return_code: isGenuine ? "SUCCESS" : "FAIL" }));
  }),
);
call("/pay/unifiedorder", {
  ...{ out_trade_no, body: "Tea & <two>", total_fee: "101", notify_url: notifyUrl },
  ...{ trade_type: "APP", spbill_create_ip: "127.0.0.1" },
});
const transactionId = await notified;
const { trade_state } = call("/pay/orderquery", { out_trade_no });
call("/secapi/pay/refund", { out_trade_no, out_refund_no, total_fee: "101", refund_fee: "41" });
const { refund_status_0 } = call("/pay/refundquery", { out_refund_no });
tell({ notified: transactionId, state: trade_state, refund: refund_status_0 });
