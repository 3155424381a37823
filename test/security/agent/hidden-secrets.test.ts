/** An agent's transcript is sent to a model and stored: no result of a tool or resource holds a secret. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { consoleToken } from "../../support/app/console-token.ts";
import { connectAgent, startMcpApp } from "../../support/mcp/mcp-app.ts";

const planted = {
  Authorization: "Bearer planted-bearer-token-1",
  Cookie: "sid=planted-cookie-2",
  "X-Access-Token": "planted-header-3",
};
const body = { title: "Tea", password: "planted-password-4", note: `hearth_${"p".repeat(43)}` };

let mcp: Awaited<ReturnType<typeof startMcpApp>>;
let agent: Awaited<ReturnType<typeof connectAgent>>;
let token = "";
beforeAll(async () => {
  mcp = await startMcpApp();
  agent = await connectAgent(mcp.url);
  const { app } = mcp;
  const made = await app.post(
    `${app.url}/console/api/tokens`,
    { user: "ada" },
    { Authorization: `Bearer ${consoleToken}` },
  );
  token = ((await made.json()) as { access_token: string }).access_token;
  await app.post(`${app.url}/api/articles?access_token=planted-query-5&api_key=planted-key-6`, body, planted);
  await app.post(`${app.url}/api/articles`, body, { Authorization: `Bearer ${token}` });
});
afterAll(async () => {
  await agent.close();
  await mcp[Symbol.asyncDispose]();
});

/** What an agent gets from all tools and resources that show what was sent and stored. */
async function transcript(): Promise<string> {
  const results: unknown[] = [];
  const call = async (name: string, args: Record<string, unknown>) =>
    results.push(await agent.callTool({ name, arguments: args }));
  await call("login", { user: "ada" });
  await call("order", { amount: 199, user: "ada" });
  await call("pay", { order: "last" });
  await call("requests", { limit: 100 });
  for (const request of ["1", "2", "3", "4", "5", "6", "7", "8", "9", "10", "last"]) await call("show", { request });
  for (const name of ["events", "logs", "orders_list", "fault_list"]) await call(name, {});
  await call("replay", { request: "last", body: '{"session_key":"planted-replay-7"}' });
  await call("show", { request: consoleToken });
  for (const uri of ["hearth://requests", "hearth://requests/1", "hearth://requests/10"])
    results.push(await agent.readResource({ uri }));
  return JSON.stringify(results);
}

it("hides tokens, cookies, keys and passwords in tools, resources and errors", async () => {
  const text = await transcript();
  expect(text).toContain("/api/articles");
  expect(text).toContain("(hidden)");
  for (const secret of [token, consoleToken, "planted-", "p".repeat(43)]) expect(text).not.toContain(secret);
});
