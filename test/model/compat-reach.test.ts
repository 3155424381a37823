/** Pages and browser extensions at the routes of other families, and the routes of what is not here. */
import { readFileSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { startModelService, type ModelService } from "../support/model/model-service.ts";
import { requestText } from "../support/app/raw-request.ts";
import { createScriptedEngine } from "../support/model/scripted-engine.ts";

let service: ModelService;
beforeAll(async () => {
  service = await startModelService(createScriptedEngine(), { files: { "caller.gguf": {} } });
});
afterAll(() => service[Symbol.asyncDispose]());

const chat = { model: "caller", messages: [{ role: "user", content: "hi" }] };

it("a page may call the /v1 routes from an origin that is allowed, with the headers that the clients send", async () => {
  const origin = "http://localhost:5173";
  const asked =
    "authorization,content-type,x-api-key,anthropic-version,x-stainless-retry-count,anthropic-dangerous-direct-browser-access";
  const preflight = await service.get("/v1/messages", {
    method: "OPTIONS",
    headers: { Origin: origin, "Access-Control-Request-Headers": asked, "Access-Control-Request-Method": "POST" },
  });
  const allowed = preflight.headers.get("access-control-allow-headers")?.toLowerCase().split(", ");
  expect(preflight.status).toBe(204);
  for (const name of asked.split(",")) expect(allowed).toContain(name);
  const init = { headers: { Origin: origin } };
  const reply = await service.post("/v1/chat/completions", chat, init);
  expect([reply.status, reply.headers.get("access-control-allow-origin")]).toEqual([200, origin]);
  expect(reply.headers.get("access-control-expose-headers")).toContain("X-Should-Retry");
  const other = await service.post("/v1/chat/completions", chat, { headers: { Origin: "https://evil.example" } });
  expect([other.status, await other.text()]).toEqual([403, ""]);
});

it("a browser's extension is refused unless it is listed", async () => {
  const head =
    "GET /v1/models HTTP/1.1\r\nHost: localhost\r\nOrigin: chrome-extension://abc\r\nConnection: close\r\n\r\n";
  expect((await requestText(service.port, head)).split(" ")[1]).toBe("403");
});

it("there is no cloud and no sound, and the routes say so", async () => {
  const me = await service.post("/api/me", {});
  const { error, signin_url } = (await me.json()) as { error: string; signin_url: string };
  const { origin, pathname, searchParams } = new URL(signin_url);
  expect([me.status, error, origin + pathname]).toEqual([401, "unauthorized", "https://ollama.com/connect"]);
  expect(searchParams.get("name")).toBe(hostname());
  // The key that pulls are signed with, as ssh-keygen would write it.
  const publicKey = Buffer.from(searchParams.get("key") ?? "", "base64url").toString();
  expect(publicKey).toMatch(/^ssh-ed25519 AAAA/);
  expect(readFileSync(join(service.modelsDir, ".id_ed25519.pub"), "utf8")).toBe(`${publicKey} hearth\n`);
  expect((await service.post("/api/signout", {})).status).toBe(200);
  expect((await service.get("/api/user/keys/abc", { method: "DELETE" })).status).toBe(200);
  expect((await service.post("/api/experimental/web_search", {})).status).toBe(403);
  const recommended = await service.get("/api/experimental/model-recommendations");
  expect(await recommended.json()).toEqual({ recommendations: [] });
  const sound = await service.post("/v1/audio/transcriptions", {});
  expect([sound.status, await sound.json()]).toMatchObject([400, { error: { type: "invalid_request_error" } }]);
});
