/** The client of the payments benchmark: orders that are placed and paid, until all of them are settled. */
import { Agent, request } from "node:http";
import { setTimeout as wait } from "node:timers/promises";

/** Two halves, Hearth's or the bare ones. */
export interface Halves {
  readonly app: string;
  readonly provider: string;
  readonly headers: Readonly<Record<string, string>>;
  /** How many orders are settled by now. */
  readonly settled: () => Promise<number>;
}

const atOnce = 32;
const agent = new Agent({ keepAlive: true, maxSockets: 2 * atOnce, scheduling: "lifo" });
const patienceMs = 60_000;

/** @throws for an answer that is no success */
export function post(url: string, body: string, headers: Readonly<Record<string, string>> = {}): Promise<string> {
  return new Promise((resolve, reject) => {
    const call = request(url, {
      method: "POST",
      agent,
      headers: { "Content-Type": "application/json", "Content-Length": Buffer.byteLength(body), ...headers },
    });
    call.on("error", reject);
    call.on("response", (response) => {
      let text = "";
      response.setEncoding("utf8").on("data", (part: string) => (text += part));
      response.on("error", reject).on("end", () => {
        if (response.statusCode === 200 || response.statusCode === 201) resolve(text);
        else reject(new Error(`${url}: ${String(response.statusCode)} ${text}`));
      });
    });
    call.end(body);
  });
}

export const placeOrder = ({ app, headers }: Halves) =>
  post(`${app}/api/orders`, JSON.stringify({ description: "Two tickets", amount: 101 }), headers);

const numberIn = (placed: string) => /"out_trade_no": ?"([^"]*)"/.exec(placed)?.[1] ?? "";

export const payOrder = ({ provider }: Halves, placed: string) =>
  post(`${provider}/sim/orders/${numberIn(placed)}/pay`, "{}");

/** Places and pays orders, until the last one is settled. */
export async function payOrders(halves: Halves, count: number): Promise<void> {
  const before = await halves.settled();
  let left = count;
  const client = async () => {
    while (left-- > 0) await payOrder(halves, await placeOrder(halves));
  };
  await Promise.all(Array.from({ length: atOnce }, client));
  const paidAt = performance.now();
  while ((await halves.settled()) < before + count) {
    if (performance.now() - paidAt > patienceMs) throw new Error("orders stay unsettled");
    await wait(5);
  }
}

/** Orders per second, from the first request until the last one is settled. */
export async function ordersPerSecond(halves: Halves, count: number): Promise<number> {
  const startedAt = performance.now();
  await payOrders(halves, count);
  return count / ((performance.now() - startedAt) / 1000);
}
