import { once } from "node:events";
import { createServer } from "node:net";
import { randomInt } from "node:crypto";

/** A port that nobody listens on, below those that systems give to connections: those may take it between two starts. */
export async function freePort(): Promise<string> {
  for (;;) {
    const server = createServer();
    const port = randomInt(10_000, 30_000);
    const bound = await new Promise<boolean>((resolve) => {
      server.once("error", () => resolve(false)).listen(port, "127.0.0.1", () => resolve(true));
    });
    if (!bound) continue;
    server.close();
    await once(server, "close");
    return String(port);
  }
}
