/** Faults of the simulated identity API: each kind once, the calls that they are for, and every errcode. */
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import type { SimFaultKind } from "../../../../server/contract/provider/sim-faults.ts";
import { identityErrcode } from "../../../../server/contract/provider/sim-identity-faults.ts";
import {
  playOnce,
  startFaultedProvider,
  type FaultedProvider,
  type Scenario,
} from "../../../support/payments/faulted-provider.ts";

let test: FaultedProvider;
beforeAll(async () => void (test = await startFaultedProvider()));
afterEach(async () => void (await test.clear()));
afterAll(() => test[Symbol.asyncDispose]());

const session = async () => test.provider.exchange(await test.provider.login("alice"));
const sessionFetch = async () => {
  const code = await test.provider.login("alice");
  const { appid, secret } = test.provider.app;
  return fetch(
    `${test.provider.url}/sns/jscode2session?appid=${appid}&secret=${secret}&js_code=${code}&grant_type=authorization_code`,
  );
};

const scenarios: Record<Extract<SimFaultKind, `identity_${string}`>, Scenario> = {
  identity_errcode: {
    params: { errcode: 45011 },
    act: async () => expect(await session()).toMatchObject({ errcode: 45011 }),
  },
  identity_slow: {
    params: { delay_ms: 1 },
    act: async () => expect(await session()).toMatchObject({ errcode: 0 }),
  },
  identity_http_status: {
    params: { status: 503 },
    act: async () => expect((await sessionFetch()).status).toBe(503),
  },
  identity_no_answer: {
    async act() {
      const patience = new AbortController();
      const { appid, secret } = test.provider.app;
      const answer = fetch(`${test.provider.url}/cgi-bin/token?appid=${appid}&secret=${secret}`, {
        signal: patience.signal,
      });
      await test.hit();
      patience.abort();
      await expect(answer).rejects.toThrow();
    },
  },
  identity_reset: {
    act: async () => expect(sessionFetch()).rejects.toThrow("fetch failed"),
  },
  identity_truncated: {
    async act() {
      const response = await sessionFetch();
      expect(response.status).toBe(200);
      await expect(response.text()).rejects.toThrow("terminated");
    },
  },
};

describe.each(Object.entries(scenarios))("the fault %s", (kind, scenario) => {
  it("does what its description says once, and shows that it has", () => playOnce(test, kind, scenario));
});

describe("an errcode", () => {
  it.each([...identityErrcode.values])(
    "%i is answered as the platform answers it, with 200 and a text",
    async (errcode) => {
      await test.add({ kind: "identity_errcode", params: { errcode } });
      const response = await sessionFetch();
      expect(response.status).toBe(200);
      expect(await response.json()).toEqual({
        errcode,
        errmsg: expect.stringMatching(/^[\w ,-]+, rid: [0-9a-f-]{26}$/),
      });
    },
  );

  it("does not use up a login code, as nothing was looked at", async () => {
    await test.add({ kind: "identity_errcode", params: { errcode: -1 }, times: 1 });
    const code = await test.provider.login("bob");
    expect(await test.provider.exchange(code)).toMatchObject({ errcode: -1 });
    expect(await test.provider.exchange(code)).toMatchObject({ errcode: 0 });
  });

  it("is for the calls that are named, and for no payment", async () => {
    await test.add({ kind: "identity_errcode", params: { errcode: 40001, calls: ["getuserphonenumber", "token"] } });
    expect(await session()).toMatchObject({ errcode: 0 });
    expect(await test.provider.postJson("/wxa/business/getuserphonenumber", {}, {})).toMatchObject({ errcode: 40001 });
    expect((await test.place("IDENTITY-ASIDE")).said).toMatchObject({ result_code: "SUCCESS" });
  });
});

describe("a fault is for what the simulator serves, however its path is written", () => {
  it.each([
    ["GET", "/cgi-bin/token"],
    ["GET", "/cgi-bin/token/"],
    ["GET", "/CGI-BIN/Token"],
    ["GET", "/cgi-bin/token//"],
    ["GET", "/cgi-bin//token"],
    ["GET", "/cgi-bin/%74oken"],
    ["GET", "/token"],
    ["GET", "/elsewhere/token"],
    ["GET", "/cgi-bin/stable_token"],
    ["POST", "/wxa/checksession/"],
    ["GET", "/wxa/checksession/"],
  ])("%s %s", async (method, path) => {
    const errcode = async () =>
      ((await (await fetch(`${test.provider.url}${path}`, { method })).json()) as { errcode: number }).errcode;
    const isServed = (await errcode()) !== 40066;
    const { id } = await test.add({ kind: "identity_errcode", params: { errcode: 45011 } });
    expect(await errcode()).toBe(isServed ? 45011 : 40066);
    expect(await test.hits(id)).toBe(isServed ? 1 : 0);
  });
});
