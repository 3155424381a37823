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

/** An order of version 3 from placing to refunding by npm wechatpay-node-v3, as its users write it; prints how it went. */
export const sdkLife = (sdk: string) => `
import { createServer } from "node:http";
import { text } from "node:stream/consumers";
import sdk from ${JSON.stringify(sdk)};
const simulator = process.env.HEARTH_PROVIDER_URL;
const keys = await (await fetch(simulator + "/sim/credentials")).json();
await fetch(simulator + "/sim/settings", {
  method: "PATCH", headers: { "content-type": "application/json" }, body: JSON.stringify({ refund_seconds: 0 }),
});
const pay = new (sdk.default ?? sdk)({
  appid: keys.app_id, mchid: keys.mch_id, key: keys.api_v3_key,
  publicKey: Buffer.from(keys.merchant_certificate), privateKey: Buffer.from(keys.merchant_private_key),
});
const { promise: told, resolve } = Promise.withResolvers();
const receiver = createServer(async (req, res) => {
  resolve({ headers: req.headers, body: await text(req) });
  res.writeHead(204).end();
}).listen(0, "127.0.0.1");
await new Promise((done) => receiver.once("listening", done));
const amount = { total: 101, currency: "CNY" };
const placed = await pay.transactions_native({
  description: "Tea", out_trade_no: "SDK_LIFE", amount,
  notify_url: "http://127.0.0.1:" + receiver.address().port + "/",
});
await fetch(simulator + "/sim/orders/SDK_LIFE/pay", { method: "POST" });
const { headers, body } = await told;
const of = (name) => headers["wechatpay-" + name];
const isGenuine = await pay.verifySign({
  timestamp: of("timestamp"), nonce: of("nonce"), serial: of("serial"), signature: of("signature"),
  body, apiSecret: keys.api_v3_key,
});
const queried = await pay.query({ out_trade_no: "SDK_LIFE" });
const refund = await pay.refunds({
  out_trade_no: "SDK_LIFE", out_refund_no: "R-SDK_LIFE", amount: { ...amount, refund: 41 },
});
console.log(JSON.stringify({ placed: placed.status, isGenuine, state: queried.data.trade_state, refund: refund.status }));
process.exit();
`;
