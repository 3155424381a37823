import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import type { HearthAddresses } from "../../../server/actions/hearth-api.ts";
import { openMcp } from "../../../server/mcp/open-mcp.ts";
import { loadWhenAsked } from "../../../server/http/load-when-asked.ts";
import { consoleToken, startTestApp, type TestApp } from "../app/test-app.ts";

/** A test app that serves agents. */
export async function startMcpApp({ isReadOnly = false } = {}) {
  const locate = async (): Promise<HearthAddresses> => ({ app: app.url, provider: app.provider.url, consoleToken });
  const app: TestApp = await startTestApp({ mcp: loadWhenAsked(() => openMcp({ locate, isReadOnly }, "0.1.0")) });
  return { app, url: `${app.consoleUrl}/mcp`, [Symbol.asyncDispose]: () => app[Symbol.asyncDispose]() };
}

/** The SDK's own client, connected. @param bearer the console's token, or a key */
export async function connectAgent(url: string, bearer: string = consoleToken) {
  const client = new Client({ name: "test", version: "1.0.0" });
  await client.connect(
    new StreamableHTTPClientTransport(new URL(url), {
      requestInit: { headers: { Authorization: `Bearer ${bearer}` } },
    }),
  );
  return Object.assign(client, { [Symbol.asyncDispose]: () => client.close() });
}
