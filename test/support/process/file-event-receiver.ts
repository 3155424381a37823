/** A small receiver of file events that a test reads and breaks. */
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { relative } from "node:path";

export interface ReceivedEvent {
  readonly df: string;
  readonly ev: string;
  readonly id: string;
  /** X-Move-Id. */
  readonly move: string | undefined;
  readonly contentType: string;
  readonly connection: number;
}

/** Where a receiver at this port takes events. */
export const eventsUrl = (port: number) => `http://127.0.0.1:${port}/api/inotify/`;

async function readBody(request: IncomingMessage): Promise<string> {
  let body = "";
  for await (const chunk of request.setEncoding("utf8")) body += String(chunk);
  return body;
}

/** `answer` gives the status for the n-th request (from 0), which brings an event; by default 202. Port 0 takes any free one. */
export async function fileEventReceiver(answer: (n: number, event: ReceivedEvent) => number = () => 202, port = 0) {
  const received: ReceivedEvent[] = [];
  const refused: ReceivedEvent[] = [];
  const connections = new Map<unknown, number>();
  let requests = 0;
  const handle = async (request: IncomingMessage, response: ServerResponse) => {
    const form = new URLSearchParams(await readBody(request));
    if (!connections.has(request.socket)) connections.set(request.socket, connections.size);
    const event = {
      df: form.get("df") ?? "",
      ev: form.get("ev") ?? "",
      id: String(request.headers["x-event-id"]),
      move: request.headers["x-move-id"]?.toString(),
      contentType: String(request.headers["content-type"]),
      connection: connections.get(request.socket) ?? -1,
    };
    const status = answer(requests++, event);
    (status < 300 ? received : refused).push(event);
    response.writeHead(status).end();
  };
  // It ends no connection of its own accord.
  const server = createServer({ keepAliveTimeout: 0 }, (request, response) => void handle(request, response));
  await once(server.listen(port, "127.0.0.1"), "listening");
  const bound = (server.address() as AddressInfo).port;
  return {
    received,
    refused,
    port: bound,
    url: eventsUrl(bound),
    /** What came, as "create a.txt", below a folder. */
    lines: (folder: string) => received.map(({ df, ev }) => `${ev} ${relative(folder, df)}`),
    /** The changes of one path, repeats collapsed as they come in any number. */
    changesOf(path: string) {
      const changes = received.filter(({ df }) => df === path).map(({ ev }) => ev);
      return changes.filter((ev, i) => ev !== changes[i - 1]);
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
