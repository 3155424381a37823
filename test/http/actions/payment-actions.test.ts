import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import type { OrderResult } from "../../../server/actions/payments/order-result.ts";
import { startActionScene, type ActionScene } from "../../support/action-scene.ts";

let scene: ActionScene;
beforeAll(async () => (scene = await startActionScene()));
afterAll(() => scene[Symbol.asyncDispose]());
beforeEach(async () => void (await scene.json("reset", "orders", "provider", "faults")));

const order = async (...words: string[]) => (await scene.json(...words)) as OrderResult;

it("pays an order by its id, its number, the beginning of its number, and last", async () => {
  for (const nameOf of [
    ({ server }: OrderResult) => String(server?.id),
    ({ out_trade_no }: OrderResult) => out_trade_no,
    ({ out_trade_no }: OrderResult) => out_trade_no.slice(0, -4),
    () => "last",
  ]) {
    const placed = await order("order", "--amount", "199");
    expect(placed).toMatchObject({ trade_state: "NOTPAY", amount: 199, server: { trade_state: "NOTPAY" } });
    const paid = await order("pay", nameOf(placed));
    expect(paid).toMatchObject({
      out_trade_no: placed.out_trade_no,
      trade_state: "SUCCESS",
      server: { trade_state: "SUCCESS", settled: true },
    });
    await scene.json("reset", "orders", "provider");
  }
});

it("keeps an order open whose payment failed, with the reason", async () => {
  await order("order", "--amount", "199");
  expect(await order("pay", "last", "--fail", "no_funds")).toMatchObject({
    trade_state: "NOTPAY",
    failed_attempts: ["no_funds"],
  });
  expect((await scene.hearth("orders", "show", "last")).stdout).toMatch(/^failed +no_funds$/m);
});

it("refunds an order in parts, up to what is left", async () => {
  await order("order", "--amount", "199");
  await order("pay", "last");
  expect(await order("refund", "last", "--amount", "100")).toMatchObject({ refunds: [{ amount: 100 }] });
  const { refunds } = await order("refund", "last");
  expect(refunds.map(({ amount }) => amount).toSorted((one, other) => one - other)).toEqual([99, 100]);
  const { code, problem } = await scene.hearth("refund", "last", "--amount", "1");
  expect([code, problem]).toEqual([1, expect.stringMatching(/refund/)]);
});

it("sends a notification once, twice, or with a forged signature, which Hearth's own server refuses", async () => {
  await order("order", "--amount", "199");
  await order("pay", "last");
  const sent = async (...flags: string[]) =>
    ((await scene.json("notify", "last", ...flags)) as { deliveries: { accepted: boolean }[] }).deliveries.map(
      ({ accepted }) => accepted,
    );
  expect(await sent()).toEqual([true]);
  expect(await sent("--again")).toEqual([true, true]);
  expect(await sent("--forged", "--late", "1ms")).toEqual([false]);
});

it("lists the newest orders when the named one does not exist", async () => {
  const { out_trade_no } = await order("order", "--amount", "199");
  expect(await scene.hearth("pay", "77")).toMatchObject({
    code: 1,
    problem: `Order 77 does not exist. The newest are ${out_trade_no} (NOTPAY).`,
  });
});

it.each([
  ["order", "flag --amount is missing"],
  ["order --amount 1.5", '--amount: "1.5" is not valid (a whole number is required)'],
  ["order --amount 0", "--amount: 0 is not valid (at least 1)"],
  ["order --amount 1 --type CASH", '--type: "CASH" is not valid (one of JSAPI, NATIVE, APP, MWEB)'],
  ["pay", "pay needs an order: its number, or last; `hearth orders` lists them"],
  ["pay last --fail rain", '--fail: "rain" is not valid (one of bank, cancel, wrong_password, no_funds)'],
  [
    "notify last --late 10",
    '--late: "10" is not valid (a number with a unit is required, such as 500ms, 10s, 5m, 2h or 1d)',
  ],
  ["notify last --again --forged", "--again and --forged cannot be combined."],
])("hearth %s ends with 2 and names the flag or argument", async (line, problem) => {
  expect(await scene.hearth(...line.split(" "))).toEqual({ code: 2, stdout: "", problem });
});
