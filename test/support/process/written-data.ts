/** Data of each kind, written over HTTP, to be found again after a backup or an update. */
import { expect } from "vitest";
import type { ReadyFileContent } from "../../../server/supervisor/ready-file.ts";
import { placeOrder } from "../console/console-scene.ts";
import { zipBytes } from "../files.ts";

type Json = Record<string, unknown>;

async function accepted(reply: Response): Promise<Json> {
  if (!reply.ok) throw new Error(`${reply.url} answered ${String(reply.status)}: ${await reply.text()}`);
  return (await reply.json()) as Json;
}

/** An article, an upload and an order, each with the number in it. */
export async function writeAll(addresses: ReadyFileContent, headers: Record<string, string>, number: number) {
  const { app } = addresses;
  const form = new FormData();
  form.append("type", "doc");
  form.append("[]", new File([zipBytes({ "n.txt": `${String(number)} `.repeat(3_000) })], `${String(number)}.zip`));
  const json = { ...headers, "content-type": "application/json" };
  const body = JSON.stringify({ title: `article ${String(number)}`, body: "b" });
  const article = await accepted(await fetch(`${app}/api/articles`, { method: "POST", headers: json, body }));
  const upload = await accepted(await fetch(`${app}/api/uploads`, { method: "POST", headers, body: form }));
  const order = await placeOrder(addresses, headers, { description: "Tea", amount: 100 + number });
  return { number, article: (article["data"] as { id: number }).id, upload: Number(upload["id"]), order };
}
export type Written = Awaited<ReturnType<typeof writeAll>>;

/** What a running Hearth has of it; it throws where something is missing. */
export async function checkWritten(
  at: ReadyFileContent,
  as: Record<string, string>,
  { number, article, upload, order }: Written,
) {
  const found = await accepted(await fetch(`${at.app}/api/articles/${String(article)}`, { headers: as }));
  expect((found["data"] as Json)["title"]).toBe(`article ${String(number)}`);
  const content = await fetch(`${at.app}/api/uploads/${String(upload)}/content`, { headers: as });
  const expected = zipBytes({ "n.txt": `${String(number)} `.repeat(3_000) });
  expect(Buffer.from(await content.arrayBuffer()).equals(expected)).toBe(true);
  const placed = await accepted(await fetch(`${at.app}/api/orders/${String(order.id)}`, { headers: as }));
  expect(placed["data"]).toMatchObject({ out_trade_no: order.outTradeNo, amount: 100 + number, trade_state: "NOTPAY" });
}
