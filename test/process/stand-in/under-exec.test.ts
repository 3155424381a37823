/** Clients whose hosts are constants, under `hearth exec --stand-in`. */
import { execFile } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer, request, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { dirname, join } from "node:path";
import { text } from "node:stream/consumers";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { fieldsOfXml, signatureV2, signedXml } from "../../support/payments/payment-signatures.ts";
import { startStandIn, type StandInCommand } from "../../support/process/stand-in-command.ts";
import { runCommand } from "../../support/process/run-command.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";
import { nodeClients } from "./clients.ts";

const key = "hearthApiV2Key0123456789abcdef01";
const folder = temporaryFolder();
const [temporary, programs] = ["tmp", "programs"].map((name) => join(folder.path, name)) as [string, string];
let command: StandInCommand;
let appId: string;

beforeAll(async () => {
  for (const path of [temporary, programs]) mkdirSync(path);
  command = await startStandIn(temporary, ["--stand-in-passes", "api.mch.weixin.qq.com"]);
  const credentials = await fetch(`${command.env["HEARTH_PROVIDER_URL"] ?? ""}/sim/credentials`);
  appId = ((await credentials.json()) as { app_id: string }).app_id;
});
afterAll(async () => {
  await command.end();
  folder[Symbol.dispose]();
});

const order = (outTradeNo: string) =>
  signedXml(
    {
      ...{ appid: appId, mch_id: "1900000109", nonce_str: "n0nce", body: "Tea & <two>", out_trade_no: outTradeNo },
      ...{ total_fee: "100", spbill_create_ip: "127.0.0.1", notify_url: "http://127.0.0.1:9/", trade_type: "APP" },
    },
    key,
  );

function program(name: string, source: string): string {
  const file = join(programs, name);
  writeFileSync(file, source);
  return file;
}

const run = ([name, ...args]: readonly [string, ...string[]], env: Record<string, string> = command.env) =>
  promisify(execFile)(name, args, { env, cwd: programs });

/** Sends a request to the proxy itself. */
async function askProxy(path: string, { method = "GET", body = "" } = {}) {
  const asked = request(command.env["HTTPS_PROXY"] ?? "", { method, path });
  const answered = once(asked, method === "CONNECT" ? "connect" : "response") as Promise<[IncomingMessage]>;
  asked.end(body);
  const [answer] = await answered;
  return answer;
}

describe("a command under hearth exec --stand-in", () => {
  it.each(nodeClients)("places an order at the real host's name by $name", async (client) => {
    const { stdout } = await run([
      process.execPath,
      program(client.file, client.source),
      order(client.file.replace(".", "_")),
    ]);
    const reply = fieldsOfXml(stdout);
    expect(reply).toMatchObject({ return_code: "SUCCESS", result_code: "SUCCESS", prepay_id: expect.any(String) });
    expect(reply["sign"]).toBe(signatureV2(reply, key));
  });

  it.each(nodeClients)("reaches the host by $name where Node does not read the proxy variables", async (client) => {
    const env = { ...command.env, NODE_USE_ENV_PROXY: "0" };
    const number = `OLDER_${client.file.replace(".", "_")}`;
    const { stdout } = await run([process.execPath, program(client.file, client.source), order(number)], env);
    expect(fieldsOfXml(stdout)).toMatchObject({ return_code: "SUCCESS", result_code: "SUCCESS" });
  });

  it("reaches the login of the real host's name", async () => {
    const source = `const reply = await fetch("https://api.weixin.qq.com/sns/jscode2session?appid=a&secret=b&js_code=c");
      console.log((await reply.json()).errcode);`;
    const { stdout } = await run([process.execPath, program("login.mjs", source)]);
    expect(Number(stdout)).toBeGreaterThan(40_000);
  });

  it("is answered by the simulator when it sends the whole URL to the proxy, even where that host is let through", async () => {
    const answer = await askProxy("https://API.mch.weixin.qq.com./pay/unifiedorder", {
      method: "POST",
      body: order("WHOLE_URL"),
    });
    expect(fieldsOfXml(await text(answer))).toMatchObject({ return_code: "SUCCESS", result_code: "SUCCESS" });
  });

  it("is refused every other host by name, and told which setting would let it through", async () => {
    for (const path of ["http://example.com/", "https://example.com/a?b"]) {
      const answer = await askProxy(path);
      expect([answer.statusCode, await text(answer)]).toEqual([
        403,
        expect.stringMatching(/example[.]com.*stand_in_passes/),
      ]);
    }
    expect((await askProxy("example.org:443", { method: "CONNECT" })).statusCode).toBe(403);
    await expect.poll(() => command.errors()).toMatch(/blocks requests to example[.]org/);
    expect(command.errors().match(/blocks requests to example[.]com/g)).toHaveLength(1);
  });

  it("reaches servers of this machine through the proxy, too", async () => {
    const server = createServer((req, res) => res.end(`${String(req.headers.host)} ${String(req.url)}`));
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    const { port } = server.address() as AddressInfo;
    try {
      const answer = await askProxy(`http://localhost:${String(port)}/a?b='`);
      expect(await text(answer)).toBe(`localhost:${String(port)} /a?b='`);
      expect((await askProxy(`127.0.0.1:${String(port)}`, { method: "CONNECT" })).statusCode).toBe(200);
    } finally {
      server.closeAllConnections();
      server.close();
    }
  });

  it("believes the authority only because it is told to", async () => {
    const env = { ...command.env, NODE_EXTRA_CA_CERTS: "" };
    const source = `await fetch("https://api.mch.weixin.qq.com/").catch(({ cause }) => console.log(cause.code));`;
    const { stdout } = await run([process.execPath, program("stranger.mjs", source)], env);
    expect(stdout).toMatch(/CERT/);
  });
});

describe("the authority of hearth exec --stand-in", () => {
  it("has its key in no file", () => {
    const folder = dirname(command.env["NODE_EXTRA_CA_CERTS"] ?? "");
    const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
    expect(files.length).toBeGreaterThan(0);
    for (const { parentPath, name } of files)
      expect(readFileSync(join(parentPath, name), "latin1"), name).not.toContain("PRIVATE KEY");
  });
});

describe("hearth exec", () => {
  it("leaves nothing of the stand-in behind, and wants --stand-in beside hosts that pass", async () => {
    using own = temporaryFolder();
    const env = { TMPDIR: own.path, NODE_OPTIONS: "--no-deprecation" };
    const printed = ["--", process.execPath, "-p", "process.env.HTTPS_PROXY + process.env.NODE_OPTIONS"];
    expect(await runCommand(["exec", "--stand-in", ...printed], env)).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^http:\/\/127.*--no-deprecation --require "/),
    });
    expect(readdirSync(own.path)).toEqual([]);
    expect(await runCommand(["exec", "--stand-in-passes", "a.example", ...printed], env)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("needs --stand-in"),
    });
  });
});
