/** A day's work over HTTP, so that each page of the console has something true to show. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { ReadyFileContent } from "../../../server/supervisor/ready-file.ts";
import { pngBytes, zipBytes } from "../files.ts";

type Json = Record<string, unknown>;

/** Asks and answers the reply; anything but a success is an error that says where. */
async function ask(url: string, init: RequestInit = {}): Promise<Response> {
  const reply = await fetch(url, { method: init.body === undefined ? "GET" : "POST", ...init });
  if (!reply.ok) throw new Error(`${init.method ?? ""} ${url}: ${reply.status} ${await reply.text()}`);
  return reply;
}
const json = (body: unknown): RequestInit => ({
  method: "POST",
  headers: { "content-type": "application/json" },
  body: JSON.stringify(body),
});
const withHeaders = (headers: Record<string, string>, init: RequestInit): RequestInit => ({
  ...init,
  headers: { ...(init.headers as Record<string, string>), ...headers },
});

/** How a run is reached, and the token of its console. */
export function consoleOf(addresses: ReadyFileContent) {
  const authorization = `Bearer ${new URL(addresses.console).searchParams.get("token") ?? ""}`;
  return {
    get: async (path: string): Promise<unknown> =>
      (await ask(`${addresses.app}/console/api${path}`, { headers: { authorization } })).json(),
    send: (method: string, path: string, body: unknown) =>
      ask(`${addresses.app}/console/api${path}`, withHeaders({ authorization }, { ...json(body), method })),
  };
}

/** Logs a user of the simulator in with both steps; answers the header of its further calls. */
export async function logIn({ app, provider }: ReadyFileContent, user: string): Promise<Record<string, string>> {
  const sim = async (step: string) =>
    (await (await ask(`${provider}/sim/users/${user}/${step}`, { method: "POST" })).json()) as Json;
  const session = (await (await ask(`${app}/api/sessions`, json(await sim("login")))).json()) as {
    status: { access_token: string };
  };
  const headers = { authorization: `Bearer ${session.status.access_token}` };
  await ask(`${app}/api/userinfos`, withHeaders(headers, json(await sim("user-info"))));
  await ask(`${app}/api/phonenumbers`, withHeaders(headers, json(await sim("phone-number"))));
  return headers;
}

/** Places an order of the user and answers its number at the simulator. */
export async function placeOrder({ app }: ReadyFileContent, headers: Record<string, string>, order: Json) {
  const placed = (await (await ask(`${app}/api/orders`, withHeaders(headers, json(order)))).json()) as { data: Json };
  return { id: Number(placed.data["id"]), outTradeNo: String(placed.data["out_trade_no"]) };
}

/** Fills a run. `folder` is a place for the files that are watched and uploaded. Answers what it made, by name. */
export async function fillConsole(addresses: ReadyFileContent, folder: string) {
  const { app, provider, model } = addresses;
  const { send } = consoleOf(addresses);
  const watched = join(folder, "project");
  mkdirSync(join(watched, "src"), { recursive: true });
  await send("POST", "/watched-folders", { path: watched, exclude: ["/node_modules(/|$)"] });

  const ada = await logIn(addresses, "ada");
  const eve = await logIn(addresses, "eve");
  await ask(`${provider}/sim/users/bob/login`, { method: "POST" });
  for (const [title, body] of Object.entries({ "Hello, Hearth": "The first article.", 你好: "第二篇。" }))
    await ask(`${app}/api/articles`, withHeaders(ada, json({ title, body })));
  await ask(`${app}/api/articles?page_size=5`, { headers: eve });
  await fetch(`${app}/api/articles/999`, { headers: eve });
  await fetch(`${app}/api/articles`);

  const upload = async (name: string, bytes: Uint8Array<ArrayBuffer>) => {
    const form = new FormData();
    form.set("[]", new Blob([bytes]), name);
    form.set("type", "doc");
    return fetch(`${app}/api/uploads`, { method: "POST", headers: ada, body: form });
  };
  await upload("harbour.png", pngBytes(320, 200, [60, 120, 170]));
  await upload("release.zip", zipBytes({ "README.md": "# Release", "data/rows.json": "[]" }));
  await upload("notes.exe", pngBytes(1, 1));

  const paid = await placeOrder(addresses, ada, { description: "Green tea", amount: 1990 });
  await ask(`${provider}/sim/orders/${paid.outTradeNo}/pay`, { method: "POST" });
  const open = await placeOrder(addresses, ada, { description: "Oolong", amount: 2450, trade_type: "NATIVE" });
  const failed = await placeOrder(addresses, eve, { description: "Matcha", amount: 3800 });
  await ask(`${provider}/sim/orders/${failed.outTradeNo}/fail`, json({ how: "bank" }));
  await ask(`${app}/api/orders/${paid.id}/refunds`, withHeaders(ada, json({ amount: 990 })));
  await ask(
    `${provider}/sim/faults`,
    json({ kind: "err_code", params: { code: "SYSTEMERROR", calls: ["closeorder"] } }),
  );
  await send("POST", "/faults", { path: "/api/raffles/**", status: 503, times: 3 });

  for (const file of ["src/index.ts", "notes.txt"]) writeFileSync(join(watched, file), "// first\n");
  if (model !== null)
    await ask(
      `${model}/api/chat`,
      json({
        model: "hearth-starter",
        messages: [{ role: "user", content: "What is Hearth?" }],
        stream: false,
        options: { num_predict: 24, seed: 1 },
      }),
    );
  return { watched, paid, open, failed, ada, eve };
}
