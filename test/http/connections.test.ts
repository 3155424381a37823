import { once } from "node:events";
import { connect } from "node:net";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { refuseBy } from "../../server/http/conventions/error-handler.ts";
import { allowedHosts } from "../../server/http/conventions/allowed-hosts.ts";
import { health } from "../../server/http/conventions/health.ts";
import { normalizeQuery } from "../../server/http/conventions/normalize-query.ts";
import { readBytes } from "../../server/http/formats/read-body.ts";
import { below, pipeline } from "../../server/http/pipeline.ts";
import { requestLog } from "../../server/http/recording/request-log.ts";
import { serve, type Listener } from "../../server/http/connection/serve.ts";
import { recordedLog } from "../support/quiet-log.ts";
import { requestText } from "../support/app/raw-request.ts";

const { lines, log } = recordedLog();
const seen: string[] = [];
/** Lets go those who wait at /slow. */
let release: () => void = () => undefined;
let listener: Listener;
beforeAll(async () => {
  const app = pipeline(
    [
      health(),
      requestLog(log),
      allowedHosts({ allowed: [] }),
      normalizeQuery("302"),
      below("/slow", async (_req, res) => {
        seen.push("slow begins");
        await new Promise<void>((resolve) => (release = resolve));
        seen.push("slow ends");
        res.end("slow");
      }),
      below("/fast", (_req, res) => {
        seen.push("fast");
        res.end("fast");
      }),
      below("/last", (_req, res) => {
        seen.push("last");
        res.setHeader("Connection", "close").end("last");
      }),
      below("/body", async (req, res) => void res.end(String((await readBytes(req)).length))),
    ],
    refuseBy(log, { indent: 0, relaxed: false }),
  );
  listener = await serve(app, { host: "127.0.0.1", port: 0 });
});
afterAll(() => listener.close(0));

const get = (path: string, headers = "") => `GET ${path} HTTP/1.1\r\nHost: localhost\r\n${headers}\r\n`;
const closing = "Connection: close\r\n";
const statuses = (answers: string) => [...answers.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => status);
const failures = () => lines.filter((line) => (JSON.parse(line) as { level: number }).level >= 50);

/** A connection, and all that has come over it so far. */
async function openConnection() {
  const socket = connect(listener.port, "127.0.0.1");
  await once(socket, "connect");
  let answers = "";
  socket.on("data", (chunk: Buffer) => (answers += chunk.toString()));
  return { socket, answers: () => answers };
}

describe("pipelined requests on one connection", () => {
  it("act one after the other, in their order", async () => {
    seen.length = 0;
    const answers = requestText(listener.port, get("/slow") + get("/fast", closing));
    await expect.poll(() => seen).toEqual(["slow begins"]);
    release();
    expect(await answers).toMatch(/slow[^]*fast/);
    expect(seen).toEqual(["slow begins", "slow ends", "fast"]);
  });

  it("do not start when the client has left before their turn", async () => {
    seen.length = 0;
    const { socket } = await openConnection();
    socket.write(get("/slow") + get("/fast"));
    await expect.poll(() => seen).toEqual(["slow begins"]);
    socket.destroy();
    await expect.poll(() => openConnections()).toBe(0);
    release();
    await expect.poll(() => seen).toContain("slow ends");
    await fetch(`${listener.url}/healthz`);
    expect(seen).toEqual(["slow begins", "slow ends"]);
  });

  it("do not start behind the one that ends the connection", async () => {
    seen.length = 0;
    expect(await requestText(listener.port, get("/last") + get("/fast"))).toMatch(/last$/);
    await fetch(`${listener.url}/healthz`);
    expect(seen).toEqual(["last"]);
  });

  const openConnections = () => {
    listener.server.closeIdleConnections();
    return new Promise<number>((resolve) => listener.server.getConnections((_error, count) => resolve(count)));
  };

  it("are answered before garbage behind them is refused", async () => {
    seen.length = 0;
    const { socket, answers } = await openConnection();
    socket.write(`${get("/slow")}nonsense\r\n\r\n`);
    await expect.poll(() => seen).toEqual(["slow begins"]);
    expect(answers()).toBe("");
    release();
    await once(socket, "close");
    expect(statuses(answers())).toEqual(["200", "400"]);
  });
});

