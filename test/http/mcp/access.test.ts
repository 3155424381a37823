/** Who may call /mcp, and how it is addressed. */
import { afterAll, beforeAll, expect, it } from "vitest";
import type { CreatedKey } from "../../../server/contract/console/key-endpoints.ts";
import { consoleToken, startTestApp } from "../../support/app/test-app.ts";
import { connectAgent, startMcpApp } from "../../support/mcp/mcp-app.ts";

let mcp: Awaited<ReturnType<typeof startMcpApp>>;
beforeAll(async () => {
  mcp = await startMcpApp();
});
afterAll(() => mcp[Symbol.asyncDispose]());

const initialize = {
  ...{ jsonrpc: "2.0", id: 1, method: "initialize" },
  params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "test", version: "1.0.0" } },
};

const call = (headers: Record<string, string> = {}, method = "POST") =>
  fetch(mcp.url, {
    method,
    headers: { "Content-Type": "application/json", Accept: "application/json, text/event-stream", ...headers },
    ...(method === "POST" && { body: JSON.stringify(initialize) }),
  });
const bearer = (token: string) => ({ Authorization: `Bearer ${token}` });

async function addKey(...scopes: string[]): Promise<string> {
  const { app } = mcp;
  const made = await app.post(`${app.consoleUrl}/console/api/keys`, { name: "agent", scopes }, bearer(consoleToken));
  return ((await made.json()) as CreatedKey).secret;
}

it("answers 401 without a key, for an unknown key, and for a browser's login alone", async () => {
  for (const headers of [{}, bearer(`hearth_${"a".repeat(43)}`), bearer("wrong"), { Cookie: "hearth_console=x" }]) {
    const refused = await call(headers);
    expect([refused.status, refused.headers.get("www-authenticate")]).toEqual([401, "Bearer"]);
  }
});

it("answers 403 for a key without the scope control, and serves one with it", async () => {
  expect((await call(bearer(await addKey("model:use")))).status).toBe(403);
  await using agent = await connectAgent(mcp.url, await addKey("control"));
  expect((await agent.listTools()).tools.length).toBeGreaterThan(10);
});

it("answers 403 to pages of other origins, and gives no page permission to ask", async () => {
  const page = { ...bearer(consoleToken), Origin: "https://evil.example" };
  for (const [method, headers] of [
    ["POST", page],
    ["OPTIONS", { ...page, "Access-Control-Request-Method": "POST" }],
    ["POST", { ...bearer(consoleToken), "Sec-Fetch-Site": "same-site" }],
  ] as const) {
    const refused = await call(headers, method);
    expect([refused.status, refused.headers.get("access-control-allow-origin")]).toEqual([403, null]);
  }
});

it("answers 405 to GET and DELETE, because there are no sessions", async () => {
  for (const method of ["GET", "DELETE"]) expect((await call(bearer(consoleToken), method)).status).toBe(405);
  const answer = await call(bearer(consoleToken));
  expect([answer.status, answer.headers.get("mcp-session-id")]).toEqual([200, null]);
});

it("answers 413 to a body over 1 MB", async () => {
  const answer = await fetch(mcp.url, {
    method: "POST",
    headers: {
      ...bearer(consoleToken),
      "Content-Type": "application/json",
      Accept: "application/json, text/event-stream",
    },
    body: JSON.stringify({ ...initialize, params: { more: "x".repeat(1_100_000) } }),
  });
  expect(answer.status).toBe(413);
});

it("is not served at the application server's port, nor at all where the setting is off", async () => {
  expect((await fetch(`${mcp.app.url}/mcp`, { method: "POST", headers: bearer(consoleToken) })).status).toBe(404);
  await using app = await startTestApp();
  expect((await fetch(`${app.consoleUrl}/mcp`, { method: "POST", headers: bearer(consoleToken) })).status).toBe(404);
});
