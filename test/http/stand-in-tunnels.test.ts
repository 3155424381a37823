/** Tunnels through the stand-in that nobody closes. */
import { once } from "node:events";
import { connect } from "node:net";
import { expect, it } from "vitest";
import { createAuthority } from "../../server/stand-in/certificates.ts";
import { openStandIn } from "../../server/stand-in/open-stand-in.ts";
import { consoleToken } from "../support/app/console-token.ts";

it.each([
  ["that is refused", "evil.example:443", "403"],
  ["that names no host", "nothing", "400"],
  ["to nobody", "127.0.0.1:9", "502"],
])("a tunnel %s does not hold up the stand-in's end", async (_which, target, status) => {
  const at = Date.now();
  const standIn = await openStandIn({
    ...{ provider: "http://127.0.0.1:9", consoleToken, authority: createAuthority(at), passes: [], port: 0, at },
    onRefused: () => undefined,
  });
  const socket = connect({ port: Number(new URL(standIn.url).port), host: "127.0.0.1", allowHalfOpen: true });
  socket.on("error", () => undefined).write(`CONNECT ${target} HTTP/1.1\r\nHost: ${target}\r\n\r\n`);
  const [answer] = (await once(socket, "data")) as [Buffer];
  expect(answer.toString()).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
  await standIn.close();
  socket.destroy();
});
