import type { Duplex } from "node:stream";

/** The time for a refused client to hang up. */
const patienceMs = 2_000;

/** Ends a connection after a last text, and destroys it if the client does not hang up. */
export function hangUp(socket: Duplex, lastWords: string): void {
  socket.end(lastWords);
  const cut = setTimeout(() => socket.destroy(), patienceMs);
  socket.once("close", () => clearTimeout(cut));
}
