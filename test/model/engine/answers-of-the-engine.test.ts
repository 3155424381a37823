import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createRunnerEngine } from "../../../server/model/engine/runner-engine.ts";
import {
  lines,
  refusal,
  startModelService,
  textOf,
  type ModelService,
  type Wire,
} from "../../support/model/model-service.ts";
import { familyTemplates } from "../../support/model/family-templates.ts";
import type { MetadataEntry } from "../../support/model/gguf-encoding.ts";
import { startRunner, type RunnerProcess } from "../../support/model/runner-process.ts";

/** Of a tokenizer that has neither begin nor end unless the file names them, which here are none of its tokens. */
const noTokens: readonly MetadataEntry[] = [
  { key: "tokenizer.ggml.model", type: "string", value: "rwkv" },
  { key: "tokenizer.ggml.bos_token_id", type: "uint32", value: 0xffff_ffff },
  { key: "tokenizer.ggml.eos_token_id", type: "uint32", value: 0xffff_ffff },
];

let runner: RunnerProcess;
let service: ModelService;
beforeAll(async () => {
  runner = await startRunner();
  service = await startModelService(createRunnerEngine({ socketPath: runner.socketPath }), {
    files: {
      "tiny.gguf": { emitBytes: true },
      "plain.gguf": { chatTemplate: null },
      "caller.gguf": { chatTemplate: familyTemplates.qwen3 },
      "tokenless.gguf": { extraMetadata: noTokens },
    },
  });
});
afterAll(async () => {
  await service[Symbol.asyncDispose]();
  await runner[Symbol.asyncDispose]();
});

const messages = [{ role: "user", content: "hi" }];
const options = { num_predict: 12, seed: 1 };
const post = (path: string, body: object) => service.post(path, { model: "tiny", options, ...body });
const ask = async (path: string, body: object): Promise<Wire> => (await post(path, { stream: false, ...body })).json();

describe("log probabilities of the real engine", () => {
  it("come for each token, streamed or not, with the likeliest alternatives where asked for", async () => {
    const reply = await ask("/api/chat", { messages, logprobs: true, top_logprobs: 3 });
    expect(reply.logprobs).toHaveLength(reply.eval_count);
    for (const { token, bytes, logprob, top_logprobs: top } of reply.logprobs) {
      expect(typeof token).toBe("string");
      expect(bytes.length).toBeGreaterThan(0);
      expect(logprob).toBeLessThanOrEqual(0);
      expect(top).toHaveLength(3);
      expect(top[0].logprob).toBeGreaterThanOrEqual(top[2].logprob);
    }
    const streamed = await lines(await post("/api/generate", { prompt: "hi", logprobs: true }));
    const all = streamed.flatMap(({ logprobs = [] }) => logprobs);
    expect(all).toHaveLength(streamed.at(-1).eval_count);
    expect(all[0]).not.toHaveProperty("top_logprobs");
  });

  it("are left out unless asked for", async () => {
    expect(await ask("/api/chat", { messages })).not.toHaveProperty("logprobs");
  });
});

describe("progress lines of a prompt", () => {
  it("comes in lines with all members of others, when asked for", async () => {
    const long = [{ role: "user", content: "once upon a time ".repeat(100) }];
    const all = await lines(await post("/api/chat", { messages: long, progress: true }));
    const told = all.filter((line) => line.prompt_progress !== undefined);
    expect(told.length).toBeGreaterThan(0);
    for (const line of told)
      expect(line).toMatchObject({
        model: "tiny",
        created_at: expect.any(String),
        message: { role: "assistant", content: "" },
        done: false,
      });
    const { completed, total } = told.at(-1).prompt_progress;
    expect(completed).toBeLessThanOrEqual(total);
  });

  it("are sent for a short prompt, too, as soon as its reading starts", async () => {
    const [first, ...rest] = await lines(await post("/api/chat", { messages, progress: true }));
    expect(first.prompt_progress.total).toBe(rest.at(-1).prompt_eval_count);
    expect(rest.filter((line) => line.prompt_progress !== undefined)).toEqual([]);
  });
});

