/** The provider simulator on a thread of its own, as the `app` process runs it. */
import { once } from "node:events";
import { createServer, type AddressInfo } from "node:net";
import { expect, it } from "vitest";
import type { BusMessage } from "../../../server/contract/console/traffic/events.ts";
import { settingsSchema, type Settings } from "../../../server/contract/process/settings.ts";
import type { Exchange } from "../../../server/http/recording/request-recorder.ts";
import { PortInUseError } from "../../../server/http/connection/listen.ts";
import { createAdjustableClock } from "../../../server/time/adjustable-clock.ts";
import { startProviderThread } from "../../../server/provider/start-thread.ts";
import { consoleToken } from "../../support/app/console-token.ts";
import { noApiDocs } from "../../support/app/no-api-docs.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";

const entry = new URL("../../../server/provider/thread.ts", import.meta.url);

async function startThread(changed: Partial<Settings> = {}) {
  const folder = temporaryFolder();
  const settings = {
    ...settingsSchema.parse({ data_dir: folder.path, provider_port: 0, log_level: "silent" }),
    ...changed,
  };
  const clock = createAdjustableClock();
  const calls: Exchange[] = [];
  const take = (call: Exchange) => calls.push(call);
  const events: BusMessage[] = [];
  const publish = (event: BusMessage) => events.push(event);
  const options = { entry, settings, consoleToken, apiDocs: noApiDocs, clock, take, publish };
  const thread = startProviderThread(options);
  const close = async () => {
    await thread.close();
    folder[Symbol.dispose]();
  };
  const provider = await thread.opened.catch(async (error: unknown) => {
    await close();
    throw error;
  });
  return {
    ...provider,
    findProblem: thread.findProblem,
    clock,
    calls,
    events,
    close: () => thread.close(),
    [Symbol.asyncDispose]: close,
  };
}
type Thread = Awaited<ReturnType<typeof startThread>>;

const login = async ({ url }: Thread) => {
  const answer = await fetch(`${url}/sim/users/anna/login`, { method: "POST" });
  return ((await answer.json()) as { code: string }).code;
};

async function exchangeCode({ url, credentials }: Thread, code: string) {
  const query = { appid: credentials.app_id, secret: credentials.app_secret, js_code: code };
  const answer = await fetch(
    `${url}/sns/jscode2session?${String(new URLSearchParams({ ...query, grant_type: "authorization_code" }))}`,
  );
  return (await answer.json()) as { openid?: string; errcode?: number };
}

it("the simulator's thread answers health checks", async () => {
  await using thread = await startThread();
  expect(await thread.findProblem()).toBeUndefined();
});

it("the simulator's thread follows the clock of the process, however often that is moved", async () => {
  await using thread = await startThread();
  const code = await login(thread);
  thread.clock.offsetMs = 3_600_000;
  expect(await exchangeCode(thread, code)).toMatchObject({ errcode: 40029 });
  const later = await login(thread);
  thread.clock.offsetMs = 0;
  expect(await exchangeCode(thread, later)).toMatchObject({ errcode: 40029 });
  thread.clock.offsetMs = 3_600_000;
  expect(await exchangeCode(thread, later)).toMatchObject({ openid: expect.any(String) as string });
});

it("the simulator's thread hands over each exchange whole, with the reason of a refusal, before it ends", async () => {
  await using thread = await startThread();
  const body = JSON.stringify({ note: "ü".repeat(3_000) });
  const refused = await fetch(`${thread.url}/sim/nowhere?a=1`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body,
  });
  const answer = Buffer.from(await refused.arrayBuffer());
  await fetch(`${thread.url}/healthz`);
  await thread.close();
  expect(thread.calls).toHaveLength(1);
  const [call] = thread.calls;
  expect(call).toMatchObject({ service: "provider", method: "POST", target: "/sim/nowhere?a=1", status: 404 });
  expect(call?.notes.refusal).toMatchObject({ status: 404, code: "not_found" });
  const bytesOf = (chunks: readonly (string | Buffer)[]) => Buffer.concat(chunks.map((chunk) => Buffer.from(chunk)));
  expect(bytesOf(call?.requestBody.chunks ?? []).toString()).toBe(body);
  expect(bytesOf(call?.responseBody.chunks ?? [])).toEqual(answer);
});

