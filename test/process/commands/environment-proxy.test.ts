/** A shell whose Node goes through a proxy: what Hearth asks itself does not, and no token goes there. */
import { createServer } from "node:http";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { launchHearth } from "../../support/process/launch.ts";
import { runCommand } from "../../support/process/run-command.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";

const seen: (string | undefined)[] = [];
const proxy = createServer((request, response) => {
  seen.push(request.url);
  response.writeHead(502).end();
}).on("connect", ({ url }, socket) => {
  seen.push(url);
  socket.end("HTTP/1.1 502 Bad Gateway\r\n\r\n");
});
const folder = temporaryFolder();
let env: Record<string, string>;
beforeAll(async () => {
  await once(proxy.listen(0, "127.0.0.1"), "listening");
  const url = `http://127.0.0.1:${String((proxy.address() as AddressInfo).port)}`;
  env = { NODE_USE_ENV_PROXY: "1", HTTP_PROXY: url, HTTPS_PROXY: url, NO_PROXY: ".corp", TMPDIR: folder.path };
});
beforeEach(() => void seen.splice(0));
afterAll(() => {
  proxy.close();
  folder[Symbol.dispose]();
});

it("hearth exec has its own Hearth, and lets its command reach it", async () => {
  const ask = `fetch(process.env.HEARTH_PROVIDER_URL + "/healthz").then((reply) => console.log(reply.status))`;
  const { code, stdout, stderr } = await runCommand(["exec", "--", process.execPath, "-e", ask], env);
  expect([code, stdout, stderr, seen]).toEqual([0, "200\n", "", []]);
});

it("a running Hearth logs its users in at the simulator, and answers its commands", async () => {
  await using launched = launchHearth({ env });
  await launched.ready();
  const { code, stderr } = await runCommand(["devices", "--data-dir", launched.dataDir], env);
  expect([code, stderr]).toEqual([0, ""]);
  const token = await runCommand(["login", "dora", "--data-dir", launched.dataDir], env);
  expect([token.code, token.stderr, seen]).toEqual([0, "", []]);
});
