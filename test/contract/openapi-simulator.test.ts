/** The description of the simulator's control routes names every one of them, and calls that it describes work. */
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { writeApiDocs } from "../../build/docs/write-api-docs.ts";
import { readDescription, type Operation } from "../support/app/api-description.ts";
import type { Call } from "../support/app/described-call.ts";
import { send, sentType } from "../support/app/described-calls.ts";
import { invalidCalls } from "../support/app/invalid-calls.ts";
import { noApiDocs } from "../support/app/no-api-docs.ts";
import { undeclared } from "../support/app/reply-checker.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { beginContract, beginShare, beginTransfer } from "../support/payments/begin-money-moves.ts";
import { createMerchantV2, type MerchantV2 } from "../support/payments/merchant-v2.ts";
import { pushReceiver, pushSecrets } from "../support/payments/push-receiver.ts";
import { simEndpoints } from "../support/payments/sim-endpoints.ts";
import { writeLaunchLink } from "../../server/provider/identity/mini-program/launch-links.ts";
import { startTestProvider, type TestProvider } from "../support/payments/test-provider.ts";

const files = temporaryFolder();
const folder = join(files.path, "api-docs");
let provider: TestProvider;
let merchant: MerchantV2;
let receiver: Awaited<ReturnType<typeof pushReceiver>>;
let described: Operation[];
beforeAll(async () => {
  await writeApiDocs(folder);
  provider = await startTestProvider({}, { ...noApiDocs, folder });
  merchant = createMerchantV2(provider);
  receiver = await pushReceiver();
  described = await readDescription(`${provider.url}/sim/openapi.json`);
});
afterAll(async () => {
  await provider[Symbol.asyncDispose]();
  await receiver[Symbol.asyncDispose]();
  files[Symbol.dispose]();
});

let unique = 0;
/** The number of an order of its own; paid where it says so. */
async function order(fields: Record<string, string> = {}, paid = false): Promise<string> {
  const number = `DESCRIBED_${String(++unique)}`;
  await merchant.place(number, fields);
  if (paid) await merchant.pay(number);
  return number;
}
const prepayId = async () => {
  const { order: native } = await provider.control("GET", `/orders/${await order({ trade_type: "NATIVE" })}`);
  return (native as { prepay_id: string }).prepay_id;
};
/** Of a check that has begun; there is one at a time. */
const checkId = async () => {
  await provider.control("POST", "/receiver-checks", { notify_url: `${provider.url}/healthz` });
  const { checks } = (await provider.control("GET", "/receiver-checks")) as { checks: { id: number }[] };
  return String(checks[0]?.id);
};
/** The number of an order that is shipped. */
async function shippedOrder(): Promise<string> {
  const number = await order({}, true);
  const parcel = {
    ...{ order_key: { order_number_type: 1, mchid: "1900000109", out_trade_no: number }, logistics_type: 3 },
    ...{ delivery_mode: 1, shipping_list: [{ item_desc: "tea" }], upload_time: "2026-01-01T00:00:00Z" },
    payer: { openid: "oUpF8uMuAJO_M2pxb1Q9zNjWeS6o" },
  };
  await provider.postJson(
    "/wxa/sec/order/upload_shipping_info",
    { access_token: await provider.accessToken() },
    parcel,
  );
  return number;
}
const reminder = { event: "trade_manage_remind_access_api" };
const harmless = { kind: "identity_slow", params: { delay_ms: 0 } };

