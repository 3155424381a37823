/** A WebSocket server that greets with a header of the handshake, then sends each message back. */
import { createHash } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

const guid = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";
const opcodes = { text: 0x1, close: 0x8 };

const frame = (opcode: number, content: Buffer) =>
  Buffer.concat([Buffer.from([0x80 | opcode, content.length]), content]);

/** The masked frame of a client: at most 125 bytes, in one part. */
function contentOf(received: Buffer): { opcode: number; content: Buffer } {
  const length = received.readUInt8(1) & 0x7f;
  const mask = received.subarray(2, 6);
  const content = Buffer.from(received.subarray(6, 6 + length).map((byte, at) => byte ^ (mask[at % 4] ?? 0)));
  return { opcode: received.readUInt8(0) & 0xf, content };
}

export async function echoSocketServer(greetingHeader: string) {
  const server = createServer().listen(0, "127.0.0.1");
  server.on("upgrade", ({ headers }, socket) => {
    const accept = createHash("sha1")
      .update(`${String(headers["sec-websocket-key"])}${guid}`)
      .digest("base64");
    const lines = ["HTTP/1.1 101 Switching Protocols", "Upgrade: websocket", "Connection: Upgrade"];
    socket.write(`${[...lines, `Sec-WebSocket-Accept: ${accept}`].join("\r\n")}\r\n\r\n`);
    socket.write(frame(opcodes.text, Buffer.from(String(headers[greetingHeader]))));
    socket.on("data", (received: Buffer) => {
      const { opcode, content } = contentOf(received);
      socket.write(frame(opcode, content));
      if (opcode === opcodes.close) socket.end();
    });
  });
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    url: `ws://127.0.0.1:${String(port)}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}
