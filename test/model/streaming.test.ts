import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { createServiceMetrics } from "../../server/http/metrics/service-metrics.ts";
import {
  lines,
  refusal,
  startModelService,
  textOf,
  type ModelService,
  type Wire,
} from "../support/model/model-service.ts";
import { createScriptedEngine, gate } from "../support/model/scripted-engine.ts";

const engine = createScriptedEngine();
let service: ModelService;
beforeAll(async () => {
  service = await startModelService(engine, {
    files: { "Tiny.gguf": {}, "plain.gguf": { chatTemplate: null } },
    metrics: createServiceMetrics(true),
  });
});
afterAll(() => service[Symbol.asyncDispose]());
beforeEach(() => {
  engine.steps = ["Hel", "lo"];
  engine.beforeLoad = () => undefined;
});

const chat = { model: "tiny", messages: [{ role: "user", content: "hi" }] };
/** What `ps` says of the model that these tests load. */
const ps = async (): Promise<Wire[]> => {
  const { models } = (await (await service.get("/api/ps")).json()) as { models: Wire[] };
  return models.filter(({ name }) => name === "Tiny:latest");
};
const unload = () => service.post("/api/generate", { model: "tiny", keep_alive: 0 });

describe("a completion", () => {
  it("streams one object a line by default, the last one with done and its figures", async () => {
    const reply = await service.post("/api/chat", chat);
    expect(reply.headers.get("content-type")).toBe("application/x-ndjson");
    const all = await lines(reply);
    expect(textOf(all)).toBe("Hello");
    for (const line of all)
      expect(line).toMatchObject({ model: "tiny", created_at: expect.any(String), message: { role: "assistant" } });
    expect(all.slice(0, -1).every((line) => line.done === false && Object.keys(line).length === 4)).toBe(true);
    expect(all.at(-1)).toMatchObject({ done: true, done_reason: "stop", message: { content: "" }, eval_count: 2 });
    for (const name of ["total_duration", "load_duration", "prompt_eval_duration", "eval_duration"]) {
      expect(Number.isInteger(all.at(-1)[name]), name).toBe(true);
      expect(all.at(-1)[name], name).toBeGreaterThanOrEqual(1);
    }
    expect(all.at(-1)).not.toHaveProperty("context");
  });

  it("is one object with stream:false", async () => {
    const reply = await service.post("/api/chat", { ...chat, stream: false });
    expect(reply.headers.get("content-type")).toBe("application/json; charset=utf-8");
    expect(await reply.json()).toMatchObject({ message: { content: "Hello" }, done: true, done_reason: "stop" });
  });

  it("of generate carries response and, in the end, context, but not in raw mode", async () => {
    const all = await lines(await service.post("/api/generate", { model: "tiny", prompt: "x" }));
    expect(textOf(all)).toBe("Hello");
    expect(all.at(-1)).toMatchObject({ response: "", done: true, context: [1, 2, 3] });
    const raw = await lines(await service.post("/api/generate", { model: "tiny", prompt: "x", raw: true }));
    expect(raw.at(-1)).not.toHaveProperty("context");
  });

  it("echoes the model's name as it was sent", async () => {
    const reply = await service.post("/api/chat", { ...chat, model: "TINY:latest", stream: false });
    expect(((await reply.json()) as Wire).model).toBe("TINY:latest");
  });
});