/** What an operation needs that its description cannot say. */
const recipes: Readonly<Record<string, () => Promise<Partial<Pick<Call, "params" | "body">>>>> = {
  getSimOrder: async () => ({ params: { out_trade_no: await order() } }),
  listSimMoneyMoves: async () => ({ params: { out_trade_no: await order() } }),
  paySimOrder: async () => ({ params: { out_trade_no: await order() } }),
  failSimOrder: async () => ({ params: { out_trade_no: await order() } }),
  askPasswordOfSimOrder: async () => ({ params: { out_trade_no: await order({ trade_type: "NATIVE" }) } }),
  closeSimOrder: async () => ({ params: { out_trade_no: await order() } }),
  expireSimOrder: async () => ({ params: { out_trade_no: await order() } }),
  notifyOfSimOrder: async () => {
    const number = await order({}, true);
    await expect.poll(() => provider.control("POST", `/orders/${number}/notify`)).toHaveProperty("deliveries");
    return { params: { out_trade_no: number } };
  },
  sendAboutSimOrder: async () => ({ params: { out_trade_no: await order({}, true) }, body: { kind: "genuine" } }),
  finishSimRefund: async () => {
    const number = await order({}, true);
    await provider.control("PATCH", "/settings", { refund_seconds: 3_600 });
    const refunded = await merchant.refund(number, `R_${number}`);
    return { params: { refund_id: refunded.fields["refund_id"] ?? "" } };
  },
  getSimPayPage: async () => ({ params: { prepay_id: await prepayId() } }),
  postSimPayPage: async () => ({ params: { prepay_id: await prepayId() }, body: { outcome: "cancel" } }),
  getSimPayCode: async () => ({ params: { prepay_id: await prepayId() } }),
  createSimFault: async () => ({ body: harmless }),
  replaceSimFaults: async () => ({ body: { faults: [harmless] } }),
  deleteSimFault: async () => ({ params: { id: String((await provider.control("POST", "/faults", harmless))["id"]) } }),
  putSimMerchant: async () => ({
    params: { mch_id: "1900000777" },
    body: { app_ids: ["wx0000000000000777"], api_v2_key: "a".repeat(32), api_v3_key: "b".repeat(32) },
  }),
  simLaunch: async () => ({
    body: { link: writeLaunchLink("scheme", { path: "pages/menu", query: "", env_version: "release" }) },
  }),
  finishSimShare: async () => ({ params: { order_id: await beginShare(provider) }, body: {} }),
  putSimShareSettings: () => Promise.resolve({ body: { max_ratio: 3000 }, params: { mch_id: "1900000777" } }),
  confirmSimTransfer: async () => ({ params: { transfer_bill_no: await beginTransfer(provider) } }),
  failSimTransfer: async () => ({ params: { transfer_bill_no: await beginTransfer(provider) }, body: {} }),
  signSimContract: async () => ({ params: { contract_id: await beginContract(provider) }, body: {} }),
  refuseSimContract: async () => ({ params: { contract_id: await beginContract(provider) } }),
  terminateSimContract: async () => {
    const contract_id = await beginContract(provider);
    await provider.control("POST", `/contracts/${contract_id}/sign`, {});
    return { params: { contract_id }, body: {} };
  },
  failSimDeduction: async () => ({ params: { contract_id: await beginContract(provider) }, body: {} }),
  putSimPlan: () => Promise.resolve({ params: { plan_id: "12535" }, body: {} }),
  createSimComplaint: async () => ({ body: { out_trade_no: await order({}, true), detail: "Cold tea" } }),
  answerSimComplaint: async () => {
    const filed = { out_trade_no: await order({}, true), detail: "Cold tea" };
    return { params: { complaint_id: String((await provider.control("POST", "/complaints", filed))["complaint_id"]) } };
  },
  confirmSimReceipt: async () => ({ params: { out_trade_no: await shippedOrder() } }),
  putSimPushReceiver: async () => ({ body: { url: receiver.url, ...pushSecrets, format: "JSON", mode: "safe" } }),
  sendSimPush: async () => {
    await receiver.subscribe(provider);
    return { body: reminder };
  },
  replaySimPush: async () => {
    await receiver.subscribe(provider);
    return { params: { id: String((await provider.control("POST", "/pushes", reminder))["id"]) } };
  },
  putSimState: async () => ({ body: await provider.control("GET", "/state") }),
  createReceiverCheck: async () => ({ body: { notify_url: `${provider.url}/healthz` } }),
  getReceiverCheck: async () => ({ params: { id: await checkId() } }),
  cancelReceiverCheck: async () => ({ params: { id: await checkId() } }),
};

async function validCall(operation: Operation): Promise<Call> {
  const { method, path, operationId, parameters = [] } = operation;
  const type = sentType(operation);
  const inPath = parameters.filter((one) => one.in === "path");
  return {
    method,
    path,
    params: Object.fromEntries(inPath.map(({ name, example }) => [name, String(example)])),
    query: "",
    headers: type === undefined ? {} : { "Content-Type": type },
    body: type === undefined ? undefined : operation.requestBody?.content[type]?.example,
    ...(await recipes[operationId]?.()),
  };
}

/** Of a query these routes read what they know, as the platform does. */
const isLenient = (what: string) => /^query: (malformed|given twice|starts with)/.test(what);

it("describes every control route that there is, each with its text and with an example of what it takes", () => {
  const names = (all: readonly { method: string; path: string }[]) =>
    all.map(({ method, path }) => `${method} ${path}`).sort();
  expect(names(described)).toEqual(names(simEndpoints));
  for (const { operationId, requestBody, ...operation } of described) {
    expect(operation, operationId).toHaveProperty("summary");
    const { example } = requestBody?.content["application/json"] ?? { example: {} };
    if (operationId !== "putSimState") expect(example, operationId).toBeDefined();
  }
});

it("shows the description on a page whose scripts are on this server, and as YAML", async () => {
  const page = await (await fetch(`${provider.url}/sim/swagger`)).text();
  for (const [, part = ""] of page.matchAll(/(?:src|href)="([^"]+)"/g)) {
    expect(part).toMatch(/^\/sim\/swagger\//);
    expect((await fetch(provider.url + part)).status, part).toBe(200);
  }
  expect(await (await fetch(`${provider.url}/sim/swagger/swagger-ui-init.js`)).text()).toContain("/sim/openapi.json");
  const yaml = await fetch(`${provider.url}/sim/openapi.json?format=yaml`);
  expect([yaml.headers.get("content-type"), await yaml.text()]).toEqual([
    "application/yaml; charset=utf-8",
    expect.stringMatching(/^openapi: 3\.1\.0\n/),
  ]);
});

describe.each(simEndpoints.map(({ id, method, path }) => [`${method} ${path}`, id] as const))("%s", (_name, id) => {
  const find = () => {
    const operation = described.find(({ operationId }) => operationId === id);
    if (!operation) throw new Error(`${id} is not described`);
    return operation;
  };

  it("answers a described call with success, and as described", async () => {
    const operation = find();
    const reply = await send(await validCall(operation), { app: provider });
    expect(undeclared(operation, reply)).toEqual([]);
    expect(Object.keys(operation.responses).filter((status) => /^[23]/.test(status))).toContain(String(reply.status));
  });

  it("refuses what the description does not allow, as described", async () => {
    const operation = find();
    const valid = await validCall(operation);
    const calls = invalidCalls(operation, valid).filter(({ what }) => !isLenient(what));
    calls.push({ what: "another method", call: { ...valid, method: "PROPFIND", raw: null }, expected: [404] });
    for (const { what, call, expected } of calls) {
      const reply = await send(call, { app: provider });
      expect(undeclared(operation, reply), what).toEqual([]);
      expect(expected, `${what}: ${reply.text}`).toContain(reply.status);
    }
  });
});