it("the simulator's thread hands over its events", async () => {
  await using thread = await startThread();
  await fetch(`${thread.url}/v3/marketing/busifavor/stocks/1`);
  await thread.close();
  expect(thread.events).toMatchObject([{ type: "provider.not_simulated", source: "/provider" }]);
});

it("the simulator's thread hands over whose code was redeemed", async () => {
  await using thread = await startThread();
  await exchangeCode(thread, await login(thread));
  await thread.close();
  expect(thread.calls.map(({ notes }) => notes.person)).toEqual(["anna", "anna"]);
});

it("the simulator's thread hands over no exchange while recording is off", async () => {
  await using thread = await startThread({ record_requests: false });
  await login(thread);
  await thread.close();
  expect(thread.calls).toEqual([]);
});

it("the simulator's thread hands over its version 3 keys without recording a request", async () => {
  await using thread = await startThread();
  const keys = await thread.payments.keysV3();
  expect(keys).toMatchObject({ mch_id: thread.payments.credentials.mch_id });
  const shown = (await (await fetch(`${thread.url}/sim/credentials`)).json()) as typeof keys;
  expect(keys.merchant_serial).toBe(shown.merchant_serial);
  await thread.close();
  expect(thread.calls).toHaveLength(1);
});

it("the simulator's thread hands over its merchant's credentials, at the start and whenever they change", async () => {
  using folder = temporaryFolder();
  const put = async ({ url, payments }: Thread, api_v2_key: string) => {
    const body = JSON.stringify({ app_ids: ["wx0000000000000110"], api_v2_key, api_v3_key: "v".repeat(32) });
    const init = { method: "PUT", headers: { "Content-Type": "application/json" }, body };
    expect((await fetch(`${url}/sim/merchants/${payments.credentials.mch_id}`, init)).status).toBe(200);
  };
  const replaced = { app_id: "wx0000000000000110", mch_id: "1900000109", api_v3_key: "v".repeat(32) };
  {
    await using thread = await startThread({ data_dir: folder.path });
    await put(thread, "a".repeat(32));
    await expect.poll(() => thread.payments.credentials).toEqual({ ...replaced, api_v2_key: "a".repeat(32) });
    await put(thread, "b".repeat(32));
  }
  await using thread = await startThread({ data_dir: folder.path });
  expect(thread.payments.credentials).toEqual({ ...replaced, api_v2_key: "b".repeat(32) });
});

it("the simulator's thread can be ended before it has started", async () => {
  using folder = temporaryFolder();
  const settings = settingsSchema.parse({ data_dir: folder.path, provider_port: 0, log_level: "silent" });
  const thread = startProviderThread({
    entry,
    settings,
    consoleToken,
    apiDocs: noApiDocs,
    clock: createAdjustableClock(),
    take: () => undefined,
    publish: () => undefined,
  });
  await thread.close();
  const { url } = await thread.opened;
  await expect(fetch(url)).rejects.toThrow();
});

it("the simulator's thread names the setting with which it cannot listen", async () => {
  await expect(startThread({ host: "192.0.2.1" })).rejects.toMatchObject({
    code: "bad_setting",
    message: "host: 192.0.2.1 is not an address of this machine: choose 127.0.0.1, 0.0.0.0 or one of its addresses",
  });
});

it("the simulator's thread names a port that another program uses", async () => {
  const other = createServer().listen(0, "127.0.0.1");
  await once(other, "listening");
  const { port } = other.address() as AddressInfo;
  const failed = startThread({ provider_port: port });
  await expect(failed).rejects.toThrow(PortInUseError);
  await expect(failed).rejects.toMatchObject({ port });
  other.close();
});
