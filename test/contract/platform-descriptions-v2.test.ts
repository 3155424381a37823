/** The simulator's requests and replies of version 2 against the published description of their fields. */
import { afterAll, beforeAll, expect, it } from "vitest";
import descriptions from "../../server/contract/provider/operations/descriptions.json" with { type: "json" };
import { publishedOperations } from "../../server/contract/provider/operations/published-operations.ts";
import { callsV2, type CallDepsV2 } from "../../server/provider/payments/v2/calls-v2.ts";
import { sandboxKeyRules } from "../../server/provider/payments/v2/field-rules.ts";
import { sandboxKeyPaths } from "../../server/provider/payments/v2/sandbox.ts";
import { compareFields, compareReply, type FieldSchema } from "../support/payments/compare-fields.ts";
import { countedFields, requestFields, tooLong, typedFields } from "../support/payments/described-v2.ts";
import { explanationsV2 } from "../support/payments/explained-differences-v2.ts";
import { papayRepliesV2 } from "../support/payments/described-papay-v2.ts";
import { repliesV2, type CollectedV2 } from "../support/payments/replies-v2.ts";
import { startTestProvider, type TestProvider } from "../support/payments/test-provider.ts";

interface Described {
  readonly body?: FieldSchema;
  readonly query?: FieldSchema;
  readonly replies: Readonly<Record<string, FieldSchema | null>>;
}
const described = descriptions as unknown as Readonly<Record<string, Described>>;
const simulated = publishedOperations
  .filter((operation) => operation.api === "payment" && operation.class !== "not_simulated")
  .map(({ method, path }) => `${method} ${path}`)
  .filter((operation) => !operation.includes(" /v3/"));

/** Rules need nothing that a call is performed with. */
const calls = callsV2({} as CallDepsV2);
const ofSandboxKey = { rules: sandboxKeyRules, withoutCommon: true };
function callOf(operation: string) {
  const path = operation.replace(/^(?:GET|POST) (?:[/]sandboxnew|[/]xdc[/]apiv2sandbox)?/, "");
  const isKey = sandboxKeyPaths.some((known) => operation === `POST ${known}`);
  return isKey
    ? ofSandboxKey
    : calls.find(({ paths, sandboxPaths = [] }) => [...paths, ...sandboxPaths].includes(path));
}

const isExplained = (operation: string, difference: string) =>
  explanationsV2.some((known) => known.operation.test(operation) && known.difference.test(difference));

const ofRequest = (operation: string): string[] => {
  const call = callOf(operation);
  const theirs = described[operation]?.body ?? described[operation]?.query ?? {};
  return call ? compareFields(requestFields(call, theirs), theirs).map((found) => `body ${found}`) : ["no such call"];
};

let provider: TestProvider;
let replies: CollectedV2;
beforeAll(async () => {
  provider = await startTestProvider();
  await provider.control("PATCH", "/settings", { refund_seconds: 0, bills_at_once: true });
  replies = [...(await repliesV2(provider)), ...(await papayRepliesV2(provider))];
});
afterAll(() => provider[Symbol.asyncDispose]());

function ofReply([operation, { fields }]: CollectedV2[number]): string[] {
  const schema = countedFields(described[operation]?.replies["200"] ?? {}, fields);
  return [...compareReply(typedFields(fields, schema), schema), ...tooLong(fields, schema)].map(
    (found) => `reply ${found}`,
  );
}
const unexplained = (operation: string, found: readonly string[]) =>
  found.filter((difference) => !isExplained(operation, difference)).map((difference) => `${operation} ${difference}`);

it("every simulated call of version 2 reads the fields that are described, but for explained differences", () => {
  expect(simulated.length).toBeGreaterThan(25);
  expect(simulated.flatMap((operation) => unexplained(operation, ofRequest(operation)))).toEqual([]);
});

it("every reply of version 2 has the fields that are described, but for explained differences", () => {
  const withoutReply = simulated.filter((operation) => !replies.some(([known]) => known === operation));
  expect(withoutReply).toEqual([]);
  expect(replies.flatMap((reply) => unexplained(reply[0], ofReply(reply)))).toEqual([]);
});

it("every explanation of version 2 is needed", () => {
  const all = [
    ...simulated.flatMap((operation) => ofRequest(operation).map((found) => [operation, found] as const)),
    ...replies.flatMap((reply) => ofReply(reply).map((found) => [reply[0], found] as const)),
  ];
  const idle = explanationsV2.filter(
    (known) => !all.some(([operation, found]) => known.operation.test(operation) && known.difference.test(found)),
  );
  expect(idle.map(({ reason }) => reason)).toEqual([]);
});
