/** A server of the app that receives message push, keeps what came, and returns `echostr` when it is verified. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import type { TestProvider } from "./test-provider.ts";

export interface ReceivedPush {
  readonly query: Record<string, string>;
  readonly body: string;
  readonly type: string | undefined;
}

export const pushSecrets = { token: "hearthToken", encoding_aes_key: "abcdefghijklmnopqrstuvwxyz0123456789ABCDEFG" };

export async function pushReceiver() {
  const received: ReceivedPush[] = [];
  const verified: Record<string, string>[] = [];
  const state = { reply: "success", status: 200, echoes: true };
  const server = createServer((request, response) => {
    const query = Object.fromEntries(new URL(request.url ?? "", "http://receiver").searchParams);
    if (request.method === "GET") {
      verified.push(query);
      response.end(state.echoes ? query["echostr"] : "no");
      return;
    }
    void text(request).then((body) => {
      received.push({ query, body, type: request.headers["content-type"] });
      response.writeHead(state.status).end(state.reply);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${String((server.address() as AddressInfo).port)}/push?from=platform`;
  return {
    url,
    received,
    verified,
    /** How it answers from now on. */
    state,
    /** Makes it the provider's receiver. */
    subscribe: (provider: TestProvider, changed: { format?: "JSON" | "XML"; mode?: "plain" | "safe" } = {}) =>
      provider.control("PUT", "/message-push", { url, ...pushSecrets, format: "JSON", mode: "plain", ...changed }),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
