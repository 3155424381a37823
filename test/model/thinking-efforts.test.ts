/** A template that refuses an effort gets its neighbour, whichever API names it. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { startModelService, type ModelService } from "../support/model/model-service.ts";
import { createScriptedEngine } from "../support/model/scripted-engine.ts";

const chatTemplate =
  "{% if reasoning_effort is defined and reasoning_effort not in ['low', 'medium', 'xhigh'] %}{{ raise_exception('effort') }}{% endif %}" +
  "{% for m in messages %}{{ m.content.split('</think>')[-1] }}{% endfor %} with {{ reasoning_effort }}";
const engine = createScriptedEngine();
let service: ModelService;
beforeAll(async () => {
  service = await startModelService(engine, { files: { "qwen.gguf": { chatTemplate } } });
});
afterAll(() => service[Symbol.asyncDispose]());

const messages = [{ role: "user", content: "hi" }];
it.each<[path: string, body: object]>([
  ["/api/chat", { messages, think: "high" }],
  ["/api/generate", { prompt: "hi", think: "high" }],
  ["/v1/chat/completions", { messages, reasoning_effort: "high" }],
  ["/v1/chat/completions", { messages, reasoning: { effort: "xhigh" } }],
  ["/v1/responses", { input: "hi", reasoning: { effort: "high" } }],
  ["/v1/messages", { messages, max_tokens: 9, output_config: { effort: "high" } }],
])("%s %o", async (path, body) => {
  const reply = await service.post(path, { model: "qwen", stream: false, ...body });
  expect([reply.status, engine.requests.at(-1)?.prompt]).toEqual([200, "hi with xhigh"]);
});