describe("trap 18: streamed text", () => {
  it("never holds half a character, however tokens cut it", async () => {
    const all = await lines(
      await post("/api/generate", { prompt: "x", options: { num_predict: 200, seed: 3, temperature: 2 } }),
    );
    for (const { response } of all) expect(response.isWellFormed()).toBe(true);
    expect(textOf(all).length).toBeGreaterThan(0);
  });
});

describe("a conversation longer than the window", () => {
  const small = { options: { ...options, num_ctx: 128 } };
  const talk = [
    { role: "system", content: "be brief" },
    ...Array.from({ length: 20 }, (_, at) => ({
      role: at % 2 === 0 ? "user" : "assistant",
      content: `message ${String(at)}`,
    })),
    { role: "user", content: "the last one" },
  ];
  it("loses old messages, and says so in a header and in the last line", async () => {
    const reply = await post("/api/chat", { messages: talk, ...small });
    const all = await lines(reply);
    const dropped = all.at(-1).context_cut.dropped_messages;
    expect(dropped).toBeGreaterThan(0);
    expect(reply.headers.get("x-context-cut")).toBe(`dropped_messages=${String(dropped)}; prompt=whole`);
  });
  it("loses the middle of its last message when that message alone is too long", async () => {
    const reply = await post("/api/chat", { messages: [{ role: "user", content: "word ".repeat(500) }], ...small });
    expect(reply.headers.get("x-context-cut")).toBe("dropped_messages=0; prompt=cut");
    expect((await lines(reply)).at(-1).context_cut.cut_tokens).toBeGreaterThan(0);
  });
  it("is also reported in the last line when progress lines were sent before the header could report it", async () => {
    await (await post("/api/chat", { messages: [], keep_alive: 0 })).text();
    const all = await lines(await post("/api/chat", { messages: talk, ...small, progress: true }));
    expect(all[0]).toHaveProperty("load_progress");
    expect(textOf(all).length).toBeGreaterThan(0);
    expect(all.at(-1).context_cut.dropped_messages).toBeGreaterThan(0);
  });
  it("is refused with 400 when truncate is off", async () => {
    const [status] = await refusal(await post("/api/chat", { messages: talk, ...small, truncate: false }));
    expect(status).toBe(400);
  });
});

describe("POST /api/tokenize, /api/embed and /api/rerank with the real engine", () => {
  it("turn texts into tokens and back", async () => {
    const { tokens } = await ask("/api/tokenize", { text: "hello there" });
    expect(tokens.length).toBeGreaterThan(1);
    expect((await ask("/api/detokenize", { tokens })).text).toBe("hello there");
    expect((await ask("/api/tokenize", { text: "<|im_end|>" })).tokens).toHaveLength(1);
    expect((await post("/api/detokenize", { tokens: [99_999] })).status).toBe(400);
  });
  it("make vectors of length 1, equal for equal texts", async () => {
    const { embeddings } = await ask("/api/embed", { input: ["hello", "world", "hello"] });
    for (const row of embeddings) expect(Math.hypot(...row)).toBeCloseTo(1);
    expect(embeddings[0]).toEqual(embeddings[2]);
    expect(embeddings[0]).not.toEqual(embeddings[1]);
  });
  it("make a row for an empty text, too, of the begin token that it counts", async () => {
    const { embeddings, prompt_eval_count: count } = await ask("/api/embed", { input: ["hi", ""] });
    const alone = await ask("/api/embed", { input: ["hi"] });
    expect(embeddings[0]).toEqual(alone.embeddings[0]);
    expect(embeddings[1]).toHaveLength(embeddings[0].length);
    expect(Math.hypot(...embeddings[1])).toBeCloseTo(1);
    expect(count).toBe(alone.prompt_eval_count + 1);
    const { data, usage } = await ask("/v1/embeddings", { input: "", encoding_format: "float" });
    expect(data).toMatchObject([{ embedding: embeddings[1] }]);
    expect(usage).toEqual({ prompt_tokens: 1, total_tokens: 1 });
  });
  it("refuse an empty text where the model has no token that could stand for it", async () => {
    const input = ["hi", ""];
    expect(await refusal(await post("/api/embed", { model: "tokenless", input }))).toEqual([
      400,
      "this model does not support empty texts: omit them",
    ]);
  });
  it("cut texts that are too long, or refuse them with truncate off", async () => {
    const long = { input: "word ".repeat(500), options: { num_ctx: 64 } };
    expect((await ask("/api/embed", long)).embeddings).toHaveLength(1);
    expect(await refusal(await post("/api/embed", { ...long, truncate: false }))).toEqual([
      400,
      "the input length exceeds the context length",
    ]);
  });
  it("refuse to rank with a model that cannot rank", async () => {
    const reply = await post("/api/rerank", { query: "a", documents: ["b"] });
    expect(await refusal(reply)).toEqual([400, '"tiny" does not support rerank']);
  });
});

