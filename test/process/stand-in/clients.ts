/** Programs of Node with a constant host. They know nothing of Hearth. */
const url = "https://api.mch.weixin.qq.com/pay/unifiedorder";

interface Client {
  readonly name: string;
  /** Posts its first argument there, and prints the reply. */
  readonly source: string;
  readonly file: string;
}

export const nodeClients: readonly Client[] = [
  {
    name: "Node's fetch",
    file: "fetch.mjs",
    source: `const reply = await fetch("${url}", { method: "POST", body: process.argv[2] });
console.log(await reply.text());`,
  },
  {
    name: "Node's https",
    file: "https.mjs",
    source: `import { request } from "node:https";
request("${url}", { method: "POST" }, (reply) => reply.pipe(process.stdout)).end(process.argv[2]);`,
  },
  {
    name: "Node's https with an agent of its own",
    file: "agent.mjs",
    source: `import { Agent, request } from "node:https";
request("${url}", { method: "POST", agent: new Agent() }, (reply) => reply.pipe(process.stdout)).end(process.argv[2]);`,
  },
];
