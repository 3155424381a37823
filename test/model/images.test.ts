/** The engine reads no images: the refusal says so, and which models of upstreams do, by all APIs. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { refusal, startModelService, type ModelService, type Wire } from "../support/model/model-service.ts";
import { createScriptedEngine } from "../support/model/scripted-engine.ts";
import { json, startScriptedUpstream, upstreamsOf } from "../support/model/scripted-upstream.ts";

let upstream: Awaited<ReturnType<typeof startScriptedUpstream>>;
let service: ModelService;
beforeAll(async () => {
  upstream = await startScriptedUpstream();
  const able = Array.from({ length: 7 }, (_, at) => ({ name: `see${String(at)}`, capabilities: ["vision"] }));
  const listed = [{ name: "blind", capabilities: ["completion"] }, ...able];
  const models = listed.map((model) => ({ ...model, size: 7, digest: "a".repeat(64) }));
  upstream.list = (res) => json(res, 200, { models });
  service = await startModelService(createScriptedEngine(), {
    files: { "tiny.gguf": {} },
    upstreams: upstreamsOf([`gpu=${upstream.url}?prefix=gpu/`]),
  });
});
afterAll(async () => {
  await service[Symbol.asyncDispose]();
  await upstream[Symbol.asyncDispose]();
});

const image = "data:image/png;base64,aGk=";
const openAi = [{ role: "user", content: [{ type: "image_url", image_url: { url: image } }] }];
const source = { type: "base64", media_type: "image/png", data: "aGk=" };
const input = [{ role: "user", content: [{ type: "input_image", image_url: image }] }];

describe("an image is refused by", () => {
  it.each<[path: string, body: object]>([
    ["/api/chat", { messages: [{ role: "user", content: "What is it?", images: ["aGk="] }] }],
    ["/api/generate", { prompt: "What is it?", images: ["aGk="] }],
    ["/v1/chat/completions", { messages: openAi }],
    ["/v1/responses", { input }],
    ["/v1/messages", { messages: [{ role: "user", content: [{ type: "image", source }] }], max_tokens: 9 }],
  ])("%s", async (path, body) => {
    const reply = await service.post(path, { model: "tiny", ...body });
    const { error } = (await reply.json()) as Wire;
    expect([reply.status, error.message ?? error]).toEqual([
      400,
      "registry.ollama.ai/library/tiny:latest does not support vision: Hearth's engine does not support images. Use a model of an upstream: " +
        '"gpu/see0:latest" (gpu), "gpu/see1:latest" (gpu), "gpu/see2:latest" (gpu), "gpu/see3:latest" (gpu), "gpu/see4:latest" (gpu), or 2 more.',
    ]);
  });
});

it.each([
  ["that is not base64", "a*b=", "illegal base64 data at input byte 1"],
  ["behind a data URI", image, expect.stringContaining("does not support vision")],
])("one %s is 400", async (_what, sent, error) => {
  const messages = [{ role: "user", images: [sent] }];
  expect(await refusal(await service.post("/api/chat", { model: "tiny", messages }))).toEqual([400, error]);
});

it("without an upstream the advice is to add one", async () => {
  await using alone = await startModelService(createScriptedEngine(), { files: { "tiny.gguf": {} } });
  const reply = await alone.post("/api/generate", { model: "tiny", prompt: "hi", images: ["aGk="] });
  expect(await refusal(reply)).toEqual([
    400,
    expect.stringMatching(/not support images\. Add an upstream with a vision model\.$/),
  ]);
});
