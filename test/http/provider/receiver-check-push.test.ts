/** The rows of a receiver check about message push. */
import { createHash } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { pushRowTexts } from "../../../server/contract/provider/checks/product-row-texts.ts";
import { pushSecrets } from "../../support/payments/push-receiver.ts";
import { allowTime, checkReceiver, failed, rowsOf } from "../../support/payments/receivers/receiver-checks.ts";
import { startTestProvider, type TestProvider } from "../../support/payments/test-provider.ts";

const pushRows = Object.keys(pushRowTexts) as (keyof typeof pushRowTexts)[];

interface Asked {
  readonly query: Readonly<Record<string, string | undefined>>;
  readonly body: string;
  readonly isSigned: boolean;
}
type Answer = (asked: Asked, response: ServerResponse) => void;

const sign = (...values: string[]) => createHash("sha1").update(values.toSorted().join("")).digest("hex");

/** Verifies what the platform signs: the address in plain mode, and the encrypted text in safe mode. */
function isSigned({ signature, msg_signature, timestamp = "", nonce = "" }: Asked["query"], body: string): boolean {
  const { token } = pushSecrets;
  if (signature !== sign(token, timestamp, nonce)) return false;
  const encrypted = /<Encrypt><!\[CDATA\[(.*?)\]\]>|"Encrypt":"([^"]*)"/.exec(body);
  return !encrypted || msg_signature === sign(token, timestamp, nonce, encrypted[1] ?? encrypted[2] ?? "");
}

let provider: TestProvider;
let answer: Answer;
let url: string;
const server = createServer((request: IncomingMessage, response) => {
  void text(request).then((body) => {
    const query = Object.fromEntries(new URL(request.url ?? "", "http://receiver").searchParams);
    answer({ query, body, isSigned: isSigned(query, body) }, response);
  });
});
beforeAll(async () => {
  provider = await startTestProvider();
  await allowTime(provider.url);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  url = `http://127.0.0.1:${String((server.address() as AddressInfo).port)}/push`;
});
afterAll(async () => {
  await provider[Symbol.asyncDispose]();
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

const right: Answer = ({ query, isSigned: isOurs }, response) =>
  isOurs ? response.end(query["echostr"] ?? "success") : response.writeHead(403).end();
beforeEach(() => {
  answer = right;
});

const subscribe = (mode: "plain" | "safe", format: "JSON" | "XML") =>
  provider.control("PUT", "/message-push", { url, ...pushSecrets, mode, format });

const check = (only?: typeof pushRows) =>
  checkReceiver(provider, { notify_url: `${url}/payments`, orders: { from: "simulator", version: "v3" }, only });

it("judges no row of message push without a receiver, and says how to name one", async () => {
  const report = await check(pushRows);
  expect(rowsOf(report, "not_judged")).toEqual(pushRows);
  expect(report.results[0]?.seen).toBe("message push has no receiver: PUT /sim/message-push");
});

describe.each([
  ["plain", "XML"],
  ["plain", "JSON"],
  ["safe", "XML"],
  ["safe", "JSON"],
] as const)("the check of a receiver of message push in the mode %s and the format %s", (mode, format) => {
  beforeEach(async () => {
    await subscribe(mode, format);
  });

  it("passes a right receiver, and stores nothing that it sent", async () => {
    const report = await check(pushRows);
    expect([report.problem, failed(report), rowsOf(report, "pass")]).toEqual([undefined, {}, pushRows]);
    expect(await provider.control("GET", "/pushes")).toEqual([]);
  });

  it("tells a receiver that verifies nothing what to compare", async () => {
    answer = ({ query }, response) => response.end(query["echostr"] ?? "");
    const failings = failed(await check(pushRows));
    const of = [/another token. Compare signature/, /without a signature. Require signature/];
    const changed = mode === "safe" ? [/another text than the signed one. Compare msg_signature/] : [];
    const matching = (all: readonly RegExp[]) => all.map((one) => expect.stringMatching(one));
    expect(failings).toEqual({
      "push-address-forged": matching(of),
      "push-forged": matching([...of, ...changed]),
    });
  });
});

describe("the check of a receiver of message push", () => {
  beforeEach(async () => {
    await subscribe("plain", "XML");
  });

  it("is a part of every check while the app has a receiver", async () => {
    const { planned } = await check();
    expect(planned).toEqual(expect.arrayContaining(pushRows));
  });

  it("tells a receiver that answers a message with a text what to answer", async () => {
    answer = (asked, response) => (asked.query["echostr"] ? right(asked, response) : response.end("received"));
    const failings = failed(await check(pushRows));
    expect(failings).toEqual({ push: [expect.stringMatching(/the message: no \(HTTP 200: received\).*or success/)] });
  });

  it("tells a receiver that wraps echostr to return it alone", async () => {
    answer = (asked, response) => {
      const { echostr } = asked.query;
      if (echostr && asked.isSigned) return void response.end(JSON.stringify({ echostr }));
      right(asked, response);
    };
    const failings = failed(await check(pushRows));
    expect(failings).toEqual({ "push-address": [expect.stringMatching(/echostr as the only text/)] });
  });

  it("tells a receiver that refuses a copy to accept it", async () => {
    const seen = new Set<string>();
    answer = (asked, response) => {
      if (asked.query["echostr"] || !asked.isSigned) return right(asked, response);
      if (seen.size > 0) return void response.writeHead(409).end();
      seen.add(asked.body);
      right(asked, response);
    };
    const failings = failed(await check(pushRows));
    expect(failings).toEqual({ push: [expect.stringMatching(/^Reply to its copy: no \(HTTP 409\)/)] });
  });
});
