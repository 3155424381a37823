/** npm node-easywechat, which we did not write, as the server of a mini-program. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { createMerchantV2 } from "../support/payments/merchant-v2.ts";
import { prepareServerCalls, serverCalls } from "../support/payments/server-calls.ts";
import { startTestProvider, type TestProvider } from "../support/payments/test-provider.ts";
import { thirdParty } from "../support/third-party.ts";

let provider: TestProvider;
const order = { mchId: "1900000109", outTradeNo: "EASY_SHIPPED" };
beforeAll(async () => {
  provider = await startTestProvider();
  await prepareServerCalls(provider);
  await createMerchantV2(provider).paid(order.outTradeNo);
});
afterAll(() => provider[Symbol.asyncDispose]());

async function createApp(use_stable_access_token = false) {
  const { default: MiniApp } = await thirdParty("node-easywechat/dist/MiniApp/Application.js");
  const { appid: app_id, secret } = provider.app;
  const app = new MiniApp({
    app_id,
    secret,
    use_stable_access_token,
    http: { baseURL: `${provider.url}/`, throw: true },
  });
  // Its own cache is a file that outlives the test.
  const kept = new Map<string, unknown>();
  app.setCache({
    get: async (name: string) => kept.get(name),
    has: async (name: string) => kept.has(name),
    set: async (name: string, value: unknown) => Boolean(kept.set(name, value)),
    delete: async (name: string) => kept.delete(name),
  });
  return app;
}

it("node-easywechat logs a user in, by its own call", async () => {
  const app = await createApp();
  const session = await app.getUtils().codeToSession(await provider.login("easy"));
  expect(session).toMatchObject({ openid: expect.any(String), session_key: expect.any(String) });
});

it.each([false, true])("node-easywechat gets a token by itself, a stable one: %s", async (stable) => {
  const app = await createApp(stable);
  const client = app.getClient();
  const body = { appid: provider.app.appid };
  const reply = await client.request("POST", "/wxa/sec/order/is_trade_managed", { json: body });
  expect(reply.toObject()).toEqual({ errcode: 0, errmsg: "ok", is_trade_managed: true });
});

it("node-easywechat makes every call of the API for servers, with its own token", async () => {
  const client = (await createApp()).getClient();
  const calls = Object.entries(serverCalls(provider, order));
  const answers: Record<string, unknown> = {};
  for (const [operation, { request }] of calls) {
    const [method, path] = operation.split(" ");
    const { query, body } = await request();
    const { access_token: _own, ...params } = query;
    const reply = await client.request(method, path, { params, ...(body && { json: body }) });
    const isJson = String(reply.getHeader("content-type")).includes("json");
    answers[operation] = isJson ? (reply.toObject().errcode ?? 0) : reply.getHeader("content-type");
  }
  expect(answers).toEqual(
    Object.fromEntries(
      calls.map(([operation]) => [operation, /code$|codeunlimit$|qrcode$/.test(operation) ? "image/png" : 0]),
    ),
  );
});
