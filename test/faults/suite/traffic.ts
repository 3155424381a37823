/**
 * Clients that do everything at once, and a ledger of what was promised to them: only what was acknowledged counts. What was
 * not answered, or with an error, may have happened or not.
 */
import { createHash } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { zipBytes } from "../../support/files.ts";
import type { Client } from "./client.ts";
import type { Draw } from "./draw.ts";
import type { Products } from "./products/clients.ts";
import type { Promised } from "./products/scene.ts";
import type { Reply } from "./request.ts";
import { modelName, type World } from "./world.ts";

export interface PlacedOrder {
  readonly id: number;
  readonly outTradeNo: string;
  paid: boolean;
}

/** What one round's clients were promised. */
export interface Ledger {
  /** Begins every title and name of the round. */
  readonly mark: string;
  /** Bodies by title, with the id that was answered. */
  readonly articles: Map<string, { readonly id: number; readonly body: string }>;
  /** SHA-256 of the contents by file name. */
  readonly uploads: Map<string, string>;
  readonly orders: PlacedOrder[];
  /** Paths of files that were made in the watched folder. */
  readonly files: Set<string>;
  /** Of the other products of the payments. */
  readonly products: Promised[];
}

export const newLedger = (mark: string): Ledger => ({
  mark,
  articles: new Map(),
  uploads: new Map(),
  orders: [],
  files: new Set(),
  products: [],
});

type Clients = Pick<World, "client">;

/** A zip file that is like no other. */
export function uploadOf(draw: Draw, name: string, kilobytes: number) {
  const content = zipBytes({
    "content.txt": `${name} ${draw
      .bytes(16)
      .toString("hex")
      .repeat(kilobytes * 32)}`,
  });
  const form = new FormData();
  form.append("type", "faults");
  form.append("[]", new File([content], name));
  return { form, sha256: createHash("sha256").update(content).digest("hex") };
}

export const dataOf = <T>({ body }: Reply) => (body as { data: T }).data;

export async function uploadOne(world: Clients, ledger: Ledger, draw: Draw, name: string, kilobytes: number) {
  const { form, sha256 } = uploadOf(draw, name, kilobytes);
  const reply = await world.client("POST", "/uploads", form);
  if (reply.status === 201) ledger.uploads.set(name, sha256);
  return reply;
}

export async function writeArticle(world: Clients, ledger: Ledger, title: string) {
  const body = `${title} `.repeat(20);
  const reply = await world.client("POST", "/articles", { title, body });
  if (reply.status === 201) ledger.articles.set(title, { id: dataOf<{ id: number }>(reply).id, body });
  return reply;
}

async function buy(world: World, ledger: Ledger, description: string): Promise<void> {
  const placed = await world.client("POST", "/orders", { description, amount: 101 });
  if (placed.status !== 201) return;
  const { id, out_trade_no } = dataOf<{ id: number; out_trade_no: string }>(placed);
  const order: PlacedOrder = { id, outTradeNo: out_trade_no, paid: false };
  ledger.orders.push(order);
  const { status } = await world.sim("POST", `/orders/${out_trade_no}/pay`);
  order.paid = status === 200;
}

/** The clients of a round, until they are told to stop. Those that are `calm` pause four times as long. */
export function startClients({ mark }: Ledger, isCalm: boolean, clients: readonly Client[]) {
  let stopped = false;
  let made = 0;

  async function run([pauseMs, act]: Client): Promise<void> {
    while (!stopped) {
      await act(`${mark}-${String(made++)}`).catch(() => undefined);
      await wait(isCalm ? 4 * pauseMs : pauseMs);
    }
  }

  const running = clients.map(run);
  return {
    async stop(): Promise<void> {
      stopped = true;
      await Promise.all(running);
    },
  };
}

export const startTraffic = (world: World, products: Products, ledger: Ledger, isCalm: boolean, draw: Draw) =>
  startClients(ledger, isCalm, [
    [20, (name) => writeArticle(world, ledger, name)],
    [20, (name) => writeArticle(world, ledger, name)],
    [30, (name) => uploadOne(world, ledger, draw, `${name}.zip`, draw.between(1, 40))],
    [30, (name) => uploadOne(world, ledger, draw, `${name}.zip`, draw.between(1, 20))],
    [50, (name) => buy(world, ledger, name)],
    [
      200,
      async (name) => {
        const path = join(world.watched, name);
        writeFileSync(path, name);
        ledger.files.add(path);
      },
    ],
    [100, () => world.model("POST", "/generate", { model: modelName, prompt: "a", options: { num_predict: 8 } })],
    ...products.clients(ledger.products),
  ]);
