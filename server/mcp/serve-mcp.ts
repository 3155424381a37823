/** MCP over Streamable HTTP: each request stands alone, so there are no sessions (decision 0033). */
import { createMcpHandler } from "@modelcontextprotocol/server";
import type { IncomingMessage, ServerResponse } from "node:http";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { Middleware } from "../http/middleware.ts";
import { createMcpServer } from "./create-mcp-server.ts";
import type { McpContent } from "./mcp-content.ts";

const maxBodyBytes = 1_048_576;

/** Answers requests of MCP clients. Who may call is checked before. */
export function serveMcp(content: McpContent, version: string): Middleware {
  const handler = createMcpHandler(() => createMcpServer(content, version), { maxRequestBodySize: maxBodyBytes });
  return async (req, res) => {
    const gone = new AbortController();
    res.once("close", () => gone.abort());
    await answer(res, await handler.fetch(requestOf(req, gone.signal)));
  };
}

const hasBody = ({ method }: IncomingMessage) => method !== "GET" && method !== "HEAD";

/** The request for the SDK. Its host does not count, because it has been checked. */
function requestOf(req: IncomingMessage, signal: AbortSignal): Request {
  const headers = new Headers();
  for (const [name, value] of Object.entries(req.headers))
    for (const one of [value ?? []].flat()) headers.append(name, one);
  return new Request(new URL(req.url ?? "/", "http://localhost"), {
    ...{ method: req.method ?? "GET", headers, signal },
    ...(hasBody(req) && { body: Readable.toWeb(req) as ReadableStream, duplex: "half" }),
  });
}

async function answer(res: ServerResponse, { status, headers, body }: Response): Promise<void> {
  res.writeHead(status, Object.fromEntries(headers));
  if (body === null) {
    res.end();
    return;
  }
  res.flushHeaders();
  await pipeline(Readable.fromWeb(body), res).catch((error: unknown) => {
    if (!res.closed) throw error; // the client has left
  });
}
