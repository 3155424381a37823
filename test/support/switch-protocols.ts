import type { ServerResponse } from "node:http";

/** Answers 101, which nobody has asked for, and leaves the connection open. */
export function switchProtocols(response: ServerResponse): undefined {
  response.writeHead(101, { Connection: "Upgrade", Upgrade: "websocket" }).end();
}
