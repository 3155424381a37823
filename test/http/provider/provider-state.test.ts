import type { ServerResponse } from "node:http";
import { describe, expect, it } from "vitest";
import { createMerchantV2 } from "../../support/payments/merchant-v2.ts";
import { notificationReceiver } from "../../support/payments/notification-receiver.ts";
import { allowTime } from "../../support/payments/receivers/receiver-checks.ts";
import { startTestProvider, type TestProvider } from "../../support/payments/test-provider.ts";

type Json = Record<string, unknown>;
interface State extends Json {
  saved_at: string;
  parts: { identity: Record<"sim_users" | "sim_settings", { rows: Json[]; last_id?: number }> };
}

const stateOf = async (provider: TestProvider) => (await provider.control("GET", "/state")) as unknown as State;
const put = async (provider: TestProvider, state: unknown) => {
  const response = await fetch(`${provider.url}/sim/state`, {
    method: "PUT",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(state),
  });
  return [response.status, (await response.json()) as Json] as const;
};
/** A provider with two people, who have done something, and a setting. */
async function startUsed() {
  const provider = await startTestProvider();
  const session = await provider.session("alice");
  await provider.control("POST", "/users/bob/location?deny");
  await provider.control("PATCH", "/users/bob", { blocked: true, nick_name: "鲍勃" });
  await provider.control("PATCH", "/settings", { errmsg_rid: false });
  return { provider, session };
}

