import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { requestText } from "../support/app/raw-request.ts";
import { recordedCalls } from "../support/app/recorded-calls.ts";
import { startRecordedModel } from "../support/model/recorded-model.ts";
import { startTestApp, type TestApp } from "../support/app/test-app.ts";

let app: TestApp;
let model: Awaited<ReturnType<typeof startRecordedModel>>;
const { awaited, clear } = recordedCalls(() => app);
beforeAll(async () => {
  app = await startTestApp();
  model = await startRecordedModel(app);
});
afterAll(async () => {
  await model[Symbol.asyncDispose]();
  await app[Symbol.asyncDispose]();
});
beforeEach(clear);

describe("a call that is refused for its Host or its Origin", () => {
  const body = "grant_type=client_credential".padEnd(2_000, "x");
  const post = (path: string, headers: string) =>
    `POST ${path} HTTP/1.1\r\n${headers}\r\nContent-Length: ${String(body.length)}\r\nConnection: close\r\n\r\n${body}`;

  it.each([
    ["app", "/api/sessions", "Host: rebound.example"],
    ["provider", "/cgi-bin/token", "Host: rebound.example"],
    ["provider", "/sim/users/alice/login", "Host: localhost\r\nOrigin: https://evil.example"],
    ["provider", "/sim/orders/H1/pay", "Host: localhost\r\nOrigin: https://evil.example"],
    ["model", "/api/chat", "Host: rebound.example"],
    ["model", "/api/chat", "Host: localhost\r\nOrigin: https://evil.example"],
  ] as const)("is recorded by the %s at %s with %j, without its body", async (service, path, headers) => {
    const { port } = { app, provider: { port: Number(new URL(app.provider.url).port) }, model }[service];
    const answer = await requestText(port, post(path, headers));
    expect(answer).toMatch(/^HTTP\/1.1 403 /);
    const one = await awaited(`service=${service}&path=${path}&status=403`);
    expect(one).toMatchObject({ status: 403, request: { body: { size: 0, truncated: false } } });
    expect(one.request.headers).toContainEqual({ name: "Content-Length", value: String(body.length) });
  });
});

it.each(["/sim\\users\\alice\\login#", "/sim#/users/alice"])(
  "the control routes are not reached by %s, which some URL parsers take for their path",
  async (path) => {
    const { port } = new URL(app.provider.url);
    const head = (origin: string) => `GET ${path} HTTP/1.1\r\nHost: localhost\r\n${origin}Connection: close\r\n\r\n`;
    expect(await requestText(Number(port), head("Origin: https://evil.example\r\n"))).toMatch(/^HTTP\/1.1 403 /);
    const answer = await requestText(Number(port), head(""));
    expect(answer).toMatch(/^HTTP\/1.1 404 /);
    expect(answer).toContain("errcode"); // the platform's own answer
  },
);

it.each(["/console#", "/console\\#"])("the console is not reached by %s from another origin", async (path) => {
  const head = `GET ${path} HTTP/1.1\r\nHost: localhost\r\nOrigin: https://evil.example\r\nConnection: close\r\n\r\n`;
  expect(await requestText(app.port, head)).toMatch(/^HTTP\/1.1 404 /);
});