describe("the prompt", () => {
  const promptOf = async (path: string, body: object) => {
    await (await service.post(path, body)).text();
    return engine.requests.at(-1)?.prompt;
  };

  it("of a chat is what the model's template makes of the messages", async () => {
    const messages = [
      { role: "Developer", content: "be kind" },
      { role: "user", content: [{ type: "text", text: "a" }] },
      { role: "user", content: "b" },
      { role: "assistant", content: null },
      { role: "user", content: "c" },
    ];
    expect(await promptOf("/api/chat", { model: "tiny", messages })).toBe(
      "<|im_start|>system\nbe kind<|im_end|>\n<|im_start|>user\na\n\nb<|im_end|>\n" +
        "<|im_start|>assistant\n<|im_end|>\n<|im_start|>user\nc<|im_end|>\n<|im_start|>assistant\n",
    );
  });

  it("is the texts as they are for a model without a template, which can chat, too", async () => {
    const turns = ["Once", "upon", "a time"].map((content, at) => ({ role: at === 1 ? "assistant" : "user", content }));
    const ask = (messages: object[]) => promptOf("/api/chat", { model: "plain", messages });
    expect(await ask(turns.slice(0, 1))).toBe("Once");
    expect(await ask([{ role: "system", content: "Be kind." }, ...turns])).toBe("Be kind.\n\nOnce\n\nupon\n\na time");
    expect(await promptOf("/api/generate", { model: "plain", prompt: "x", system: "s" })).toBe("s\n\nx");
  });

  it("of generate is a chat of one turn, plain in raw mode and for a model without template", async () => {
    const turn = "<|im_start|>user\nx<|im_end|>\n<|im_start|>assistant\n";
    expect(await promptOf("/api/generate", { model: "tiny", prompt: "x" })).toBe(turn);
    expect(await promptOf("/api/generate", { model: "tiny", prompt: "x", system: "s" })).toBe(
      `<|im_start|>system\ns<|im_end|>\n${turn}`,
    );
    expect(await promptOf("/api/generate", { model: "tiny", prompt: "x", raw: true })).toBe("x");
    expect(await promptOf("/api/generate", { model: "plain", prompt: "x" })).toBe("x");
  });

  it("of generate continues an earlier context", async () => {
    await promptOf("/api/generate", { model: "tiny", prompt: "x", context: [5, 6] });
    expect(engine.requests.at(-1)?.prefix).toEqual([5, 6]);
  });

  it("goes with the options, the model's own beneath the request's, and what some clients put beside them", async () => {
    await promptOf("/api/chat", { ...chat, model: "hearth-starter" });
    expect(engine.requests.at(-1)?.sampling).toMatchObject({ temperature: 0, top_k: 40, top_p: 0.9 });
    const beside = { temperature: 0.1, top_p: 0.2, max_output_tokens: 7 };
    const options = { temperature: 0.3, seed: 42, stop: ["\n", "User:"], repeat_penalty: 1.2 };
    await promptOf("/api/chat", { ...chat, ...beside, options });
    expect(engine.requests.at(-1)).toMatchObject({
      num_predict: 7,
      stop: ["\n", "User:"],
      sampling: { temperature: 0.3, top_p: 0.2, seed: 42, repeat_penalty: 1.2 },
    });
  });
});

describe("loading and unloading", () => {
  it("without a prompt answer one object, never a stream", async () => {
    const loaded = await service.post("/api/generate", { model: "tiny", keep_alive: -1 });
    expect(loaded.headers.get("content-type")).toBe("application/json; charset=utf-8");
    expect(await loaded.json()).toEqual({
      model: "tiny",
      created_at: expect.any(String),
      response: "",
      done: true,
      done_reason: "load",
    });
    const [model] = await ps();
    expect(model).toMatchObject({ name: "Tiny:latest", model: "Tiny:latest", context_length: 2048, size_vram: 0 });
    expect(new Date(model.expires_at).getFullYear()).toBeGreaterThan(2200);
    expect(
      await (await service.post("/api/chat", { model: "tiny", messages: [], keep_alive: 0 })).json(),
    ).toMatchObject({
      message: { role: "assistant", content: "" },
      done_reason: "unload",
    });
    await expect.poll(ps).toEqual([]);
  });

  it("and all else that generates nothing wait for no answer", async () => {
    const { opened, open } = gate();
    engine.steps = [{ until: opened }, "done"];
    const asked = engine.requests.length;
    const answer = service.post("/api/chat", chat);
    await expect.poll(() => engine.requests.length).toBe(asked + 1);
    for (const [path, body] of [
      ["/api/generate", { keep_alive: -1 }],
      ["/api/tokenize", { text: "x" }],
      ["/api/detokenize", { tokens: [97] }],
      ["/v1/messages/count_tokens", chat],
      ["/api/chat", { ...chat, _debug_render_only: true }],
    ] as const)
      expect((await service.post(path, { model: "tiny", ...body })).status, path).toBe(200);
    open();
    expect(textOf(await lines(await answer))).toBe("done");
    expect(new Date((await ps())[0].expires_at).getFullYear()).toBeGreaterThan(2200);
    await unload();
  });

  it("take the default window of 4096 tokens at most, or the one that the request asks for", async () => {
    await service.post("/api/generate", { model: "tiny", options: { num_ctx: 512 } });
    expect(engine.loads.at(-1)?.num_ctx).toBe(512);
    await unload();
    await service.post("/api/generate", { model: "tiny" });
    expect(engine.loads.at(-1)?.num_ctx).toBe(2048);
    await unload();
  });

  it("happen after the answer to a request with keep_alive 0", async () => {
    await (await service.post("/api/chat", { ...chat, keep_alive: 0 })).text();
    await expect.poll(ps).toEqual([]);
  });
});

