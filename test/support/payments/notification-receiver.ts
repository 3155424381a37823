/** A merchant's receiver of payment notifications that keeps what came, byte for byte. */
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { expect } from "vitest";

export interface ReceivedNotification {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** What accepts a notification in version 2. */
export const acceptedV2 =
  "<xml><return_code><![CDATA[SUCCESS]]></return_code><return_msg><![CDATA[OK]]></return_msg></xml>";

/** @param answer by default what each version takes for yes */
export async function notificationReceiver(
  answer: (request: ReceivedNotification, response: ServerResponse) => void = accept,
) {
  const received: ReceivedNotification[] = [];
  const handle = async (request: IncomingMessage, response: ServerResponse) => {
    const notification = { path: request.url ?? "", headers: request.headers, body: await text(request) };
    received.push(notification);
    answer(notification, response);
  };
  const server = createServer((request, response) => void handle(request, response));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    received,
    url: `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`,
    /** The first that came to a path, once it is there. */
    async at(path: string): Promise<ReceivedNotification> {
      const find = () => received.find((one) => one.path === path);
      await expect.poll(find).toBeDefined();
      return find() as ReceivedNotification;
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function accept({ headers }: ReceivedNotification, response: ServerResponse): void {
  if (headers["content-type"]?.includes("json")) response.writeHead(204).end();
  else response.writeHead(200, { "Content-Type": "text/xml" }).end(acceptedV2);
}
