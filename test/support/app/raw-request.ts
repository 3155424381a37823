import { connect } from "node:net";
import { text } from "node:stream/consumers";

/** Sends bytes as they are and returns all that comes back until the server closes. */
export async function requestText(port: number, request: string): Promise<string> {
  const socket = connect(port, "127.0.0.1");
  socket.write(request);
  return text(socket);
}
