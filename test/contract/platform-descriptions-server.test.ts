/**
 * The simulator's API for the servers of mini-programs against a public client library's description of its fields. What
 * the description requires has to be refused without.
 */
import { afterAll, beforeAll, expect, it } from "vitest";
import { z } from "zod";
import { isObject } from "../../server/contract/is-object.ts";
import descriptions from "../../server/contract/provider/operations/descriptions.json" with { type: "json" };
import { publishedOperations } from "../../server/contract/provider/operations/published-operations.ts";
import { simulatedOperations } from "../../server/contract/provider/operations/simulated-operations.ts";
import { compareFields, compareReply, type FieldSchema } from "../support/payments/compare-fields.ts";
import { explanationsOfServer } from "../support/payments/explained-differences-server.ts";
import { createMerchantV2 } from "../support/payments/merchant-v2.ts";
import {
  prepareServerCalls,
  serverCalls,
  type DescribedServerCall,
  type ServerRequest,
} from "../support/payments/server-calls.ts";
import { startTestProvider, type TestProvider } from "../support/payments/test-provider.ts";

interface Described {
  readonly query: FieldSchema;
  readonly body?: FieldSchema;
  readonly replies: { readonly 200: FieldSchema };
}
const described = descriptions as unknown as Readonly<Record<string, Described>>;
const ofServer = publishedOperations
  .filter(({ api, class: name }) => api === "server" && name !== "not_simulated")
  .map(({ method, path }) => `${method} ${path}`);

let provider: TestProvider;
let found: readonly (readonly [operation: string, difference: string])[];
beforeAll(async () => {
  provider = await startTestProvider();
  await prepareServerCalls(provider);
  found = await differences();
});
afterAll(() => provider[Symbol.asyncDispose]());

const isExplained = ([operation, difference]: readonly [string, string]) =>
  explanationsOfServer.some((known) => known.operation.test(operation) && known.difference.test(difference));

async function send(operation: string, { query, body }: ServerRequest): Promise<Record<string, unknown>> {
  const [method = "", path = ""] = operation.split(" ");
  const target = `${provider.url}${path}?${String(new URLSearchParams(query))}`;
  const response = await fetch(target, { method, ...(body && { body: JSON.stringify(body) }) });
  const isJson = response.headers.get("content-type")?.includes("json") === true;
  return isJson ? ((await response.json()) as Record<string, unknown>) : {};
}

/** The places of all required fields, below the first item of a list. */
const requiredIn = (schema: FieldSchema, at: readonly string[] = []): string[][] => [
  ...(schema.required ?? []).map((name) => [...at, name]),
  ...Object.entries(schema.properties ?? {}).flatMap(([name, field]) => requiredIn(field, [...at, name])),
  ...(schema.items ? requiredIn(schema.items, [...at, "0"]) : []),
];

/** The value without a member; undefined if it has none. */
function without(value: unknown, [name = "", ...rest]: readonly string[]): unknown {
  if (!isObject(value) && !Array.isArray(value)) return undefined;
  const members = value as Record<string, unknown>;
  if (!(name in members)) return undefined;
  if (rest.length > 0) {
    const inner = without(members[name], rest);
    if (inner === undefined) return undefined;
    return Array.isArray(value) ? [inner] : { ...members, [name]: inner };
  }
  const { [name]: _left, ...others } = members;
  return others;
}

/** Without a required field, the call has to be refused. */
async function missingDifferences(operation: string, request: DescribedServerCall["request"]): Promise<string[]> {
  const all: string[] = [];
  for (const place of ["query", "body"] as const)
    for (const path of requiredIn(described[operation]?.[place] ?? {})) {
      const whole = await request();
      const less = without(whole[place], path);
      if (less === undefined) continue;
      const { errcode = 0 } = await send(operation, { ...whole, [place]: less });
      if (errcode === 0) all.push(`${place} /${path.join("/")}: required there only`);
    }
  return all;
}

async function differences(): Promise<(readonly [string, string])[]> {
  const order = { mchId: "1900000109", outTradeNo: "DESC_SHIPPED" };
  await createMerchantV2(provider).paid(order.outTradeNo);
  const all: (readonly [string, string])[] = [];
  const calls = serverCalls(provider, order);
  for (const operation of Object.keys(calls)) {
    const { schema, request } = calls[operation] ?? {};
    const { body: theirs, replies } = described[operation] ?? {};
    if (!request || !replies) throw new Error(`${operation} is not described`);
    const ours = schema && (z.toJSONSchema(schema, { io: "input", unrepresentable: "any" }) as FieldSchema);
    // Whether a field is required is tried, as the schemas leave it to the errcodes.
    const inBody =
      ours && theirs ? compareFields(ours, theirs).filter((text) => !text.endsWith(": required there only")) : [];
    const reply = await send(operation, await request());
    const lacking = await missingDifferences(operation, request);
    for (const difference of [...inBody.map((text) => `body ${text}`), ...lacking]) all.push([operation, difference]);
    if (reply["errcode"] !== undefined && reply["errcode"] !== 0)
      all.push([operation, `reply ${JSON.stringify(reply)}`]);
    const isFile = Object.keys(reply).length === 0;
    for (const difference of isFile ? [] : compareReply(reply, replies[200]))
      all.push([operation, `reply ${difference}`]);
  }
  return all;
}

it("every call for servers is described, and read as described, but for explained differences", () => {
  const order = { mchId: "", outTradeNo: "" };
  expect(Object.keys(serverCalls(provider, order)).toSorted()).toEqual(ofServer.toSorted());
  expect(ofServer.filter((operation) => !(operation in simulatedOperations))).toEqual([]);
  expect(found.filter((difference) => !isExplained(difference))).toEqual([]);
});

it("every explanation of the calls for servers is needed", () => {
  const idle = explanationsOfServer.filter(
    (known) => !found.some(([operation, text]) => known.operation.test(operation) && known.difference.test(text)),
  );
  expect(idle.map(({ reason }) => reason)).toEqual([]);
});
