/** `node crowd-followers.ts URL AUTHORIZATION COUNT`: follows the events, and reads what comes. Ends when a stream ends. */
import { connect } from "node:net";

const [url = "", authorization = "", count = "1"] = process.argv.slice(2);
const { hostname, port, host } = new URL(url);
const head = [
  "GET /console/api/events/stream HTTP/1.1",
  `Host: ${host}`,
  `Authorization: ${authorization}`,
  "Connection: close",
];

for (let at = 0; at < Number(count); at++) {
  const socket = connect(Number(port), hostname, () => socket.write(`${head.join("\r\n")}\r\n\r\n`));
  let isFirst = true;
  socket.on("data", (bytes: Buffer) => {
    if (isFirst && !bytes.toString("latin1").startsWith("HTTP/1.1 200 ")) process.exit(3);
    isFirst = false;
  });
  socket.on("error", () => process.exit(4));
  socket.on("end", () => process.exit(5));
}
