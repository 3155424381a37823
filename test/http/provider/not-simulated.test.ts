/** Published operations that the simulator does not have: a program must never take them for an answer of the platform. */
import { afterAll, describe, expect, it } from "vitest";
import {
  allOperations,
  publishedOperations,
  type PlatformOperation,
} from "../../../server/contract/provider/operations/published-operations.ts";
import type { EventPage } from "../../../server/contract/console/traffic/event-endpoints.ts";
import type { RequestPage } from "../../../server/contract/console/traffic/requests.ts";
import { callConsole } from "../../support/app/control-calls.ts";
import { startTestApp } from "../../support/app/test-app.ts";
import { eventually } from "../../support/eventually.ts";
import { startTestProvider } from "../../support/payments/test-provider.ts";

const provider = await startTestProvider();
afterAll(() => provider[Symbol.asyncDispose]());

const missing = publishedOperations.filter((operation) => operation.class === "not_simulated");
const addressOf = ({ path }: PlatformOperation) => path.replaceAll(/[{][^}]+[}]/g, "1234567890");
/** Two operations may differ in the names of their parameters alone. */
const anyParameter = (text: string) => text.replaceAll(/[{][^}]+[}]/g, "{}");
const formOf = ({ api, path }: PlatformOperation) =>
  api === "server" ? "errcode" : /[/]v3[/]/.test(path) ? "json" : "xml";

const call = (method: string, path: string) => fetch(`${provider.url}${path}`, { method, headers: { Accept: "*/*" } });

/** The fields that say what was refused, whatever the form. */
function refusalIn(form: string, text: string): [code: unknown, message: unknown] {
  if (form === "xml") {
    const field = (name: string) => new RegExp(`<${name}><!\\[CDATA\\[(.*?)\\]\\]>`).exec(text)?.[1];
    return [`${String(field("return_code"))} ${String(field("err_code"))}`, field("return_msg")];
  }
  const body = JSON.parse(text) as Record<string, unknown>;
  return form === "json" ? [body["code"], body["message"]] : [body["errcode"], body["errmsg"]];
}
const codes = { json: "NOT_SIMULATED", xml: "FAIL NOT_SIMULATED", errcode: -501 };

describe("a published operation that is not simulated", () => {
  it("answers 501 without a signature, in the form of its API, and names itself and the list", async () => {
    const wrong: string[] = [];
    for (const operation of missing) {
      const { method, path, product } = operation;
      const response = await call(method, addressOf(operation));
      const form = formOf(operation);
      const [code, message] = refusalIn(form, await response.text());
      const named = `Hearth does not simulate "${product.en}: ${method} ${anyParameter(path)}".`;
      const isRight =
        anyParameter(String(message)).startsWith(named) && String(message).includes(`${provider.url}/sim/fidelity`);
      if (response.status !== 501 || code !== codes[form] || !isRight)
        wrong.push(`${method} ${path}: ${String(response.status)} ${String(code)} ${String(message)}`);
    }
    expect(wrong).toEqual([]);
    expect(new Set(missing.map(formOf))).toEqual(new Set(["json", "xml", "errcode"]));
  }, 120_000);

  it("is told from one that the platform does not have, which keeps the platform's answer", async () => {
    const statusOf = async (method: string, path: string) => (await call(method, path)).status;
    expect(await statusOf("GET", "/v3/marketing/busifavor/stocks/1234567890")).toBe(501);
    expect(await statusOf("GET", "/v3/marketing/nothing/1234567890")).toBe(404);
    expect(await statusOf("PUT", "/v3/certificates")).toBe(405);
    expect(await statusOf("GET", "/hk/v3/transactions/id/1")).toBe(501);
    expect(await statusOf("GET", "/hk/v3/nothing")).toBe(404);
    expect(await statusOf("POST", "/wxa/getpluginopenpid/")).toBe(501);
    expect(await statusOf("POST", "/wxa/nothing")).toBe(404);
  });
});

describe("the list of operations", () => {
  it("GET /sim/fidelity answers every operation once, with its class", async () => {
    const list = (await (await call("GET", "/sim/fidelity")).json()) as { method: string; path: string }[];
    expect(list).toHaveLength(allOperations.length);
    expect(new Set(list.map(({ method, path }) => `${method} ${path}`)).size).toBe(list.length);
    const coupons = (await (await call("GET", "/sim/fidelity?product=Merchant%20coupons")).json()) as unknown[];
    expect(coupons).toContainEqual({
      ...{ method: "GET", path: "/v3/marketing/busifavor/stocks/{stock_id}" },
      ...{ product: "Merchant coupons", class: "not_simulated" },
    });
    expect(coupons.length).toBeLessThan(60);
  });
});

it("a call is recorded with its refusal, and raises its event once", async () => {
  await using app = await startTestApp();
  const simulator = app.provider.url;
  for (const id of ["1", "2"]) await fetch(`${simulator}/v3/marketing/busifavor/stocks/${id}`);
  const { requests } = await eventually(async () => {
    const page = (await (await callConsole(app, "GET", "/requests?status=501")).json()) as RequestPage;
    expect(page.requests).toHaveLength(2);
    return page;
  });
  expect(requests.map(({ error }) => error?.code)).toEqual(["not_simulated", "not_simulated"]);
  const { events } = (await (await callConsole(app, "GET", "/events?type=provider.not_simulated")).json()) as EventPage;
  expect(events.map(({ data }) => data)).toEqual([
    { method: "GET", path: "/v3/marketing/busifavor/stocks/{stock_id}", product: "Merchant coupons" },
  ]);
});
