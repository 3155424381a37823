import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { commandHere } from "../../support/command-here.ts";
import type { KeyLimits, KeyScope } from "../../../server/contract/process/access-keys.ts";
import { startModelService, type ModelService } from "../../support/model/model-service.ts";
import { createScriptedEngine, type ScriptedEngine } from "../../support/model/scripted-engine.ts";

const elsewhere = { "X-Forwarded-For": "203.0.113.9" };
const token = "the-console-token";
const files = { "m.gguf": {} };
const options = { files, isToken: (given: string | undefined) => given === token };
const chat = { model: "m", messages: [{ role: "user", content: "Hi" }] };

const bearer = (secret: string) => ({ ...elsewhere, Authorization: `Bearer ${secret}` });
const add = async (service: ModelService, scopes: KeyScope[], limits: KeyLimits = {}) =>
  (await service.keys.add({ name: "k", scopes, limits })).secret;
const tags = async (service: ModelService, headers: Record<string, string> = {}) =>
  (await service.get("/api/tags", { headers })).status;

describe("require_keys", () => {
  it("auto asks other machines as soon as there is a key, and never this one", async () => {
    await using service = await startModelService(createScriptedEngine(), options);
    expect(await tags(service, elsewhere)).toBe(200);
    const secret = await add(service, ["model:use"]);
    expect([await tags(service, elsewhere), await tags(service)]).toEqual([401, 200]);
    expect(await tags(service, bearer(secret))).toBe(200);
    expect(await tags(service, bearer(token))).toBe(200);
  });

  it("elsewhere asks other machines before there is a key", async () => {
    await using service = await startModelService(createScriptedEngine(), { ...options, requireKeys: "elsewhere" });
    expect([await tags(service, elsewhere), await tags(service)]).toEqual([401, 200]);
  });

  it("always asks this machine, too, and leaves the greeting open", async () => {
    await using service = await startModelService(createScriptedEngine(), { ...options, requireKeys: "always" });
    expect([await tags(service), (await service.get("/")).status]).toEqual([401, 200]);
    expect(await tags(service, { "x-api-key": await add(service, ["model:use"]) })).toBe(200);
  });
});

describe("a key of models", () => {
  let engine: ScriptedEngine;
  let service: ModelService;
  beforeAll(async () => {
    engine = createScriptedEngine();
    service = await startModelService(engine, options);
    await add(service, ["metrics:read"]);
  });
  afterAll(() => service[Symbol.asyncDispose]());

  it("that is missing or wrong is refused in the shape of each API", async () => {
    const post = (path: string, headers: Record<string, string>) => service.post(path, chat, { headers });
    const asOllama = await post("/api/chat", elsewhere);
    expect([asOllama.status, asOllama.headers.get("www-authenticate")]).toEqual([401, "Bearer"]);
    expect(await asOllama.json()).toEqual({ error: expect.stringContaining("Authorization: Bearer") as string });
    const asOpenAi = await post("/v1/chat/completions", bearer("sk-wrong"));
    expect(asOpenAi.status).toBe(401);
    expect(await asOpenAi.json()).toEqual({
      error: {
        message: expect.any(String) as string,
        type: "invalid_request_error",
        param: null,
        code: "invalid_api_key",
      },
    });
    const asAnthropic = await post("/v1/messages", { ...elsewhere, "x-api-key": "wrong" });
    expect(asAnthropic.status).toBe(401);
    expect(await asAnthropic.json()).toMatchObject({ type: "error", error: { type: "authentication_error" } });
  });

  it("finds the responses that it asked for, and those of no other", async () => {
    const headers = bearer(await add(service, ["model:use"]));
    const others = [{}, bearer(token), bearer(await add(service, ["model:use"]))];
    const ask = async (more: object, by: Record<string, string>) => {
      const reply = await service.post("/v1/responses", { model: "m", ...more }, { headers: by });
      // oxlint-disable-next-line typescript/no-explicit-any -- what a client reads
      return (await reply.json()) as any;
    };
    const { id, output } = await ask({ input: "A secret" }, headers);
    const statuses = async (by: Record<string, string>) => [
      (await service.get(`/v1/responses/${id}`, { headers: by })).status,
      (await service.get(`/v1/responses/${id}/input_items`, { headers: by })).status,
      (await service.get(`/v1/responses/${id}`, { method: "DELETE", headers: by })).status,
    ];
    const goOn = async (by: Record<string, string>) => [
      (await ask({ input: "Hi", previous_response_id: id }, by)).error?.code,
      (await ask({ input: [{ type: "item_reference", id: output[0].id }] }, by)).error?.code,
    ];
    for (const by of others) {
      expect(await goOn(by)).toEqual(["previous_response_not_found", "item_not_found"]);
      expect(await statuses(by)).toEqual([404, 404, 404]);
    }
    expect(await goOn(headers)).toEqual([undefined, undefined]);
    expect(await statuses(headers)).toEqual([200, 200, 200]);
  });

  it("changes models with the scope model:manage alone", async () => {
    const copy = async (secret: string) =>
      (await service.post("/api/copy", { source: "m", destination: "n" }, { headers: bearer(secret) })).status;
    expect(await copy(await add(service, ["model:use"]))).toBe(403);
    expect(await copy(await add(service, ["model:manage"]))).not.toBe(403);
  });

  it("has so many tokens a day, of all APIs together", async () => {
    engine.steps = ["a", "b"];
    const secret = await add(service, ["model:use"], { tokens_per_day: 3 });
    const headers = bearer(secret);
    expect(
      (await service.post("/api/chat", chat, { headers }).then(async (reply) => reply.text())).length,
    ).toBeGreaterThan(0);
    const refused = await service.post("/v1/chat/completions", chat, { headers });
    expect([refused.status, Number(refused.headers.get("retry-after")) > 0]).toEqual([429, true]);
    expect(await refused.json()).toMatchObject({ error: { type: "tokens", code: "rate_limit_exceeded" } });
    const asAnthropic = await service.post("/v1/messages", { ...chat, max_tokens: 5 }, { headers });
    expect(await asAnthropic.json()).toMatchObject({ error: { type: "rate_limit_error" } });
  });

  it("has so many requests at a time, streams counted until their end", async () => {
    const { promise: gone, resolve: letGo } = Promise.withResolvers<void>();
    engine.steps = ["a", { until: gone }];
    const headers = bearer(await add(service, ["model:use"], { concurrent_requests: 1 }));
    const first = await service.post("/api/chat", chat, { headers });
    expect((await service.get("/api/tags", { headers })).status).toBe(429);
    letGo();
    await first.text();
    await expect.poll(async () => (await service.get("/api/tags", { headers })).status).toBe(200);
  });

  it("that the command adds or removes counts at once", async () => {
    const keys = (...args: string[]) => commandHere(["keys", ...args], { env: { HEARTH_DATA_DIR: service.dataDir } });
    const out = vi.spyOn(process.stdout, "write").mockReturnValue(true);
    await keys("add", "of a script");
    const printed = out.mock.calls.map(([text]) => String(text));
    out.mockRestore();
    const secret = printed.join("").trim();
    expect(secret).toMatch(/^hearth_[\w-]{43}$/);
    expect(await tags(service, bearer(secret))).toBe(200);
    const id = service.keys.list().find(({ name }) => name === "of a script")?.id ?? "";
    await keys("remove", id);
    expect(await tags(service, bearer(secret))).toBe(401);
    await expect(keys("remove", id)).rejects.toThrow(`key ${id} does not exist`);
    await expect(keys("add", "x", "--scopes", "all")).rejects.toThrow("--scopes accepts");
  });
});
