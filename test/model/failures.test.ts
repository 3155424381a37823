import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { EngineError, type Engine } from "../../server/model/engine/engine.ts";
import { lines, refusal, startModelService, type ModelService } from "../support/model/model-service.ts";
import { createScriptedEngine } from "../support/model/scripted-engine.ts";

const engine = createScriptedEngine();
let service: ModelService;
beforeAll(async () => {
  service = await startModelService(engine, { files: { "Tiny.gguf": {} } });
});
afterAll(() => service[Symbol.asyncDispose]());
beforeEach(() => {
  engine.steps = ["Hel", "lo"];
  engine.beforeLoad = () => undefined;
});

const user = [{ role: "user", content: "hi" }];

describe("the engine's failures", () => {
  const died =
    "model runner has unexpectedly stopped, this may be due to resource limitations or an internal error, check ollama server logs for details";
  const chat = { model: "tiny", messages: user };

  it.each([
    ["lost", 500, died],
    ["unavailable", 503, "why"],
    ["load_failed", 500, "why"],
    ["out_of_memory", 500, "why"],
  ] as const)("while loading (%s) are %d", async (code, status, error) => {
    await service.post("/api/chat", { model: "tiny", keep_alive: 0 });
    engine.beforeLoad = () => {
      throw new EngineError(code, "why");
    };
    expect(await refusal(await service.post("/api/chat", chat))).toEqual([status, error]);
  });

  it.each([true, false])("in the moment after an answer leave it whole (stream: %s)", async (stream) => {
    const scripted = createScriptedEngine();
    const ending: Engine = {
      ...scripted,
      async load(...given) {
        const model = await scripted.load(...given);
        return {
          ...model,
          async *generate(...asked) {
            yield* model.generate(...asked);
            throw new EngineError("lost", "gone");
          },
        };
      },
    };
    scripted.steps = ["Hel", "lo"];
    await using whole = await startModelService(ending, { files: { "Tiny.gguf": {} } });
    const reply = await whole.post("/api/chat", { ...chat, stream });
    const [last, ...before] = (await lines(reply)).reverse();
    expect(last).toMatchObject({ done: true, done_reason: "stop" });
    expect(before.every(({ done }) => done === false)).toBe(true);
  });

  describe("of memory on a loaded model", () => {
    /** A service with an idle model for ever, and another one whose work fits only without as many as `needed`. */
    async function startCrowded(needed: number) {
      const scripted = createScriptedEngine();
      const checkRoom = () => {
        if (scripted.unloads.length < needed) throw new EngineError("out_of_memory", "no room for the vectors");
      };
      const crowded: Engine = {
        ...scripted,
        async load(...given) {
          const model = await scripted.load(...given);
          return {
            ...model,
            async embed(...asked) {
              checkRoom();
              return model.embed(...asked);
            },
            async rank(...asked) {
              checkRoom();
              return model.rank(...asked);
            },
          };
        },
      };
      const whole = await startModelService(crowded, { files: { "Tiny.gguf": {}, "Other.gguf": {} } });
      expect((await whole.post("/api/generate", { model: "other", keep_alive: -1 })).status).toBe(200);
      return { ...whole, scripted };
    }

    it.each([
      ["/api/embed", { input: "hi" }],
      ["/api/embeddings", { prompt: "hi" }],
      ["/api/rerank", { query: "a", documents: ["b"] }],
    ])("unload idle models, and %s is tried again", async (path, body) => {
      await using crowded = await startCrowded(1);
      expect((await crowded.post(path, { model: "tiny", ...body })).status).toBe(200);
      expect(crowded.scripted.unloads).toEqual([expect.stringContaining("Other.gguf")]);
    });

    it("are 500 where that is not enough, and the model stays", async () => {
      await using crowded = await startCrowded(2);
      for (let time = 0; time < 2; time++)
        expect(await refusal(await crowded.post("/api/embed", { model: "tiny", input: "hi" }))).toEqual([
          500,
          "no room for the vectors",
        ]);
      expect(crowded.scripted.unloads).toHaveLength(1);
      expect(crowded.scripted.loads).toHaveLength(2);
    });
  });

  it("before the first chunk of a stream keep their status", async () => {
    engine.steps = [{ fail: new EngineError("lost", "gone") }];
    const reply = await service.post("/api/chat", chat);
    expect(reply.headers.get("content-type")).toContain("application/json");
    expect(await refusal(reply)).toEqual([500, died]);
  });

  it("after the first chunk are sent as the last line", async () => {
    engine.steps = ["Hel", { fail: new EngineError("lost", "gone") }];
    const reply = await service.post("/api/chat", chat);
    expect(reply.status).toBe(200);
    const all = await lines(reply);
    expect(all).toHaveLength(2);
    expect(all[0]).toMatchObject({ done: false, message: { content: "Hel" } });
    expect(all[1]).toEqual({ error: died });
  });

  it("are 500 without a stream even after the first chunk", async () => {
    engine.steps = ["Hel", { fail: new EngineError("failed", "bad luck") }];
    expect(await refusal(await service.post("/api/chat", { ...chat, stream: false }))).toEqual([
      500,
      "an error was encountered while running the model: bad luck",
    ]);
  });

  it("are hidden by loading again when the model was unloaded before the start", async () => {
    engine.steps = [{ fail: new EngineError("not_loaded", "gone") }];
    const before = engine.loads.length;
    engine.beforeLoad = () => {
      if (engine.loads.length > before + 1) engine.steps = ["back"];
    };
    await service.post("/api/chat", { model: "tiny", keep_alive: 0 });
    const reply = await service.post("/api/chat", { ...chat, stream: false });
    expect(await reply.json()).toMatchObject({ message: { content: "back" } });
    expect(engine.loads.length).toBe(before + 2);
  });
});

describe("a prompt that does not fit", () => {
  const tooLong = expect.stringMatching(/^the prompt is longer than the context length .*, 2048 tokens; .*num_ctx/);
  const long = "x".repeat(3000);

  it("is 400 when truncate or shift is off", async () => {
    for (const off of [{ truncate: false }, { shift: false }]) {
      const reply = await service.post("/api/generate", { model: "tiny", prompt: long, ...off });
      expect(await refusal(reply)).toEqual([400, tooLong]);
    }
  });

  it("is kept whole by a negative num_keep, also with a system message", async () => {
    const messages = [{ role: "system", content: "be brief" }, ...user];
    await (await service.post("/api/chat", { model: "tiny", messages, options: { num_keep: -1 } })).text();
    expect(engine.requests.at(-1)?.num_keep).toBe(-1);
  });

  it("loses its oldest messages first, never the system message or the last one", async () => {
    const messages = [
      { role: "system", content: "be brief" },
      { role: "user", content: `first ${long}` },
      { role: "assistant", content: "second" },
      { role: "user", content: "third" },
    ];
    expect((await service.post("/api/chat", { model: "tiny", messages })).status).toBe(200);
    const prompt = engine.requests.at(-1)?.prompt;
    expect(prompt).toContain("be brief");
    expect(prompt).not.toContain("first");
    expect(prompt).toContain("second");
    expect(prompt).toContain("third");
    const kept = await service.post("/api/chat", { model: "tiny", messages, truncate: false });
    expect(await refusal(kept)).toEqual([400, tooLong]);
  });
});