describe("a client that goes away", () => {
  it("stops a generation under way at once", async () => {
    engine.steps = ["Hel", { wait: true }];
    const leaving = new AbortController();
    const reply = await service.post("/api/chat", chat, { signal: leaving.signal });
    const before = engine.aborted.length;
    await reply.body?.getReader().read();
    leaving.abort();
    await expect.poll(() => engine.aborted.length).toBe(before + 1);
  });

  it("stops a generation that has sent nothing yet, streamed or not", async () => {
    engine.steps = [{ wait: true }];
    for (const stream of [true, false]) {
      const [leaving, before, asked] = [new AbortController(), engine.aborted.length, engine.requests.length];
      const request = service.post("/api/chat", { ...chat, stream }, { signal: leaving.signal });
      await expect.poll(() => engine.requests.length).toBe(asked + 1);
      leaving.abort();
      await expect(request).rejects.toThrow();
      await expect.poll(() => engine.aborted.length).toBe(before + 1);
    }
  });

  it("while it waits for another's generation is never served", async () => {
    const { opened, open } = gate();
    engine.steps = [{ until: opened }, "done"];
    const asked = engine.requests.length;
    const first = service.post("/api/chat", chat);
    await expect.poll(() => engine.requests.length).toBe(asked + 1);
    const leaving = new AbortController();
    const second = service.post("/api/chat", chat, { signal: leaving.signal });
    await expect.poll(service.waiting).toBe(1);
    leaving.abort();
    await expect(second).rejects.toThrow();
    await expect.poll(service.waiting).toBe(0);
    open();
    expect(textOf(await lines(await first))).toBe("done");
    expect(textOf(await lines(await service.post("/api/chat", chat)))).toBe("done");
    expect(engine.requests.length).toBe(asked + 2);
  });

  it("while its model loads stops the load", async () => {
    await unload();
    let loading: AbortSignal | undefined;
    engine.beforeLoad = (_request, signal) => {
      loading = signal;
      return new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason as Error)));
    };
    const leaving = new AbortController();
    const request = service.post("/api/chat", chat, { signal: leaving.signal });
    await expect.poll(() => loading).toBeDefined();
    leaving.abort();
    await expect(request).rejects.toThrow();
    await expect.poll(() => loading?.aborted).toBe(true);
  });
});

describe("many clients", () => {
  it("are all served one after the other on one model", async () => {
    const texts = await Promise.all(
      Array.from({ length: 20 }, async () => textOf(await lines(await service.post("/api/chat", chat)))),
    );
    expect(new Set(texts)).toEqual(new Set(["Hello"]));
    expect(engine.mostAtOnce).toBe(1);
  });

  it("are answered 503 when the queue is full", async () => {
    const busy = createScriptedEngine();
    const { opened, open } = gate();
    busy.steps = [{ until: opened }, "x"];
    await using small = await startModelService(busy, { files: { "tiny.gguf": {} }, scheduling: { maxQueue: 1 } });
    const first = small.post("/api/chat", chat);
    await expect.poll(() => busy.requests.length).toBe(1);
    const others = [small.post("/api/chat", chat), small.post("/api/chat", chat)];
    const refused = await Promise.race(others);
    expect(await refusal(refused)).toEqual([503, "server busy, please try again.  maximum pending requests exceeded"]);
    open();
    expect((await first).status).toBe(200);
    expect((await Promise.all(others)).map(({ status }) => status).toSorted()).toEqual([200, 503]);
  });
});
