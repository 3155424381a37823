/**
 * Random lives of orders against both halves, over HTTP and real files: nothing is ever settled wrongly.
 * `HEARTH_FUZZ_LIVES` says how many lives (60 unless given), `HEARTH_FUZZ_SEED` with which seed. A failure names its seed
 * and path and the shortest life that fails: with these as `HEARTH_FUZZ_SEED` and `HEARTH_FUZZ_PATH`, and the test chosen
 * by `-t`, it is repeated.
 */
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { patienceMs } from "../../support/eventually.ts";
import { fuzzSeed } from "../../support/fuzz-seed.ts";
import { live, liveToTheEnd } from "../../support/payments/world/payment-lives.ts";
import { violations, violationsAtTheEnd } from "../../support/payments/world/payment-rules.ts";
import { life, type Step } from "../../support/payments/world/payment-steps.ts";
import { openPaymentWorld, type PaymentWorld } from "../../support/payments/world/payment-world.ts";
import { ignoresAmount, settlesTwice, trustsResultCode } from "../../support/payments/receivers/wrong-receivers.ts";

const variants = {
  "version 2, MD5": {},
  "version 2, HMAC-SHA256": { payment_sign_type: "HMAC-SHA256" },
  "version 3": { payment_version: "v3" },
} as const;
const names = Object.keys(variants) as (keyof typeof variants)[];
const numRuns = Math.ceil(Number(process.env["HEARTH_FUZZ_LIVES"] ?? 60) / names.length);
const path = process.env["HEARTH_FUZZ_PATH"];
const timeout = patienceMs + numRuns * 20_000;

/** What was wrong at some time of this life. */
async function wrongIn(world: PaymentWorld, steps: readonly Step[]): Promise<string[]> {
  const lived = await live(world, steps);
  const soFar = await violations(world, lived);
  await liveToTheEnd(world, lived);
  return [...new Set([...soFar, ...(await violationsAtTheEnd(world, lived))])];
}

/** Lives that were wrong once. */
const before: Readonly<Record<string, readonly Step[]>> = {
  "a refund that ends while query order fails": [
    { do: "place", type: "NATIVE", amount: 101 },
    { do: "pay", order: 0 },
    { do: "wait", seconds: 1 },
    { do: "fault", fault: { kind: "http_status", params: { when: "before", status: 500, calls: ["orderquery"] } } },
    { do: "refund", order: 0, percent: 50, times: 1 },
    { do: "wait", seconds: 5 },
    { do: "ask", order: 0 },
    { do: "wait", seconds: 600 },
  ],
  "a payment by code that version 3 does not have": [
    { do: "place", type: "JSAPI", amount: 1 },
    { do: "fault", fault: { kind: "reset", params: { when: "before" }, times: 1 } },
    { do: "pay by code", outcome: "paid" },
  ],
  "news of failed communication about an order that nobody has paid": [
    { do: "place", type: "JSAPI", amount: 1 },
    { do: "tell", kind: "notification_return_code_fail", order: 0 },
  ],
  "a restart in the millisecond of a query": [
    { do: "place", type: "JSAPI", amount: 1 },
    { do: "pay", order: 0 },
    { do: "reverse", order: 0 },
    {
      do: "at once",
      steps: [
        { do: "close", order: 0 },
        { do: "restart", what: "simulator" },
      ],
    },
    { do: "tell", kind: "wrong_amount", params: { by: 1 }, order: 0 },
  ],
  "a refund that is asked for again, and refused once it is made": [
    { do: "place", type: "NATIVE", amount: 200 },
    { do: "pay", order: 0 },
    { do: "wait", seconds: 1 },
    { do: "fault", fault: { kind: "notification_lost" } },
    { do: "fault", fault: { kind: "reset", params: { when: "before", calls: ["refund"] }, times: 2 } },
    { do: "refund", order: 0, percent: 25, times: 1 },
    { do: "fault", fault: { kind: "err_code", params: { when: "after", code: "ERROR", calls: ["refund"] }, times: 1 } },
    { do: "wait", seconds: 10 },
  ],
  "an order that is closed before it is placed, and asked for again": [
    { do: "fault", fault: { kind: "reset", params: { when: "before", calls: ["unifiedorder"] }, times: 2 } },
    { do: "place", type: "NATIVE", amount: 101 },
    { do: "close", order: 0 },
    { do: "place again", order: 0 },
    { do: "pay", order: 0 },
  ],
  "an order that has expired before it is placed, and is asked for again": [
    { do: "fault", fault: { kind: "reset", params: { when: "before", calls: ["unifiedorder"] }, times: 2 } },
    { do: "place", type: "NATIVE", amount: 101 },
    { do: "wait", seconds: 7_300 },
    { do: "place again", order: 0 },
    { do: "pay", order: 0 },
  ],
};

describe.each(names)("random lives of orders, %s", (name) => {
  const open = () => openPaymentWorld({ settings: variants[name] });
  let world: PaymentWorld;
  beforeAll(async () => {
    world = await open();
  });
  afterAll(() => world[Symbol.asyncDispose]());

  /** Lives share a world, but none has to live with what a life that has failed has left. */
  async function expectRight(steps: readonly Step[]): Promise<void> {
    const wrong = await wrongIn(world, steps).catch((error: unknown) => [String(error)]);
    if (wrong.length === 0) return;
    await world[Symbol.asyncDispose]();
    world = await open();
    expect(wrong).toEqual([]);
  }

  it(
    "end with every order settled once if it is paid, and not at all if it is not, whatever happens",
    async () => {
      // Each version has lives of its own.
      const options = { numRuns, seed: fuzzSeed + names.indexOf(name), ...(path !== undefined && { path }) };
      await fc.assert(fc.asyncProperty(life, expectRight), options);
    },
    timeout,
  );

  it.each(Object.entries(before))("end rightly with %s", async (_, steps) => {
    await expectRight(steps);
  });
});

describe("a faulty receiver that", () => {
  const paid: readonly Step[] = [
    { do: "place", type: "NATIVE", amount: 101 },
    { do: "pay", order: 0 },
  ];
  const wrongAmount = { kind: "wrong_amount", params: { where: "both", by: -1 } } as const;
  const rows = [
    {
      what: "trusts result_code",
      createSettle: trustsResultCode,
      steps: [paid[0], { do: "tell", kind: "forged_success", order: 0 }],
      found: "settled, but not paid at the provider",
    },
    {
      what: "settles twice",
      createSettle: settlesTwice,
      steps: [...paid, { do: "tell", kind: "genuine", order: 0 }],
      found: "settled 1 time(s), but 2, 1, 1 by events, history and table",
    },
    {
      what: "ignores the amount",
      createSettle: ignoresAmount,
      steps: [{ do: "fault", fault: wrongAmount }, ...paid],
      found: "settled, though query order never said so with the right amount",
    },
  ] as { what: string; createSettle: typeof settlesTwice; steps: Step[]; found: string }[];

  const settings = { payment_timeout_ms: patienceMs }; // no answer is held back
  let right: PaymentWorld;
  beforeAll(async () => {
    right = await openPaymentWorld({ settings });
  });
  afterAll(() => right[Symbol.asyncDispose]());

  it.each(rows)("$what is found", async ({ createSettle, steps, found }) => {
    expect(await wrongIn(right, steps)).toEqual([]);
    await using wrong = await openPaymentWorld({ settings, createSettle });
    expect(await wrongIn(wrong, steps)).toContainEqual(expect.stringContaining(found));
  });
});
