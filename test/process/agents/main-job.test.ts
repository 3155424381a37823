/** The SDK's own client does the main job at the built program: by stdio, and by HTTP. */
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { connectAgent } from "../../support/mcp/mcp-app.ts";
import { siteOf } from "../../support/process/console-access.ts";
import { builtCommand, launchHearth, plainEnvironment, type Launched } from "../../support/process/launch.ts";
import { runCommand } from "../../support/process/run-command.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";

/** A client that starts `hearth mcp`. @param revision of the protocol; by default what both know */
async function startAgent(dataDir: string, flags: readonly string[] = [], options: { revision?: "2026-07-28" } = {}) {
  const pinned = options.revision && { versionNegotiation: { mode: { pin: options.revision } } };
  const client = new Client({ name: "test", version: "1.0.0" }, { ...pinned });
  await client.connect(
    new StdioClientTransport({
      command: process.execPath,
      args: [builtCommand, "mcp", "--data-dir", dataDir, ...flags],
      env: plainEnvironment(),
    }),
  );
  return Object.assign(client, { [Symbol.asyncDispose]: () => client.close() });
}

/** Logs in, orders, pays, looks at the requests, injects a fault, and resets. */
async function doMainJob(agent: Client): Promise<void> {
  const result = async (name: string, args: Record<string, unknown> = {}) => {
    const { isError, content, structuredContent } = await agent.callTool({ name, arguments: args });
    expect([isError ?? false, content]).toEqual([false, expect.anything()]);
    return (structuredContent as { result: unknown }).result;
  };
  expect(await result("login", { user: "ada" })).toMatchObject({ user: "ada", access_token: "(hidden)" });
  const placed = await result("order", { amount: 199, user: "ada" });
  const { out_trade_no: order } = placed as { out_trade_no: string };
  expect(await result("pay", { order })).toMatchObject({ trade_state: "SUCCESS", server: { settled: true } });
  const requests = await result("requests", { path: "/api/orders" });
  expect(requests).toEqual(expect.arrayContaining([expect.objectContaining({ method: "POST", status: 201 })]));
  await result("fault_arm", { path: "/api/orders", status: 503, times: 1 });
  expect(await result("fault_list")).toHaveLength(1);
  await result("fault_disarm", { all: true });
  expect(await result("reset", { parts: ["orders", "provider"] })).toMatchObject({ removed: { orders: 1 } });
  expect(await result("orders_list")).toEqual([]);
}

describe("a run that serves agents", () => {
  const data = temporaryFolder();
  let hearth: Launched;
  beforeAll(async () => {
    hearth = launchHearth({ dataDir: data.path, flags: ["--mcp", "on"] });
    await hearth.ready();
  });
  afterAll(async () => {
    await hearth[Symbol.asyncDispose]();
    data[Symbol.dispose]();
  });

  it("an agent that starts hearth mcp does the main job", async () => {
    await using agent = await startAgent(data.path);
    await doMainJob(agent);
  });

  it("an agent of the newest revision does the main job, by a server without sessions", async () => {
    await using agent = await startAgent(data.path, [], { revision: "2026-07-28" });
    expect(agent.getNegotiatedProtocolVersion()).toBe("2026-07-28");
    await doMainJob(agent);
  });

  it("an agent with a key does the main job over HTTP", async () => {
    const { console: address } = await hearth.ready();
    const { stdout: key } = await runCommand(["keys", "add", "agent", "--scopes", "control", "--data-dir", data.path]);
    await using agent = await connectAgent(`${siteOf(address)}/mcp`, key.trim());
    await doMainJob(agent);
    const { contents } = await agent.readResource({ uri: "hearth://api/app" });
    expect(JSON.stringify(contents)).toMatch(/POST \/api\/orders \w+: /);
    const operation = await agent.readResource({ uri: "hearth://api/app/createOrder" });
    expect(JSON.stringify(operation)).toContain("requestBody");
  });

  it("a read-only agent has no tool that pays", async () => {
    await using agent = await startAgent(data.path, ["--read-only"]);
    const names = (await agent.listTools()).tools.map(({ name }) => name);
    expect(names).toContain("requests");
    expect(names).not.toContain("pay");
  });
});

describe("hearth mcp without a running Hearth", () => {
  it("starts, reads guides, and each tool answers how to start Hearth", async () => {
    using data = temporaryFolder();
    await using agent = await startAgent(data.path);
    expect((await agent.readResource({ uri: "hearth://docs/guides/payments" })).contents).toHaveLength(1);
    const { isError, content } = await agent.callTool({ name: "requests", arguments: {} });
    expect([isError, JSON.stringify(content)]).toEqual([true, expect.stringContaining("hearth start")]);
  });

  it("prints nothing but the protocol on stdout, and ends with its client", async () => {
    using data = temporaryFolder();
    const args = [builtCommand, "mcp", "--data-dir", data.path];
    const child = spawn(process.execPath, args, { env: plainEnvironment(), stdio: ["pipe", "pipe", "ignore"] });
    const output = text(child.stdout);
    child.stdin.write("no JSON\n");
    child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", id: 1, method: "ping" })}\n`);
    await once(child.stdout, "data");
    child.stdin.end();
    expect((await once(child, "exit"))[0]).toBe(0);
    for (const line of (await output).trim().split("\n")) expect(JSON.parse(line)).toMatchObject({ jsonrpc: "2.0" });
  });
});