describe("HTTP details", () => {
  it("what is no request line is 400, an unknown method in one 405, behind other requests too", async () => {
    const answers = async (text: string) => statuses(await requestText(listener.port, text));
    for (const line of ["nonsense", "FOO /fast", "FOO /fast HTTP/3.0", "FO(O /fast HTTP/1.1", "GET /fast FTP/1.1"])
      expect(await answers(`${line}\r\nHost: localhost\r\n\r\n`), line).toEqual(["400"]);
    for (const method of ["FOO", "CONNECT"])
      expect(await answers(get("/fast") + get("/fast").replace("GET", method)), method).toEqual(["200", "405"]);
  });

  it("an unknown Expect is ignored", async () => {
    expect(await requestText(listener.port, get("/fast", `Expect: 200-ok\r\n${closing}`))).toMatch(/^HTTP\/1.1 200 /);
  });

  it("HTTP/1.1 without a Host is answered 400 as documented, HTTP/1.0 without one is served", async () => {
    expect(await requestText(listener.port, `GET /fast HTTP/1.1\r\n${closing}\r\n`)).toMatch(
      /^HTTP\/1.1 400 [^]*"code":"host_missing"/,
    );
    expect(await requestText(listener.port, "GET /fast HTTP/1.0\r\n\r\n")).toMatch(/^HTTP\/1.1 200 /);
  });

  it("a whole URL as the target is served by its path, a foreign one refused, and none redirected to", async () => {
    const answer = (target: string) => requestText(listener.port, get(target, closing));
    expect(await answer("http://localhost/fast")).toMatch(/^HTTP\/1.1 200 /);
    expect(await answer("http://evil.example/fast")).toMatch(/^HTTP\/1.1 403 /);
    expect(await answer("http://localhost?&a=1")).toMatch(/\r\nLocation: \/\?a=1\r\n/);
  });

  it("a request that offers another protocol is answered as if it did not, and the connection closed", async () => {
    const upgrade = "Connection: Upgrade\r\nUpgrade: websocket\r\n";
    expect(statuses(await requestText(listener.port, `${get("/fast", upgrade)}nonsense\r\n\r\n`))).toEqual(["200"]);
  });
});

describe("a body that is refused before it arrives", () => {
  /** As simple clients do: sends everything first and reads then. */
  async function sendAllThenRead(head: string, body: Buffer): Promise<string> {
    const socket = connect(listener.port, "127.0.0.1").pause();
    await new Promise<void>((resolve, reject) => {
      socket.once("error", reject);
      socket.write(`POST /body HTTP/1.1\r\nHost: localhost\r\n${head}\r\n\r\n`);
      socket.write(body, () => resolve());
    });
    const answer = text(socket);
    await expect.poll(() => socket.bytesRead).toBeGreaterThan(0);
    socket.end();
    return answer;
  }

  it("is drained, so that a client which reads only afterwards sees the refusal", async () => {
    const body = Buffer.alloc(20_000_000, "a");
    const answer = await sendAllThenRead(`Content-Length: ${String(body.length)}`, body);
    expect(answer).toMatch(/^HTTP\/1.1 400 [^]*"code":"content_too_long"/);
  });

  it("is drained when it is chunked, too", async () => {
    const chunk = Buffer.alloc(4_000_000, "a");
    const body = Buffer.concat([Buffer.from(`${chunk.length.toString(16)}\r\n`), chunk, Buffer.from("\r\n0\r\n\r\n")]);
    const answer = await sendAllThenRead("Transfer-Encoding: chunked", body);
    expect(answer).toMatch(/^HTTP\/1.1 400 [^]*"code":"content_too_long"/);
  });

  it("leaves the connection usable for the next request", async () => {
    const body = "a".repeat(1_100_000);
    const first = `POST /body HTTP/1.1\r\nHost: localhost\r\nContent-Length: ${String(body.length)}\r\n\r\n${body}`;
    expect(statuses(await requestText(listener.port, first + get("/fast", closing)))).toEqual(["400", "200"]);
  });

  it("is not logged as a server failure when the client leaves halfway", async () => {
    lines.length = 0;
    const { socket } = await openConnection();
    const begun = once(listener.server, "request");
    socket.write("POST /body HTTP/1.1\r\nHost: localhost\r\nContent-Length: 10\r\n\r\nabc");
    await begun;
    socket.destroy();
    await expect.poll(() => lines.join("")).toContain("request aborted");
    expect(failures()).toEqual([]);
  });
});
