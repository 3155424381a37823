/** Programs with a constant host, each with nothing but what its runtime brings. They know nothing of Hearth. */
import { spawnSync } from "node:child_process";

const url = "https://api.mch.weixin.qq.com/pay/unifiedorder";

interface Client {
  readonly name: string;
  /** Tells by its exit code whether the runtime is there. */
  readonly probe: readonly [string, ...string[]];
  /** Posts its first argument there, and prints the reply. */
  readonly source: string;
  readonly file: string;
  readonly run: (file: string) => readonly [string, ...string[]];
}

const clients: readonly Client[] = [
  {
    name: "Node's fetch",
    probe: [process.execPath, "--version"],
    file: "fetch.mjs",
    source: `const reply = await fetch("${url}", { method: "POST", body: process.argv[2] });
console.log(await reply.text());`,
    run: (file) => [process.execPath, file],
  },
  {
    name: "Node's https",
    probe: [process.execPath, "--version"],
    file: "https.mjs",
    source: `import { request } from "node:https";
request("${url}", { method: "POST" }, (reply) => reply.pipe(process.stdout)).end(process.argv[2]);`,
    run: (file) => [process.execPath, file],
  },
  {
    name: "Node's https with an agent of its own",
    probe: [process.execPath, "--version"],
    file: "agent.mjs",
    source: `import { Agent, request } from "node:https";
request("${url}", { method: "POST", agent: new Agent() }, (reply) => reply.pipe(process.stdout)).end(process.argv[2]);`,
    run: (file) => [process.execPath, file],
  },
  {
    name: "curl",
    probe: ["curl", "--version"],
    file: "order.sh",
    source: `curl -sS --data-binary "$1" ${url}`,
    run: (file) => ["sh", file],
  },
  {
    name: "Python",
    probe: ["python3", "--version"],
    file: "order.py",
    source: `import sys, urllib.request
print(urllib.request.urlopen("${url}", sys.argv[1].encode()).read().decode())`,
    run: (file) => ["python3", file],
  },
  {
    name: "PHP",
    probe: ["php", "-r", "exit(extension_loaded('curl') ? 0 : 1);"],
    file: "order.php",
    source: `<?php
$call = curl_init("${url}");
curl_setopt_array($call, [CURLOPT_POSTFIELDS => $argv[1], CURLOPT_RETURNTRANSFER => true]);
echo curl_exec($call), curl_error($call);`,
    run: (file) => ["php", file],
  },
  {
    name: "Java",
    probe: ["javac", "-version"],
    file: "Order.java",
    source: `import java.net.URI;
import java.net.http.*;
public class Order {
  public static void main(String[] arguments) throws Exception {
    var request = HttpRequest.newBuilder(URI.create("${url}"))
      .POST(HttpRequest.BodyPublishers.ofString(arguments[0])).build();
    System.out.println(HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.ofString()).body());
  }
}`,
    run: (file) => ["java", "-XX:TieredStopAtLevel=1", file],
  },
];

/** Those whose runtime this machine has. */
export const installedClients = clients.filter(
  ({ probe: [command, ...args] }) => spawnSync(command, args).status === 0,
);

/** An order placed by npm wechatpay-node-v3, whose HTTP client has an agent of its own and knows no proxy; prints the reply. */
export const ownAgentSdk = (sdk: string) => `
import Pay from ${JSON.stringify(sdk)};
const keys = await (await fetch(process.env.HEARTH_PROVIDER_URL + "/sim/credentials")).json();
const [publicKey, privateKey] = [keys.merchant_certificate, keys.merchant_private_key].map((pem) => Buffer.from(pem));
const pay = new Pay({ appid: keys.app_id, mchid: keys.mch_id, publicKey, privateKey, key: keys.api_v3_key });
const { status, data, error } = await pay.transactions_native({
  description: "Tea", out_trade_no: "OWN_AGENT", notify_url: "https://example.com/", amount: { total: 101 },
});
console.log(JSON.stringify({ status, code_url: data?.code_url, error }));
`;

/** An order from placing to its refund, by the merchant's certificate, by npm wechatpay-axios-plugin, as its users write it; prints how it went. */
export const sdkLife = (sdk: string) => `
import { createServer } from "node:http";
import { text } from "node:stream/consumers";
import kit from ${JSON.stringify(sdk)};
const simulator = process.env.HEARTH_PROVIDER_URL;
const keys = await (await fetch(simulator + "/sim/credentials")).json();
const client = new kit.Wechatpay({
  mchid: keys.mch_id, serial: keys.merchant_serial, privateKey: keys.merchant_private_key,
  certs: { [keys.platform_serial]: keys.platform_certificate }, secret: keys.api_v2_key,
  merchant: { cert: keys.merchant_certificate, key: keys.merchant_private_key },
});
const { promise: told, resolve } = Promise.withResolvers();
const receiver = createServer(async (req, res) => {
  resolve(kit.Transformer.toObject(await text(req)));
  res.end("<xml><return_code>SUCCESS</return_code></xml>");
}).listen(0, "127.0.0.1");
await new Promise((done) => receiver.once("listening", done));
const common = { appid: keys.app_id, mch_id: keys.mch_id };
const placed = await client.v2.pay.unifiedorder.post({
  ...common, body: "Tea", out_trade_no: "SDK_LIFE", total_fee: "101", spbill_create_ip: "127.0.0.1", trade_type: "APP",
  notify_url: "http://127.0.0.1:" + receiver.address().port + "/",
});
await fetch(simulator + "/sim/orders/SDK_LIFE/pay", { method: "POST" });
const notification = await told;
const isGenuine = kit.Hash.sign("MD5", notification, keys.api_v2_key) === notification.sign;
const queried = await client.v2.pay.orderquery.post({ ...common, out_trade_no: "SDK_LIFE" });
await fetch(simulator + "/sim/settings", {
  method: "PATCH", headers: { "Content-Type": "application/json" }, body: '{"requireClientCert": true}',
});
const refunded = await client.v2.secapi.pay.refund.post({
  ...common, out_trade_no: "SDK_LIFE", out_refund_no: "SDK_REFUND", total_fee: "101", refund_fee: "101",
}, { security: true });
console.log(JSON.stringify({
  placed: placed.data.result_code, isGenuine, state: queried.data.trade_state, refunded: refunded.data.result_code,
}));
process.exit();
`;
