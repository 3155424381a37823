/** The rows of the error matrix that refuse at once (contract: ollama, Error matrix). */
import { afterAll, beforeAll, expect, it } from "vitest";
import { startModelService, type ModelService } from "../../support/model/model-service.ts";
import { alike, both, chats, refusals, type Call } from "../../support/model/refused-calls.ts";
import { createScriptedEngine } from "../../support/model/scripted-engine.ts";

const engine = createScriptedEngine();
engine.canInfill = false;
let service: ModelService;
beforeAll(async () => {
  service = await startModelService(engine, {
    files: {
      "Tiny.gguf": {},
      "vectors.gguf": { extraMetadata: [{ key: "llama.pooling_type", type: "uint32", value: 1 }] },
    },
  });
});
afterAll(() => service[Symbol.asyncDispose]());

const full = "registry.ollama.ai/library/Tiny:latest";
const messages = [{ role: "user", content: "hi" }];
const chat = { model: "tiny", messages };
const generate = { model: "tiny", prompt: "hi" };
const embed = { model: "tiny", input: "hi" };
const tools = [{ type: "function", function: { name: "f" } }];
const tooLong =
  'the prompt is longer than the context length currently available to the model, 16 tokens; shorten the prompt, use a model with a longer context length, or raise it by the variable OLLAMA_CONTEXT_LENGTH, the option num_ctx or "PARAMETER num_ctx" in a Modelfile';

const named = (paths: readonly string[], body: object): Call[] => paths.map((path) => [path, body]);
const short = (path: string) => `/api/${path}`;

/** Both, with an answer and as a load. */
const orLoad = (rest: object) => [...both(rest), ...both({ ...rest, messages: [], prompt: "" })];

