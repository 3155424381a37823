/** Each row of the table of actions, by MCP. */
import type { CallToolResult } from "@modelcontextprotocol/client";
import { afterAll, beforeAll, expect, it } from "vitest";
import { actions } from "../../../server/actions/actions.ts";
import { maxPageBytes } from "../../../server/mcp/fit-result.ts";
import { connectAgent, startMcpApp } from "../../support/mcp/mcp-app.ts";

/** A call for each action, in an order in which all succeed. */
const calls: readonly (readonly [name: string, args: Record<string, unknown>])[] = [
  ["login", { user: "ada" }],
  ["order", { amount: 199 }],
  ["orders list", {}],
  ["orders show", { order: "last" }],
  ["pay", { order: "last" }],
  ["notify", { order: "last", again: true }],
  ["refund", { order: "last", amount: 99 }],
  ["order", { amount: 5, user: "ada", type: "NATIVE", description: "Tea" }],
  ["pay", { order: "last", fail: "no_funds" }],
  ["close", { order: "last" }],
  ["requests", { path: "/api/orders" }],
  ["show", { request: "last" }],
  ["replay", { request: "1" }],
  ["wait", { pattern: "POST /api/orders" }],
  ["check-receiver", { only: ["genuine"] }],
  ["events", { limit: 3 }],
  ["logs", {}],
  ["fault arm", { kind: "err_code", param: ["code=SYSTEMERROR"], calls: "orderquery", times: 2 }],
  ["fault list", {}],
  ["fault disarm", { all: true }],
  ["clock show", {}],
  ["clock advance", { time: "2h" }],
  ["clock set", { to: "2026-12-24T18:00:00Z" }],
  ["clock reset", {}],
  ["seed", { document: '{"articles":[{"title":"Tea","content":"Green"}]}' }],
  ["snapshot save", { name: "one" }],
  ["snapshot list", {}],
  ["snapshot restore", { name: "one" }],
  ["snapshot remove", { name: "one" }],
  ["reset", { parts: ["orders", "events"] }],
  ["fidelity", { product: "bill" }],
];

type Agent = Awaited<ReturnType<typeof connectAgent>>;
let mcp: Awaited<ReturnType<typeof startMcpApp>>;
let agent: Agent;
beforeAll(async () => {
  mcp = await startMcpApp();
  agent = await connectAgent(mcp.url);
  // The client checks each result by the schema of its tool from now on.
  await agent.listTools();
});
afterAll(async () => {
  await agent.close();
  await mcp[Symbol.asyncDispose]();
});

const toolOf = (name: string) => name.replaceAll(/[ -]/g, "_");
const textOf = ({ content }: CallToolResult) => content.map((one) => (one.type === "text" ? one.text : "")).join("\n");

it("has a call of this test for every action, and a tool", async () => {
  const names = actions.map(({ name }) => name);
  expect(new Set(calls.map(([name]) => name))).toEqual(new Set(names));
  expect((await agent.listTools()).tools.map(({ name }) => name)).toEqual(names.map(toolOf));
});

it.each(calls)("the tool of %s returns a bounded result that matches its schema", async (name, args) => {
  const result = await agent.callTool({ name: toolOf(name), arguments: args });
  expect([result.isError, textOf(result)]).toEqual([undefined, expect.not.stringContaining("undefined")]);
  const { result: value } = result.structuredContent as { result: unknown };
  const action = actions.find((one) => one.name === name);
  expect(action?.output.parse(value)).toEqual(value);
  expect(Buffer.byteLength(JSON.stringify(value))).toBeLessThanOrEqual(maxPageBytes);
});

it("tools say whether they read, change or remove, and accept no unknown arguments", async () => {
  const { tools } = await agent.listTools();
  const hints = (name: string) => tools.find((tool) => tool.name === name)?.annotations;
  expect(hints("requests")).toMatchObject({ readOnlyHint: true, destructiveHint: false, idempotentHint: true });
  expect(hints("order")).toMatchObject({ readOnlyHint: false, destructiveHint: false, idempotentHint: false });
  expect(hints("reset")).toMatchObject({ readOnlyHint: false, destructiveHint: true, idempotentHint: true });
  for (const { inputSchema, annotations } of tools) {
    expect(inputSchema["additionalProperties"]).toBe(false);
    expect(annotations?.openWorldHint).toBe(false);
  }
  const misspelt = await agent.callTool({ name: "order", arguments: { amout: 199 } });
  expect([misspelt.isError, textOf(misspelt)]).toEqual([true, expect.stringContaining("amout")]);
});

it("a refusal is a result with its reason and remedy", async () => {
  const refused = await agent.callTool({ name: "pay", arguments: { order: "T404" } });
  expect([refused.isError, textOf(refused)]).toEqual([true, expect.stringMatching(/^Order T404 does not exist\. /)]);
});

it("the pages of a long list hold each item once", async () => {
  const paths: string[] = [];
  let cursor: string | undefined;
  do {
    const page = await agent.callTool({ name: "fidelity", arguments: { ...(cursor !== undefined && { cursor }) } });
    const { result, next_cursor } = page.structuredContent as { result: { path: string }[]; next_cursor?: string };
    paths.push(...result.map(({ path }) => path));
    cursor = next_cursor;
    if (cursor !== undefined) expect(textOf(page)).toContain(`next_cursor: ${cursor}`);
  } while (cursor !== undefined);
  const all = await actions.find(({ name }) => name === "fidelity")?.run({} as never, {}, AbortSignal.timeout(1_000));
  expect(paths).toEqual((all as { path: string }[]).map(({ path }) => path));
});

it("a read-only server has the tools that read, and no others", async () => {
  await using readOnly = await startMcpApp({ isReadOnly: true });
  await using reader = await connectAgent(readOnly.url);
  const { tools } = await reader.listTools();
  expect(tools.map(({ name }) => name)).toEqual(
    actions.flatMap(({ name, effect }) => (effect === "reads" ? [toolOf(name)] : [])),
  );
  expect(await reader.callTool({ name: "reset", arguments: {} }).catch((error: Error) => error.message)).toMatch(
    /reset/,
  );
});
