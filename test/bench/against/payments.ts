/** Orders that are placed, paid, notified and settled. */
import { join } from "node:path";
import type { Bench } from "../open-bench.ts";
import { payOrders } from "../payment-orders.ts";
import type { Work } from "./compare.ts";
import { onBoth, startBoth, type Side, type Sides } from "./sides.ts";
import { Sqlite } from "../../../server/store/native-sqlite.ts";

const orders = 400;

async function pay(side: Side): Promise<number> {
  // Read from the file: counting must not be the server's work.
  const db = new Sqlite(join(side.dataDir, "hearth.db"), { readOnly: true });
  const counted = db.prepare("select count(*) as orders from orders where settled_at is not null");
  await payOrders({ ...side, settled: async () => (counted.get() as { orders: number }).orders }, orders);
  db.close();
  return orders;
}

export async function paymentWorks(bench: Bench, sides: Sides): Promise<Work[]> {
  const both = (name: string, ...flags: string[]) => startBoth(bench, sides, name, flags);
  return [
    onBoth(await both("v2", "--no-record-requests"), "an order of version 2", pay),
    onBoth(await both("recorded"), "an order of version 2, recorded", pay),
    onBoth(await both("v3", "--no-record-requests", "--payment-version", "v3"), "an order of version 3", pay),
  ];
}