it.each<[string, Call[], number, string]>([
  [
    "model missing: chat, embeddings, show, push, delete",
    [
      ...named(["chat", "embeddings", "show", "push", "delete"].map(short), { messages }),
      ["/v1/chat/completions", { messages }],
      ["/v1/responses", { input: "x" }],
      ["/v1/messages", { messages, max_tokens: 1 }],
    ],
    400,
    "model is required",
  ],
  [
    "model missing: generate, embed",
    [
      ["/api/generate", {}],
      ["/api/embed", { input: "x" }],
      ["/v1/completions", { prompt: "x" }],
      ["/v1/embeddings", { input: "x" }],
    ],
    404,
    "model '' not found",
  ],
  ["model missing: pull, create", named(["/api/pull", "/api/create"], {}), 400, "invalid model name"],
  [
    "invalid name: generate, chat, embed, embeddings, show, pull, create",
    [
      ...named(["generate", "embed", "embeddings", "show", "pull", "create"].map(short), {
        model: "a//b",
        prompt: "x",
        input: "x",
      }),
      ...chats({ model: "a//b" }),
      ["/v1/embeddings", { model: "a//b", input: "x" }],
    ],
    400,
    "invalid model name",
  ],
  ["invalid name: delete", [["/api/delete", { model: "a//b" }]], 400, 'name "a//b" is invalid'],
  [
    "invalid name: copy, source",
    [["/api/copy", { source: "a//b", destination: "x" }]],
    400,
    'source "a//b" is invalid',
  ],
  [
    "invalid name: copy, destination",
    [["/api/copy", { source: "tiny", destination: "a//b" }]],
    400,
    'destination "a//b" is invalid',
  ],
  [
    "unknown model: generate, chat, delete",
    [
      ["/api/generate", { model: "nobody", prompt: "x" }],
      ["/api/delete", { model: "nobody" }],
      ...chats({ model: "nobody" }),
      ["/v1/completions", { model: "nobody", prompt: "x" }],
      ["/v1/responses", { model: "nobody", input: "x" }],
    ],
    404,
    "model 'nobody' not found",
  ],
  ["unknown model: show", [["/api/show", { model: "nobody" }]], 404, "model 'nobody:latest' not found"],
  [
    "unknown model: embed, embeddings",
    [
      ["/api/embed", { model: "nobody", input: "x" }],
      ["/api/embeddings", { model: "nobody", prompt: "x" }],
      ["/v1/embeddings", { model: "nobody", input: "x" }],
    ],
    404,
    'model "nobody" not found, try pulling it first',
  ],
  [
    "unknown model: copy source",
    [["/api/copy", { source: "nobody", destination: "x" }]],
    404,
    'model "nobody" not found',
  ],
  [
    "suffix :local and :cloud both",
    chats({ model: "tiny:cloud:local" }),
    400,
    'use either :local or :cloud, not both: "tiny:cloud:local"',
  ],
  ["chat on a model without completion", chats({ model: "vectors" }), 400, '"vectors" does not support chat'],
  [
    "generate on a model without completion",
    [
      ["/api/generate", { ...generate, model: "vectors" }],
      ["/v1/completions", { ...generate, model: "vectors" }],
    ],
    400,
    '"vectors" does not support generate',
  ],
  [
    "tools on a model without tools",
    [
      ...chats({ tools }, ["/api/chat", "/v1/chat/completions"]),
      ...chats({ tools: [{ name: "f" }] }, ["/v1/messages"]),
      ["/v1/responses", { model: "tiny", input: "x", tools: [{ type: "function", name: "f" }] }],
    ],
    400,
    `${full} does not support tools`,
  ],
  [
    "suffix without insert",
    [
      ["/api/generate", { ...generate, suffix: "x" }],
      ["/v1/completions", { ...generate, suffix: "x" }],
    ],
    400,
    `${full} does not support insert`,
  ],
  ["think truthy without thinking", orLoad({ think: true }), 400, '"tiny" does not support thinking'],
  [
    "bad think string",
    orLoad({ think: "x" }),
    400,
    'invalid think value: "x" (must be "high", "medium", "low", "max", true, or false)',
  ],
  [
    "bad think type",
    orLoad({ think: 1 }),
    400,
    'think must be a boolean or string ("high", "medium", "low", "max", true, or false)',
  ],
  [
    "images on a model without vision",
    [
      ["/api/chat", { ...chat, messages: [{ role: "user", content: "", images: ["aGk="] }] }],
      ["/api/generate", { ...generate, images: ["aGk="] }],
      [
        "/v1/chat/completions",
        { ...chat, messages: [{ role: "user", content: [{ type: "image_url", image_url: "data:;base64,aGk=" }] }] },
      ],
    ],
    400,
    `${full} does not support vision: Hearth's engine does not support images. Add an upstream with a vision model.`,
  ],
  ["image not base64", [["/api/generate", { ...generate, images: ["!"] }]], 400, "illegal base64 data at input byte 0"],
  [
    "top_logprobs outside 0 to 20",
    [...both({ top_logprobs: 21 }), ...chats({ top_logprobs: -1 }, ["/v1/chat/completions"])],
    400,
    "top_logprobs must be between 0 and 20",
  ],
  [
    "raw with template, system or context",
    [{ template: "x" }, { system: "x" }, { context: [1] }].map((rest) => [
      "/api/generate",
      { ...generate, raw: true, ...rest },
    ]),
    400,
    "raw mode does not support template, system, or context",
  ],
  [
    'format neither "json" nor object',
    both({ format: "xml" }),
    500,
    'invalid format: "\\"xml\\""; expected "json" or a valid JSON Schema object',
  ],
  [
    "wrong option type: integer",
    [...both({ options: { num_ctx: "1" } }), ...chats({ options: { num_ctx: "1" } }, alike)],
    500,
    'option "num_ctx" must be of type integer',
  ],
  ["wrong option type: float32", both({ options: { min_p: "1" } }), 500, 'option "min_p" must be of type float32'],
  ["wrong option type: boolean", both({ options: { use_mmap: 1 } }), 500, 'option "use_mmap" must be of type boolean'],
  ["wrong option type: array", both({ options: { stop: "x" } }), 500, 'option "stop" must be of type array'],
  [
    "wrong option type: an array of strings",
    both({ options: { stop: [1] } }),
    500,
    'option "stop" must be of an array of strings',
  ],
  [
    "bad keep_alive",
    [...both({ keep_alive: "x" }), ...chats({ keep_alive: "x" }, alike)],
    400,
    'time: invalid duration "x"',
  ],
  ["bad keep_alive: unit", [...both({ keep_alive: "5" })], 400, 'time: missing unit in duration "5"'],
  ["bad keep_alive: type", [...both({ keep_alive: true })], 400, "Unsupported type: 'bool'"],
  [
    "prompt longer than context and shift off",
    both({ shift: false, options: { num_ctx: 16 }, truncate: false }),
    400,
    tooLong,
  ],
  [
    "embed input not string or string[]",
    [
      ["/api/embed", { ...embed, input: [1] }],
      ["/v1/embeddings", { ...embed, input: [{}] }],
    ],
    400,
    "invalid input type",
  ],
])("%s", async (_row, calls, status, error) => {
  expect(await refusals(service, calls)).toEqual(calls.map(([path]) => [path, status, error]));
});
