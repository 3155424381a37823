/**
 * Orders that are placed, paid, notified and settled: Hearth against the same HTTP calls without logic and storage (two bare
 * Express 5 applications in one process, with the very bodies), by the same client, in turns within one run. The bare ones
 * sign and check as Hearth does, so that a ratio says what is Hearth's own work. Also printed: the ratios without signatures, and
 * to bare halves that wait for the disk as often as Hearth does. Then the memory of the application server over 50,000 orders.
 * `node test/bench/payments.ts ORDERS` says how many.
 */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { logIn } from "../support/console/console-scene.ts";
import type { Messages, PlatformCall } from "./bare-payments.ts";
import { startHearth } from "./hearth.ts";
import { openBench, root } from "./open-bench.ts";
import { ordersPerSecond, payOrder, placeOrder, type Halves } from "./payment-orders.ts";
import { descendants, nameOf, residentMb } from "../support/process/processes.ts";
import { ratio, ratios, spread } from "./statistics.ts";
import { Sqlite } from "../../server/store/native-sqlite.ts";

const rounds = 7;
/** Until then the engine still compiles what it has found to be hot. */
const warmUpRounds = 3;
const ordersPerRound = 1_000;
const allOrders = Number(process.argv[2] ?? 50_000);
const samples = 20;
/** What is warm-up: the heap reaches its size, and the calls that are kept (50,000) their number. */
const warmSamples = 10;
const bars = { v2: 0.6, recorded: 0.5, v3: 0.5, growthMb: 20 };
await using bench = openBench();
const { folder } = bench;

async function hearth(name: string, ...flags: string[]) {
  const run = await startHearth(bench.start, { folder, name, flags });
  const headers = await logIn(run.ready, "buyer");
  // Read from the file: counting must not be the server's work.
  const db = new Sqlite(join(run.dataDir, "hearth.db"), { readOnly: true });
  const counted = db.prepare("select count(*) as orders from orders where settled_at is not null");
  const settled = async () => (counted.get() as { orders: number }).orders;
  const pid = descendants(run.pid).find((one) => nameOf(one) === "app") ?? run.pid;
  return { app: run.app, provider: run.provider, headers, settled, pid };
}

interface Seen {
  readonly order: { readonly sign_type: string };
  readonly calls: readonly (PlatformCall & { name: string })[];
  readonly notifications: readonly {
    attempts: readonly { request: { body: string }; reply?: { body: string } }[];
  }[];
}

/** The bodies of one payment, as the simulator has written them down, and how they were signed. */
async function messagesOf(halves: Halves): Promise<Messages & { signType: string }> {
  const placed = await placeOrder(halves);
  const paid = await payOrder(halves, placed);
  const number = (JSON.parse(paid) as { out_trade_no: string }).out_trade_no;
  for (;;) {
    const answer = await fetch(`${halves.provider}/sim/orders/${number}`);
    const { order, calls, notifications } = (await answer.json()) as Seen;
    const [place, query] = ["unifiedorder", "orderquery"].map((name) => calls.find((call) => call.name === name));
    const told = notifications[0]?.attempts[0];
    if (place && query && told?.reply)
      return {
        signType: order.sign_type,
        placed,
        paid,
        place,
        query,
        notification: told.request.body,
        acknowledgement: told.reply.body,
      };
    await wait(20);
  }
}

async function bareHalves(messages: Messages, proofs: string, ...stored: string[]): Promise<Halves> {
  const file = join(folder, `messages-${proofs}.json`);
  writeFileSync(file, JSON.stringify(messages));
  const script = join(root, "test/bench/bare-payments.ts");
  const addresses = JSON.parse(await bench.startTelling(process.execPath, script, file, proofs, ...stored)) as Pick<
    Halves,
    "app" | "provider"
  >;
  const settled = async () => Number(await (await fetch(`${addresses.app}/settled`)).text());
  return { ...addresses, headers: { Authorization: `Bearer ${"0".repeat(43)}` }, settled };
}

/** MB that resident memory has grown by from the end of the warm-up on, by least squares. */
async function memoryOver(halves: Halves & { pid: number }): Promise<boolean> {
  const each = Math.ceil(allOrders / samples);
  const seen: number[] = [];
  for (let sample = 0; sample < samples; sample++) {
    await ordersPerSecond(halves, each);
    seen.push(residentMb(halves.pid));
  }
  const warm = seen.slice(warmSamples);
  const middle = (warm.length - 1) / 2;
  const mean = warm.reduce((sum, mb) => sum + mb, 0) / warm.length;
  const above = warm.reduce((sum, mb, at) => sum + (at - middle) * (mb - mean), 0);
  const below = warm.reduce((sum, _, at) => sum + (at - middle) ** 2, 0);
  const perSample = above / below;
  const grown = perSample * (warm.length - 1);
  const flat = grown <= bars.growthMb;
  console.log(`resident memory of the application server over ${String(each * samples)} orders, in MB:`);
  console.log(`  ${seen.map((mb) => mb.toFixed(0)).join(" ")}`);
  const slope = ((perSample / each) * 10_000).toFixed(2);
  console.log(
    `${flat ? "ok  " : "MISS"} slope after the first ${String(warmSamples * each)}: ${slope} MB per 10,000 orders, ${grown.toFixed(1)} MB in all, at most ${String(bars.growthMb)}`,
  );
  return flat;
}

async function measure(): Promise<boolean> {
  const v2 = await hearth("v2", "--no-record-requests");
  const recorded = await hearth("v2-recorded");
  const v3 = await hearth("v3", "--no-record-requests", "--payment-version", "v3");
  const ofV2 = await messagesOf(v2);
  const ofV3 = await messagesOf(v3);
  const targets = {
    bare: await bareHalves(ofV2, "none"),
    "bare, signed as v2": await bareHalves(ofV2, ofV2.signType),
    "bare, signed as v2, stored": await bareHalves(ofV2, ofV2.signType, folder),
    "bare, signed as v3": await bareHalves(ofV3, "v3"),
    v2,
    "v2, requests recorded": recorded,
    v3,
  };
  const names = Object.keys(targets) as (keyof typeof targets)[];
  const rates = Object.fromEntries(names.map((name) => [name, [] as number[]])) as Record<
    keyof typeof targets,
    number[]
  >;
  for (let round = 1 - warmUpRounds; round <= rounds; round++)
    for (const name of names) {
      const rate = await ordersPerSecond(targets[name], ordersPerRound);
      if (round > 0) rates[name].push(rate);
    }
  console.log("orders/s, placed, paid, notified and settled, 32 clients: median (range)");
  for (const name of names) console.log(`  ${name.padEnd(28)} ${spread(rates[name])}`);
  for (const name of ["v2", "v2, requests recorded", "v3"] as const)
    console.log(
      `  ${name} / the calls of v2 on bare Express, without signatures: ${spread(ratios(rates[name], rates.bare), 2)}`,
    );
  console.log(
    `  v2 / signed alike, five rows stored: ${spread(ratios(rates.v2, rates["bare, signed as v2, stored"]), 2)}`,
  );
  const signedV2 = rates["bare, signed as v2"];
  const reached = [
    ratio("v2 / the same calls on bare Express, signed alike", rates.v2, signedV2, bars.v2),
    ratio("v2 with requests recorded / the same", rates["v2, requests recorded"], signedV2, bars.recorded),
    ratio("v3 / the same calls on bare Express, signed alike", rates.v3, rates["bare, signed as v3"], bars.v3),
    await memoryOver(v2),
  ];
  return !reached.includes(false);
}

process.exitCode = (await measure()) ? 0 : 1;
