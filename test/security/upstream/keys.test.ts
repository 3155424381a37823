/** A server that is an upstream for models gets its own key, and nothing else by which somebody is known. */
import type { IncomingMessage, ServerResponse } from "node:http";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { passedOnHeader } from "../../../server/contract/console/console.ts";
import { startModelService, type ModelService } from "../../support/model/model-service.ts";
import { createScriptedEngine } from "../../support/model/scripted-engine.ts";
import { delta, event, json, ollamaEnd, ollamaLine, upstreamsOf } from "../../support/model/scripted-upstream.ts";
import { listen } from "../../support/process/listen.ts";

/** All that must reach no upstream, or one alone. */
const secrets = {
  token: "the-console-token",
  caller: "of-the-caller",
  cookie: "a-cookie",
  ollama: "sk-one",
  openai: "sk-two",
};
type Name = "ollama" | "openai" | "keyless";

/** What each upstream was sent, as it came over the wire. */
const sent: Record<Name, { authorization: string | undefined; all: string }[]> = {
  ollama: [],
  openai: [],
  keyless: [],
};
let redirectsTo: string | undefined;

/** Answers lists, chats and vectors in both APIs. */
const upstream = (name: Name) =>
  listen((req: IncomingMessage, res: ServerResponse) => {
    let body = "";
    req.on("data", (chunk: Buffer) => (body += String(chunk)));
    req.on("end", () => {
      const { url = "", rawHeaders, headers } = req;
      sent[name].push({ authorization: headers.authorization, all: [url, ...rawHeaders, body].join("\n") });
      if (redirectsTo !== undefined) res.writeHead(307, { Location: redirectsTo + url }).end();
      else if (url === "/v1/models") json(res, 200, { data: [{ id: name, max_model_len: 8192 }] });
      else if (url === "/api/tags") json(res, 200, { models: [{ name, size: 7, digest: "a".repeat(64) }] });
      else if (url === "/api/chat") res.end(ollamaLine("Hi") + ollamaEnd);
      else if (url === "/v1/chat/completions") res.end(delta({ content: "Hi" }, "stop") + event("[DONE]"));
      else json(res, 200, { models: [], embeddings: [[1]], data: [{ index: 0, embedding: [1] }] });
    });
  });

let world: AsyncDisposableStack;
let service: ModelService;
let urls: Record<Name, string>;
beforeAll(async () => {
  await using opened = new AsyncDisposableStack();
  const open = async (name: Name) => opened.use(await upstream(name)).url;
  urls = { ollama: await open("ollama"), openai: await open("openai"), keyless: await open("keyless") };
  service = opened.use(
    await startModelService(createScriptedEngine(), {
      isToken: (given) => given === secrets.token,
      upstreams: {
        ...upstreamsOf([`ollama=${urls.ollama}`, `openai=${urls.openai}/v1`, `keyless=${urls.keyless}`]),
        keys: new Map([
          ["ollama", secrets.ollama],
          ["openai", secrets.openai],
        ]),
      },
    }),
  );
  world = opened.move();
});
afterAll(() => world.disposeAsync());
beforeEach(() => {
  redirectsTo = undefined;
  for (const requests of Object.values(sent)) requests.length = 0;
});

/** Each kind of caller: a program with a key of its own, the console, and a listener of Hearth that passes a device on. */
const callers = [
  { Authorization: `Bearer ${secrets.caller}`, Cookie: `hearth_console_3082=${secrets.cookie}` },
  { Authorization: `Bearer ${secrets.token}`, Cookie: `hearth_device=${secrets.cookie}` },
  { [passedOnHeader]: `${secrets.token} 192.0.2.7 http `, "X-Api-Key": secrets.caller },
  { "Proxy-Authorization": `Basic ${secrets.caller}`, "X-Access-Token": secrets.caller },
];

async function ask(name: Name, headers: Readonly<Record<string, string>>): Promise<void> {
  const call = async (path: string, body: object) => {
    const init = {
      method: "POST",
      headers: { "Content-Type": "application/json", ...headers },
      body: JSON.stringify(body),
    };
    await (await fetch(service.url + path, init)).arrayBuffer();
  };
  const messages = [{ role: "user", content: "hi" }];
  for (const path of ["/api/chat", "/v1/chat/completions", "/v1/messages"])
    await call(path, { model: name, messages, max_tokens: 5 });
  await call("/api/embed", { model: name, input: "hi" });
  await call("/api/show", { model: name });
}

it.each(["ollama", "openai", "keyless"] as const)(
  "the upstream %s gets its own key, or none, and nothing of who asks or of another upstream",
  async (name) => {
    for (const headers of callers) await ask(name, headers);
    const own = name === "keyless" ? undefined : secrets[name];
    expect(sent[name].length).toBeGreaterThanOrEqual(callers.length * 3);
    for (const { authorization, all } of sent[name]) {
      expect(authorization).toBe(own === undefined ? undefined : `Bearer ${own}`);
      for (const secret of Object.values(secrets)) if (secret !== own) expect(all).not.toContain(secret);
    }
  },
);

it("an upstream that redirects to another one has no request led there", async () => {
  redirectsTo = urls.keyless;
  await ask("ollama", {});
  expect(sent.ollama.length).toBeGreaterThan(0);
  expect(sent.keyless).toEqual([]);
});