describe("/sim/state", () => {
  it("is one document with people and settings, without codes, that another provider takes as it is", async () => {
    const { provider, session } = await startUsed();
    await using one = provider;
    await using other = await startTestProvider();
    await other.session("mallory");
    const code = await one.login("alice");
    const state = await stateOf(one);
    expect(state).toMatchObject({ format: "hearth-provider/1", saved_at: expect.any(String) });
    expect(JSON.stringify(state)).not.toContain(code);
    expect(await put(other, state)).toEqual([200, { parts: { identity: 2, mini_program: 0, payments: 0 } }]);
    for (const path of ["/users", "/users/alice/settings", "/users/bob/settings", "/settings"])
      expect(await other.control("GET", path), path).toEqual(await one.control("GET", path));
    expect(await other.session("alice")).toEqual(session);
    expect((await stateOf(other)).parts.identity.sim_users.rows).toHaveLength(2);
  });

  it("brings no notification of before over a reset", async () => {
    await using provider = await startTestProvider();
    await using receiver = await notificationReceiver();
    for (let round = 1; round <= 5; round++) {
      await createMerchantV2(provider).paid(`BEFORE_${String(round)}`, { notify_url: receiver.url });
      await expect.poll(() => receiver.received.length, { interval: 1 }).toBe(round);
      await fetch(`${provider.url}/sim/state`, { method: "DELETE" });
      expect(await provider.control("GET", "/notifications")).toMatchObject({ notifications: [] });
    }
  });

  it("leaves a loaded notification as it is when one of before, which had its id, is answered", async () => {
    await using saved = await startTestProvider();
    await using loaded = await startTestProvider();
    await using receiver = await notificationReceiver();
    const arrived = Promise.withResolvers<ServerResponse>();
    await using slow = await notificationReceiver((_, response) => arrived.resolve(response));
    const notifications = async (provider: TestProvider) =>
      (await provider.control("GET", "/notifications"))["notifications"];
    await createMerchantV2(saved).paid("SAVED_ORDER", { notify_url: receiver.url });
    await expect.poll(() => notifications(saved)).toMatchObject([{ id: 1, state: "accepted" }]);

    await allowTime(loaded.url);
    await createMerchantV2(loaded).place("ORDER_BEFORE", { notify_url: slow.url });
    const sending = loaded.control("POST", "/orders/ORDER_BEFORE/notifications", {
      kind: "forged_success",
      params: {},
    });
    const response = await arrived.promise;
    expect((await put(loaded, await stateOf(saved)))[0]).toBe(200);
    response.end();
    expect(await sending).toMatchObject({ deliveries: [{ status: 200 }] });
    expect(await notifications(loaded)).toMatchObject([
      { id: 1, out_trade_no: "SAVED_ORDER", state: "accepted", attempts: [] },
    ]);
  });

  it("gives a session key as long to live as it had when the state was saved", async () => {
    const { provider, session } = await startUsed();
    await using one = provider;
    const state = await stateOf(one);
    one.clock.offsetMs = 30 * 24 * 3_600_000;
    expect((await put(one, state))[0]).toBe(200);
    expect((await one.session("alice")).session_key).toBe(session.session_key);
    await put(one, { ...state, saved_at: undefined });
    expect((await one.session("alice")).session_key).not.toBe(session.session_key);
  });

  it("ends codes that were given out before it is replaced, and lasts over a restart", async () => {
    const { provider } = await startUsed();
    await using one = provider;
    const code = await one.login("alice");
    await put(one, { format: "hearth-provider/1", parts: {} });
    expect(await one.exchange(code)).toMatchObject({ errcode: 40029 });
    await one.restart();
    expect([await one.control("GET", "/users"), await one.control("GET", "/settings")]).toMatchObject([
      [],
      { errmsg_rid: true },
    ]);
  });

  it("is as at the first start after DELETE, which answers how many people there were", async () => {
    const { provider } = await startUsed();
    await using one = provider;
    expect(await one.control("DELETE", "/state")).toEqual({ parts: { identity: 2, mini_program: 0, payments: 0 } });
    expect(await one.control("GET", "/users")).toEqual([]);
    expect(await one.control("GET", "/settings")).toMatchObject({ errmsg_rid: true });
  });

  it.each<[string, (state: State) => unknown, string]>([
    ["another format", (state) => ({ ...state, format: "hearth-data/1" }), "format"],
    ["no parts", (state) => ({ ...state, parts: undefined }), "parts"],
    ["an unknown part", (state) => ({ ...state, parts: { ...state.parts, nothing: {} } }), "nothing"],
    [
      "an unknown table",
      ({ parts, ...state }) => ({ ...state, parts: { identity: { ...parts.identity, sim_codes: { rows: [] } } } }),
      "identity.sim_codes",
    ],
    ["a person with a broken key", changed({ session_key: "short" }), "identity.sim_users.1.session_key"],
    ["a person with an unknown field", changed({ age: 7 }), "identity.sim_users.1.age"],
    ["a person with a broken number", changed({ phone_number: "+1" }), "identity.sim_users.1.phone_number"],
    ["two people of one name", changed({ name: "alice" }), "parts"],
    [
      "a value that the setting cannot have",
      ({ parts, ...state }) => ({
        ...state,
        parts: { identity: { ...parts.identity, sim_settings: { rows: [{ name: "errmsg_rid", value: "7" }] } } },
      }),
      "identity.sim_settings.0.value",
    ],
  ])("with %s is answered 400 naming it, and changes nothing", async (_what, change, field) => {
    const { provider } = await startUsed();
    await using one = provider;
    const { parts } = await stateOf(one);
    const [status, answer] = await put(one, change(await stateOf(one)));
    expect([status, answer]).toMatchObject([400, { details: [{ field }], Message: expect.stringContaining(field) }]);
    expect((await stateOf(one)).parts).toEqual(parts);
  });

  it("keeps what another version has set, unread", async () => {
    await using one = await startTestProvider();
    const rows = [
      { name: "of_another_version", value: "{}" },
      { name: "errmsg_rid", value: "false" },
    ];
    const state = { format: "hearth-provider/1", parts: { identity: { sim_settings: { rows } } } };
    expect((await put(one, state))[0]).toBe(200);
    expect(await one.control("GET", "/settings")).toMatchObject({ errmsg_rid: false });
  });
});

function changed(change: Json): (state: State) => State {
  return (state) => {
    Object.assign(state.parts.identity.sim_users.rows[1] ?? {}, change);
    return state;
  };
}
