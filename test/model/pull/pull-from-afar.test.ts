/** Pulls that somebody on another machine asks for: from no registry that only this machine reaches. */
import { once } from "node:events";
import { readdirSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { listenFrom } from "../../support/process/listen-from.ts";
import { layers, manyBytes } from "../../support/model/model-registry.ts";
import { lines, type Wire } from "../../support/model/model-service.ts";
import { startRecordedModel } from "../../support/model/recorded-model.ts";
import { startPullScene, type PullScene } from "../../support/model/pull-scene.ts";
import { consoleToken, startTestApp } from "../../support/app/test-app.ts";

const phone = "192.168.77.20";
const innards = "the innards of a service";

let scene: PullScene;
let door: Awaited<ReturnType<typeof listenFrom>>;
beforeAll(async () => {
  scene = await startPullScene();
  door = await listenFrom(scene.service.server, phone);
  scene.registry.publish("m", [layers.model(manyBytes(1_000))]);
});
afterAll(async () => {
  await door[Symbol.asyncDispose]();
  await scene[Symbol.asyncDispose]();
});

const ask = async (path: string, body: object, at = door.url, headers: Record<string, string> = {}): Promise<Wire> => {
  const reply = await fetch(`${at}${path}`, { method: "POST", headers, body: JSON.stringify(body) });
  return (await lines(reply)).at(-1);
};
const pull = (model: string, at?: string, headers?: Record<string, string>) =>
  ask("/api/pull", { model, insecure: true }, at, headers);
const refused = { error: expect.stringMatching(/is not called on behalf of other machines.*allowed_targets/) };

describe("a registry on this machine", () => {
  it.each(["127.0.0.1", "127.1", "2130706433", "0x7f.0.0.1", "localhost"])(
    "is not contacted for a caller on another machine who names it %s",
    async (host) => {
      scene.registry.requests.length = 0;
      const { port } = new URL(scene.registry.url);
      expect(await pull(`${host}:${port}/library/m`)).toEqual(refused);
      expect(scene.registry.requests).toEqual([]);
      expect(scene.pauses).toEqual([]);
    },
  );

  it("is not contacted for a proxied caller, nor for the base of a model to create", async () => {
    scene.registry.requests.length = 0;
    const model = `${scene.registry.host}/library/m`;
    expect(await pull(model, scene.service.url, { "X-Forwarded-For": "127.0.0.1" })).toEqual(refused);
    expect(await ask("/api/create", { model: "mine", from: model })).toEqual(refused);
    expect(scene.registry.requests).toEqual([]);
  });

  it("is not contacted for the console on another machine, directly or through a repeated request", async () => {
    await using app = await startTestApp();
    await using model = await startRecordedModel(app);
    await using away = await listenFrom(app.server, phone);
    scene.registry.requests.length = 0;
    const token = { Authorization: `Bearer ${consoleToken}`, "Content-Type": "application/json" };
    const body = { model: `${scene.registry.host}/library/m`, insecure: true, stream: false };
    const from = async (url: string) => {
      const through = await ask("/console/api/model/api/pull", body, url, token);
      const request = { service: "model", method: "POST", path: "/api/pull", body };
      const { response } = await ask("/console/api/requests", request, url, token);
      return [through, JSON.parse(response.body.text)];
    };
    expect(await from(away.url)).toEqual([refused, refused]);
    expect(scene.registry.requests).toEqual([]);
    expect(await from(app.url)).toEqual([{ status: "success" }, { status: "success" }]);
    expect(readdirSync(join(model.modelsDir, "manifests"))).toEqual([scene.registry.host]);
  });

  it("is contacted for programs on this machine, which see its errors", async () => {
    scene.registry.misbehave((_request, res) => {
      res.writeHead(400).end(innards);
      return true;
    });
    expect(await pull(`${scene.registry.host}/library/other`, scene.service.url)).toEqual({
      error: expect.stringContaining(innards),
    });
  });
});

it("a registry on the machine of who uses the console is contacted, for a pull and for the base of a model", async () => {
  const asked: string[] = [];
  // The way to that machine, which a test does not have.
  const proxy = createServer((req, res) => {
    asked.push(new URL(req.url ?? "").host);
    res.writeHead(404).end();
  }).on("connect", ({ url }, socket) => {
    asked.push(url ?? "");
    socket.end("HTTP/1.1 403 Forbidden\r\n\r\n");
  });
  await once(proxy.listen(0, "127.0.0.1"), "listening");
  onTestFinished(() => void proxy.close());
  const way = `http://127.0.0.1:${String((proxy.address() as AddressInfo).port)}`;
  await using app = await startTestApp();
  await using away = await listenFrom(app.server, phone);
  const env = { http_proxy: way, https_proxy: way };
  await using own = await startPullScene({ isToken: (given) => given === consoleToken, registry: { env } });
  app.addresses.model = own.service.url;
  const model = `${phone}:5000/library/m`;
  const byConsole = (path: string, body: object) =>
    ask(`/console/api/model${path}`, body, away.url, { Authorization: `Bearer ${consoleToken}` });
  expect(await byConsole("/api/pull", { model, insecure: true })).not.toEqual(refused);
  expect(await byConsole("/api/create", { model: "mine", from: model })).not.toEqual(refused);
  expect(new Set(asked)).toEqual(new Set([`${phone}:5000`]));
  asked.length = 0;
  expect(await byConsole("/api/pull", { model: "192.168.77.21:5000/library/m", insecure: true })).toEqual(refused);
  expect(asked).toEqual([]);
});

describe("a registry that the setting allowed_targets names", () => {
  let open: PullScene;
  let away: Awaited<ReturnType<typeof listenFrom>>;
  beforeAll(async () => {
    open = await startPullScene({ registry: { allowedTargets: ["127.0.0.1"] } });
    away = await listenFrom(open.service.server, phone);
    open.registry.publish("m", [layers.model(manyBytes(1_000))]);
  });
  afterAll(async () => {
    await away[Symbol.asyncDispose]();
    await open[Symbol.asyncDispose]();
  });

  it("is contacted for a caller on another machine", async () => {
    expect(await pull(`${open.registry.host}/library/m`, away.url)).toEqual({ status: "success" });
  });

  it("cannot redirect a caller to a forbidden address", async () => {
    const port = String(new URL(open.registry.url).port);
    open.registry.misbehave(({ url }, res) => {
      if (url.startsWith("/inside")) throw new Error("asked after all");
      res.writeHead(307, { Location: `http://127.0.0.2:${port}/inside` }).end();
      return true;
    });
    expect(await pull(`${open.registry.host}/library/led`, away.url)).toEqual(refused);
  });

  it("is not quoted in errors to a caller on another machine", async () => {
    open.registry.misbehave((_request, res) => {
      res.writeHead(400).end(innards);
      return true;
    });
    const { error } = await pull(`${open.registry.host}/library/other`, away.url);
    expect(error).toMatch(/^pull model manifest: 400: /);
    expect(error).not.toContain(innards);
  });
});
