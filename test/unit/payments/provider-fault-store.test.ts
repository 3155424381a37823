/** The list of faults of the simulated platform: scope, chance, counts, and what is kept of them. */
import { join } from "node:path";
import { expect, it } from "vitest";
import {
  faultSituations,
  simFaultInputSchema,
  type SimFaultInput,
} from "../../../server/contract/provider/sim-faults.ts";
import { openFaultStore, type FaultStore } from "../../../server/provider/payments/faults/fault-store.ts";
import { faultMigrations, type FaultTables } from "../../../server/provider/payments/faults/fault-tables.ts";
import { openDatabase } from "../../../server/store/sqlite/open-database.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";

const reset = (changed: object = {}): SimFaultInput => simFaultInputSchema.parse({ kind: "reset", ...changed });

async function openStore() {
  const folder = temporaryFolder();
  const open = async () => {
    const file = join(folder.path, "faults.db");
    const { db, close } = await openDatabase<FaultTables>({ file, migrations: faultMigrations });
    return { db, close, store: await openFaultStore(db) };
  };
  let now = await open();
  return {
    get store() {
      return now.store;
    },
    get db() {
      return now.db;
    },
    async reopen() {
      await now.store.saved();
      await now.close();
      now = await open();
    },
    async [Symbol.asyncDispose]() {
      await now.close();
      folder[Symbol.dispose]();
    },
  };
}

/** So many occasions: 1 where the fault has hit. */
const occasions = (store: FaultStore, count: number) =>
  Array.from({ length: count }, () => Number(store.of(["reset"], {}).some((fault) => store.hit(fault))));

it("the fault store gives the faults of a kind that are in scope, oldest first", async () => {
  await using test = await openStore();
  const { store } = test;
  await store.add(reset({ note: "all" }));
  await store.add(reset({ note: "merchant", scope: { mch_id: "1" } }));
  await store.add(reset({ note: "order", scope: { mch_id: "1", out_trade_no: "ORDER-1" } }));
  await store.add(simFaultInputSchema.parse({ kind: "truncated_body", note: "other kind" }));
  const notes = (occasion: object) => store.of(["reset"], occasion).map(({ input }) => input.note);
  expect(notes({ mchId: "1", outTradeNo: "ORDER-1" })).toEqual(["all", "merchant", "order"]);
  expect(notes({ mchId: "1", outTradeNo: "ORDER-2" })).toEqual(["all", "merchant"]);
  expect(notes({ mchId: "2", outTradeNo: "ORDER-1" })).toEqual(["all"]);
  expect(notes({ mchId: "1" })).toEqual(["all", "merchant"]);
});

it("a stored fault hits as often as set, keeps its count over a restart, and is spent then", async () => {
  await using test = await openStore();
  await test.store.add(reset({ times: 3 }));
  expect(occasions(test.store, 2)).toEqual([1, 1]);
  await test.reopen();
  expect(test.store.list()).toMatchObject([{ kind: "reset", times: 3, hits: 2, recent_hits: [], spent: false }]);
  expect(occasions(test.store, 3)).toEqual([1, 0, 0]);
  expect(test.store.list()).toMatchObject([{ hits: 3, recent_hits: [expect.any(String)], spent: true }]);
});

it("a stored fault hits the same occasions for the same seed, also over a restart", async () => {
  await using test = await openStore();
  const run = async (seed: number, restartAfter: number) => {
    await test.store.replace([reset({ probability: 0.4, seed })]);
    const first = occasions(test.store, restartAfter);
    await test.reopen();
    return [...first, ...occasions(test.store, 40 - restartAfter)];
  };
  const one = await run(7, 11);
  expect(await run(7, 29)).toEqual(one);
  expect(await run(8, 11)).not.toEqual(one);
  const share = one.filter((hit) => hit === 1).length / one.length;
  expect(share).toBeGreaterThan(0.15);
  expect(share).toBeLessThan(0.65);
});

it("a stored fault never hits with probability 0, and always with 1", async () => {
  await using test = await openStore();
  await test.store.replace([reset({ probability: 0 })]);
  expect(occasions(test.store, 20)).toEqual(Array(20).fill(0));
  await test.store.replace([reset({ probability: 1 })]);
  expect(occasions(test.store, 20)).toEqual(Array(20).fill(1));
});

it("a stored fault can be replaced, removed alone, and cleared with all; ids are never reused", async () => {
  await using test = await openStore();
  const { store } = test;
  const { id } = await store.add(reset());
  await store.replace([reset({ note: "a" }), reset({ note: "b" })]);
  const ids = store.list().map((fault) => fault.id);
  expect([...ids, id].toSorted((a, b) => a - b)).toEqual([id, ...ids]);
  expect([await store.remove(ids[0] ?? 0), await store.remove(ids[0] ?? 0)]).toEqual([true, false]);
  expect(store.list()).toMatchObject([{ note: "b" }]);
  expect([await store.clear(), store.isEmpty()]).toEqual([1, true]);
  await test.reopen();
  expect(test.store.list()).toEqual([]);
  expect((await test.store.add(reset())).id).toBeGreaterThan(Math.max(...ids));
});

it("the fault store skips faults of another version that this one does not know", async () => {
  await using test = await openStore();
  await test.db
    .insertInto("sim_faults")
    .values({ input: JSON.stringify({ kind: "of_tomorrow", params: {} }), hits: 0, draws: 0 })
    .execute();
  await test.reopen();
  expect(test.store.list()).toEqual([]);
});

it("the fault store has kinds for each situation of the platform worth testing, and no other", () => {
  const kinds = simFaultInputSchema.options.map(({ shape }) => shape.kind.value);
  expect(Object.values(faultSituations).flat().toSorted()).toEqual(kinds.toSorted());
  // The rows of the description of the provider; how receivers answer is watched at every delivery, without a fault.
  expect(Object.keys(faultSituations)).toEqual([
    "forged signature",
    "forged but validly shaped, order unpaid",
    "duplicate",
    "out of order",
    "lost",
    "delayed",
    "platform key switched",
    "wrong amount",
    "foreign",
    "malformed",
    "return_code FAIL",
    "result_code FAIL",
    "result_code SUCCESS, trade_state not",
    "notification result_code FAIL, order paid",
    "PAYERROR",
    "USERPAYING",
    "ORDERNOTEXIST right after creation",
    "close against pay",
    "refund PROCESSING",
    "time-outs",
    "identity API",
  ]);
});

it("the fault store describes every kind and every parameter", () => {
  for (const option of simFaultInputSchema.options) {
    expect([option.shape.kind.value, option.description?.length]).toEqual([
      option.shape.kind.value,
      expect.any(Number),
    ]);
    const { shape } = option.shape.params.unwrap();
    for (const [name, param] of Object.entries(shape))
      expect([option.shape.kind.value, name, param.description]).toEqual([
        option.shape.kind.value,
        name,
        expect.stringMatching(/\w{3}/),
      ]);
  }
});
