/** A day's work of several people, for pictures: what the tests' scene has, and more of everything. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import type { ReadyFileContent } from "../server/supervisor/ready-file.ts";
import { consoleOf, fillConsole, logIn, placeOrder } from "../test/support/console/console-scene.ts";
import { pngBytes, zipBytes } from "../test/support/files.ts";

type Headers = Record<string, string>;

const collections = {
  authors: {
    type: "object",
    required: ["name"],
    properties: { name: { type: "string" }, born: { type: "integer" } },
    "x-hearth": {
      seed: [
        { name: "Ursula K. Le Guin", born: 1929 },
        { name: "刘慈欣", born: 1963 },
        { name: "Stanisław Lem", born: 1921 },
      ],
    },
  },
  books: {
    type: "object",
    required: ["title"],
    properties: {
      title: { type: "string" },
      author: { type: "integer", "x-hearth": { ref: "authors" } },
      year: { type: "integer" },
      in_stock: { type: "boolean" },
    },
    "x-hearth": {
      seed: [
        { title: "The Dispossessed", author: 1, year: 1974, in_stock: true },
        { title: "A Wizard of Earthsea", author: 1, year: 1968, in_stock: true },
        { title: "The Left Hand of Darkness", author: 1, year: 1969, in_stock: false },
        { title: "三体", author: 2, year: 2008, in_stock: true },
        { title: "球状闪电", author: 2, year: 2005, in_stock: false },
        { title: "Solaris", author: 3, year: 1961, in_stock: true },
        { title: "The Cyberiad", author: 3, year: 1965, in_stock: true },
      ],
    },
  },
};

const answer = `Hearth answers what a client app calls, all of it on this machine:

- the **application server** with logins, uploads and orders,
- the **platform simulator** behind it, which logs users in and takes payments,
- and this **model service**, which speaks Ollama's API.

A login takes one call:

\`\`\`sh
curl http://127.0.0.1:3080/api/sessions -d code=CODE
\`\`\``;

const metrics = { tokens: 96, tokensPerSecond: 41.3, firstTokenMs: 184 };
const settings = { system: "", options: {}, keepAlive: "", tools: "", format: "" };
const chatOf = (id: string, question: string, reply: string, changedAt: number) => ({
  id,
  model: "hearth-starter",
  settings,
  turns: [
    { role: "user", content: question },
    { role: "assistant", content: reply, model: "hearth-starter", metrics },
  ],
  changedAt,
});

/** Fills a run. `folder` is a place for files. Answers the number of an order that has seen most. */
export async function fillForPictures(addresses: ReadyFileContent, folder: string): Promise<string> {
  const { app, provider } = addresses;
  const { send } = consoleOf(addresses);
  const post = (url: string, body: unknown, headers: Headers = {}) =>
    fetch(url, {
      method: "POST",
      headers: { ...headers, "content-type": "application/json" },
      body: JSON.stringify(body),
    });
  const atProvider = (path: string, body: unknown = {}) => post(`${provider}/sim/${path}`, body);

  const { watched, ada, eve, paid } = await fillConsole(addresses, folder);
  for (const [name, schema] of Object.entries(collections))
    await send("PUT", `/collections/${name}/schema`, { text: JSON.stringify(schema, null, 2), create: true });
  const kim = await logIn(addresses, "kim");

  await fetch(`${provider}/sim/settings`, {
    method: "PATCH",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ password_seconds: 3_600 }),
  });
  // Two who have not done every step of the login, and one whose session has ended.
  for (const [name, steps] of Object.entries({ ines: 1, tom: 0 })) {
    const login = await (await atProvider(`users/${name}/login`)).json();
    const session = (await (await post(`${app}/api/sessions`, login)).json()) as { status: { access_token: string } };
    const headers = { authorization: `Bearer ${session.status.access_token}` };
    if (steps > 0) {
      const info = await (await atProvider(`users/${name}/user-info`)).json();
      await post(`${app}/api/userinfos`, info, headers);
    }
    await fetch(`${app}/api/articles`, { headers });
  }
  await fetch(`${app}/api/sessions/current`, { method: "DELETE", headers: await logIn(addresses, "leo") });

  const orders: [string, number, Headers][] = [
    ["Two tickets", 5800, kim],
    ["Teapot", 12900, eve],
    ["Jasmine tea, 250 g", 4200, ada],
    ["Gift voucher", 10000, kim],
  ];
  for (const [description, amount, headers] of orders) {
    const { outTradeNo } = await placeOrder(addresses, headers, { description, amount });
    await atProvider(`orders/${outTradeNo}/pay`);
  }
  const asked = await placeOrder(addresses, kim, {
    description: "Tea set for six",
    amount: 32_800,
    trade_type: "NATIVE",
  });
  await atProvider(`orders/${asked.outTradeNo}/ask-password`);
  await send("POST", `/orders/${String(asked.id)}/queries`, {});
  const closed = await placeOrder(addresses, eve, { description: "Earl Grey", amount: 2100 });
  await send("DELETE", "/faults", {}).catch(() => undefined);
  await fetch(`${provider}/sim/faults`, { method: "DELETE" });
  await post(`${app}/api/orders/${String(closed.id)}/closures`, {}, eve);
  const refused = (await (await atProvider("users/eve/payment-codes", { outcome: "refused" })).json()) as {
    auth_code: string;
  };
  const failing = { description: "Lemon cake", amount: 890, trade_type: "MICROPAY", auth_code: refused.auth_code };
  await post(`${app}/api/orders`, failing, eve);
  const code = (await (await atProvider("users/ada/payment-codes")).json()) as { auth_code: string };
  const atTheTill = { description: "Scone", amount: 650, trade_type: "MICROPAY", auth_code: code.auth_code };
  const scanned = await placeOrder(addresses, ada, atTheTill);
  await post(`${app}/api/orders/${String(scanned.id)}/reversals`, {}, ada);

  const files: [string, Uint8Array<ArrayBuffer>, string][] = [
    ["logo.png", pngBytes(256, 256, [224, 122, 63]), "image"],
    ["sunset.png", pngBytes(640, 360, [214, 90, 96]), "image"],
    ["forest.png", pngBytes(640, 360, [70, 132, 92]), "image"],
    ["backup.zip", zipBytes({ "orders.json": "[]", "README.md": "# Orders" }), "doc"],
  ];
  for (const [name, bytes, type] of files) {
    const form = new FormData();
    form.set("[]", new Blob([bytes]), name);
    form.set("type", type);
    await fetch(`${app}/api/uploads`, { method: "POST", headers: kim, body: form });
  }

  const now = Date.now();
  const chats = [
    chatOf("login", "How does a login work?", "A client sends a code and gets a token.", now - 7_200_000),
    chatOf("payment", "怎么测试支付通知？", "在“故障”页里打开一个问题，再付一笔款。", now - 3_600_000),
    chatOf("hearth", "What is Hearth?", answer, now),
  ];
  for (const chat of chats) await send("PUT", `/chats/${chat.id}`, { content: chat });

  await atProvider("faults", { kind: "notification_duplicate", params: { copies: 2 } });
  await send("POST", "/faults", { path: "/api/raffles/**", status: 503, times: 20 });
  await send("POST", "/faults", { method: "GET", path: "/api/books", delay_ms: 700 });
  // Long enough that the bars over time are more than one.
  for (let round = 0; round < 12; round++) {
    const headers = [ada, eve, kim][round % 3] ?? ada;
    await fetch(`${app}/api/books?page_size=20`, { headers });
    await fetch(`${app}/api/articles?q=tea`, { headers });
    if (round % 3 === 0) await fetch(`${app}/api/raffles`, { headers });
    if (round % 4 === 1)
      await post(`${app}/api/articles`, { title: `Note ${String(round)}`, body: "A note." }, headers);
    if (round % 5 === 2) {
      const { outTradeNo } = await placeOrder(addresses, headers, { description: "Green tea", amount: 1990 });
      await atProvider(`orders/${outTradeNo}/pay`);
    }
    if (round % 4 === 3) writeFileSync(join(watched, `src/part-${String(round)}.ts`), "export {};\n");
    await wait(1_500);
  }
  const max = await logIn(addresses, "max");
  const last = await placeOrder(addresses, max, { description: "Green tea", amount: 1990 });
  await atProvider(`orders/${last.outTradeNo}/pay`);
  await fetch(`${app}/api/orders/${String(last.id)}`, { headers: max });
  return paid.outTradeNo;
}