it("A context of tokens that the model does not have is 400", async () => {
  const reply = await post("/api/generate", { prompt: "hi", context: [5, 4_000_000], stream: false });
  expect(await refusal(reply)).toEqual([400, "the model has no token 4000000"]);
});

describe("an answer in a format", () => {
  it("has no more characters than it may have, whatever bytes the model draws", async () => {
    const format = { type: "string", maxLength: 3 };
    for (let seed = 1; seed <= 30; seed++) {
      const drawn = { seed, temperature: 1, num_predict: 40 };
      const reply = await ask("/api/generate", { prompt: "hi", raw: true, format, options: drawn });
      const { response, done_reason: reason } = reply;
      if (reason === "stop") expect(Array.from(JSON.parse(response) as string).length, response).toBeLessThanOrEqual(3);
    }
  });
});

describe("a stop text in the middle", () => {
  const schema = { type: "object", properties: { a: { const: "x,y" } }, required: ["a"] };
  it("of an answer in a format is the end of one that is not whole", async () => {
    const { response, done_reason: reason } = await ask("/api/generate", {
      prompt: "hi",
      format: schema,
      options: { stop: [","], num_predict: 200 },
    });
    expect([response.replaceAll(/\s/g, ""), reason]).toEqual(['{"a":"x', "length"]);
  });

  it("of a call cuts it off", async () => {
    const tools = [{ type: "function", function: { name: "find", parameters: schema } }];
    const forced = { model: "caller", tools, tool_choice: "required", reasoning_effort: "none" };
    const { choices } = await ask("/v1/chat/completions", { ...forced, messages, stop: ",y", max_tokens: 200 });
    const [{ message, finish_reason: reason }] = choices;
    expect(message.content ?? "").toBe("");
    expect(message.tool_calls).toMatchObject([{ function: { name: "find" } }]);
    expect(message.tool_calls[0].function.arguments.replaceAll(/\s/g, "")).toBe('{"a":"x');
    expect(reason).toBe("length");
  });
});

describe("a model created with a system message and a history", () => {
  it("begins every conversation with them, unless the request has its own", async () => {
    const made = {
      from: "tiny",
      system: "be brief",
      messages: [
        { role: "user", content: "who?" },
        { role: "assistant", content: "me" },
      ],
    };
    const reply = await service.post("/api/create", { model: "brief", stream: false, ...made });
    expect(await reply.json()).toEqual({ status: "success" });
    const count = async (body: object) => (await ask("/api/chat", { messages, ...body })).prompt_eval_count as number;
    const own = [{ role: "system", content: "x" }, ...messages];
    expect(await count({ model: "brief" })).toBeGreaterThan(await count({ model: "tiny" }));
    expect(await count({ model: "brief", messages: own })).toBeLessThan(await count({ model: "brief" }));
  });
});
