/** The control routes for faults: what they take, refuse and keep. */
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { startFaultedProvider, type FaultedProvider } from "../../../support/payments/faulted-provider.ts";

let test: FaultedProvider;
beforeAll(async () => void (test = await startFaultedProvider()));
afterEach(async () => void (await test.clear()));
afterAll(() => test[Symbol.asyncDispose]());

async function send(method: string, path: string, body?: unknown, headers: Record<string, string> = {}) {
  const response = await fetch(`${test.provider.url}/sim${path}`, {
    method,
    headers: { "Content-Type": "application/json", ...headers },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  return { status: response.status, body: (text === "" ? undefined : JSON.parse(text)) as unknown };
}

const kept = {
  kind: "err_code",
  params: { code: "SYSTEMERROR", calls: ["orderquery"] },
  scope: { mch_id: "1900000109", out_trade_no: "KEPT-1" },
  times: 3,
  probability: 0.5,
  seed: 9,
  note: "why",
};

describe("/sim/faults", () => {
  it("adds a fault with 201 and lists it with its defaults, its hits, and whether it is spent", async () => {
    const { status, body } = await send("POST", "/faults", { kind: "reset" });
    expect(status).toBe(201);
    const shown = {
      id: expect.any(Number),
      kind: "reset",
      params: { when: "before" },
      scope: {},
      probability: 1,
      seed: 1,
      hits: 0,
      recent_hits: [],
      spent: false,
    };
    expect(body).toEqual(shown);
    expect(await send("GET", "/faults")).toEqual({ status: 200, body: { faults: [shown] } });
  });

  it("replaces all of them, or none where one is wrong", async () => {
    await send("POST", "/faults", { kind: "reset" });
    const { status, body } = await send("PUT", "/faults", { faults: [kept, { kind: "notification_lost" }] });
    expect([status, body]).toMatchObject([200, { faults: [kept, { kind: "notification_lost" }] }]);
    expect(await send("PUT", "/faults", { faults: [{ kind: "reset" }, { kind: "err_code" }] })).toMatchObject({
      status: 400,
      body: { code: "invalid_request", Message: expect.stringMatching(/^faults\.1\.params\.code: /) },
    });
    expect(await test.list()).toMatchObject([kept, { kind: "notification_lost" }]);
  });

  it("removes one, answers 404 for one that is not there, and removes all", async () => {
    const { id } = await test.add({ kind: "reset" });
    await test.add({ kind: "truncated_body" });
    expect(await send("DELETE", `/faults/${String(id)}`)).toEqual({ status: 204, body: undefined });
    expect(await send("DELETE", `/faults/${String(id)}`)).toMatchObject({ status: 404, body: { code: "not_found" } });
    expect(await send("DELETE", "/faults/first")).toMatchObject({
      status: 400,
      body: { Message: "id: must be a number" },
    });
    expect(await test.list()).toMatchObject([{ kind: "truncated_body" }]);
    expect(await send("DELETE", "/faults")).toEqual({ status: 204, body: undefined });
    expect(await test.list()).toEqual([]);
  });

  it.each([
    [{}, "kind", "must be one of return_code_fail, err_code, "],
    [{ kind: "unheard_of" }, "kind", "must be one of"],
    [{ kind: "err_code" }, "params.code", "is missing"],
    [{ kind: "err_code", params: { code: "NO_SUCH" } }, "params.code", "must be one of"],
    [{ kind: "reset", params: { calls: ["unifiedorders"] } }, "params.calls.0", "must be one of"],
    [{ kind: "reset", params: { after: 1 } }, "after", "is not a known field"],
    [{ kind: "reset", times: 0 }, "times", "must be at least 1"],
    [{ kind: "reset", probability: 1.5 }, "probability", "must be at most 1"],
    [{ kind: "reset", scope: { out_trade_no: "two words" } }, "scope.out_trade_no", "1 to 64 of"],
    [{ kind: "reset", hits: 3 }, "hits", "omit it"],
    [{ kind: "identity_reset", scope: {} }, "scope", "omit it"],
    [{ kind: "identity_errcode", params: { errcode: 7 } }, "params.errcode", "must be an errcode"],
    [{ kind: "notification_duplicate", params: { copies: 11 } }, "params.copies", "must be at most 10"],
    [{ kind: "notification_delayed" }, "params.by_ms", "set either by_ms or until"],
    [{ kind: "wrong_amount", params: { where: "both" } }, "params.by", "set by (not 0) or currency"],
    [{ kind: "user_paying", params: { outcome: "SUCCESS" } }, "params.after_queries", "set after_queries or"],
  ])("refuses %j, naming %s and what to do", async (fault, field, advice) => {
    const { status, body } = await send("POST", "/faults", fault);
    expect([status, body]).toMatchObject([
      400,
      { code: "invalid_request", Message: expect.stringContaining(`${field}: `), details: [{ field }] },
    ]);
    expect((body as { Message: string }).Message).toContain(advice);
    expect(await test.list()).toEqual([]);
  });

  it("answers no page of another origin", async () => {
    const foreign = { Origin: "http://elsewhere.example" };
    expect(await send("GET", "/faults", undefined, foreign)).toMatchObject({ status: 403 });
    expect(await send("POST", "/faults", { kind: "reset" }, foreign)).toMatchObject({ status: 403 });
    expect(await test.list()).toEqual([]);
  });
});

describe("what is kept", () => {
  it("goes on after a restart as if there had been none, with the same chances", async () => {
    const told = async (count: number) => {
      const codes: unknown[] = [];
      for (let query = 0; query < count; query++) codes.push((await test.query("CHANCE-1")).said.err_code);
      return codes;
    };
    const fault = { kind: "err_code", params: { code: "BANKERROR" }, probability: 0.5, seed: 42 } as const;
    await test.add(fault);
    const whole = await told(16);
    expect(new Set(whole)).toEqual(new Set(["BANKERROR", "ORDERNOTEXIST"]));
    await test.clear();
    await test.add(fault);
    const first = await told(7);
    await test.restart();
    expect([...first, ...(await told(9))]).toEqual(whole);
    expect(await test.list()).toMatchObject([{ hits: whole.filter((code) => code === "BANKERROR").length }]);
  });

  it("goes with the rest of the state when that is put back, and comes back with it", async () => {
    await test.add({ kind: "order_not_exist", params: { queries: 2 } });
    await test.place("STATE-1");
    expect((await test.query("STATE-1")).said).toMatchObject({ err_code: "ORDERNOTEXIST" });
    const { body: state } = await send("GET", "/state");
    expect(await send("DELETE", "/state")).toMatchObject({ status: 200 });
    expect(await test.list()).toEqual([]);
    expect(await send("PUT", "/state", state)).toMatchObject({ status: 200 });
    expect(await test.list()).toMatchObject([{ kind: "order_not_exist", hits: 1 }]);
    expect((await test.query("STATE-1")).said).toMatchObject({ err_code: "ORDERNOTEXIST" });
    expect((await test.query("STATE-1")).said).toMatchObject({ trade_state: "NOTPAY" });
  });

  it("leaves no trace in the record of calls where there are no faults", async () => {
    await test.place("NONE-1");
    await test.query("NONE-1");
    expect((await test.callsOf("NONE-1")).map(({ faults, outcome }) => [faults, outcome])).toEqual([
      [[], "SUCCESS"],
      [[], "SUCCESS"],
    ]);
  });
});
