/** The stand-in's end: requests that are under way, and tunnels that nobody closes. */
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { connect, type AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { expect, it } from "vitest";
import { createAuthority } from "../../server/stand-in/certificates.ts";
import { openStandIn } from "../../server/stand-in/open-stand-in.ts";
import { consoleToken } from "../support/app/console-token.ts";
import { patienceMs } from "../support/eventually.ts";

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

it.each(["as a proxy", "by a tunnel"])("a request %s may be finished while the stand-in ends", async (how) => {
  const at = Date.now();
  const simulator = createServer().listen(0, "127.0.0.1");
  await once(simulator, "listening");
  const provider = `http://127.0.0.1:${String((simulator.address() as AddressInfo).port)}`;
  const standIn = await openStandIn({
    ...{ provider, consoleToken, authority: createAuthority(at), passes: [], port: 0, at },
    onRefused: () => undefined,
  });
  const open = () => connect({ port: Number(new URL(standIn.url).port), host: "127.0.0.1" });
  const host = "api.weixin.qq.com";
  const socket = open();
  if (how === "by a tunnel") {
    socket.write(`CONNECT ${host}:80 HTTP/1.1\r\nHost: ${host}:80\r\n\r\n`);
    await once(socket, "data");
  }
  const asked = once(simulator, "request") as Promise<[IncomingMessage, ServerResponse]>;
  socket.write(`GET ${how === "as a proxy" ? `http://${host}` : ""}/x HTTP/1.1\r\nHost: ${host}\r\n\r\n`);
  const [, reply] = await asked;
  const closing = standIn.close(patienceMs);
  const refused = async () => once(open(), "connect").catch((error: unknown) => (error as { code: string }).code);
  expect(await refused()).toBe("ECONNREFUSED");
  const answer = text(socket);
  reply.end("done");
  expect(await answer).toMatch(/^HTTP\/1.1 200 [^]*done/);
  await closing;
  simulator.close();
});
