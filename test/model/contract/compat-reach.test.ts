/** Pages and browser extensions at the routes of other families, and the routes of what is not here. */
import { readFileSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { startModelService, type ModelService } from "../../support/model/model-service.ts";
import { thirdParty } from "../../support/third-party.ts";
import { requestText } from "../../support/app/raw-request.ts";
import { createScriptedEngine } from "../../support/model/scripted-engine.ts";

let service: ModelService;
beforeAll(async () => {
  service = await startModelService(createScriptedEngine(), { files: { "caller.gguf": {} } });
});
afterAll(() => service[Symbol.asyncDispose]());

const chat = { model: "caller", messages: [{ role: "user", content: "hi" }] };

/** The headers of requests that the clients would send from a page, where they stand for what they do. */
async function sentBySdks(): Promise<{ path: string; names: string[] }[]> {
  const sent: { path: string; names: string[] }[] = [];
  const note = async (url: string, init: RequestInit) => {
    sent.push({ path: new URL(url).pathname, names: [...new Headers(init.headers).keys()] });
    return Response.json({ content: [], choices: [] });
  };
  const settings = { apiKey: "unused", dangerouslyAllowBrowser: true, fetch: note, maxRetries: 0 };
  const { default: OpenAI } = await thirdParty("openai");
  const openai = new OpenAI({ ...settings, baseURL: `${service.url}/v1`, organization: "o", project: "p" });
  await openai.chat.completions.create({ model: "m", messages: [] });
  const { default: Anthropic } = await thirdParty("@anthropic-ai/sdk");
  const anthropic = new Anthropic({ ...settings, baseURL: service.url });
  const helper = { headers: { "x-stainless-helper": "BetaToolRunner", "idempotency-key": "k" } };
  await anthropic.beta.messages.create({ model: "m", max_tokens: 1, messages: [], betas: ["b"] }, helper);
  return sent;
}

it("a page may call the /v1 routes from an origin that is allowed, with the headers that the clients send", async () => {
  const origin = "http://localhost:5173";
  const sent = await sentBySdks();
  expect(sent.map(({ path }) => path)).toEqual(["/v1/chat/completions", "/v1/messages"]);
  for (const { path, names } of sent) {
    const preflight = await service.get(path, {
      method: "OPTIONS",
      headers: {
        Origin: origin,
        "Access-Control-Request-Headers": names.join(),
        "Access-Control-Request-Method": "POST",
      },
    });
    const allowed = preflight.headers.get("access-control-allow-headers")?.toLowerCase().split(",");
    expect(preflight.status).toBe(204);
    for (const name of names) expect(allowed?.map((one) => one.trim())).toContain(name);
  }
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

it.each(["/v1/chat/completions", "/v1/messages", "/api/chat"])(
  "a body above the limit is refused before it is sent: %s",
  async (path) => {
    const head = `POST ${path} HTTP/1.1\r\nHost: localhost\r\nContent-Length: 67108865\r\nConnection: close\r\n\r\n`;
    expect((await requestText(service.port, head)).split(" ")[1]).toBe("413");
  },
);

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
