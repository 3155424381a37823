/** Odd files in the models folder, with the real engine: each request about them has a reason, and the runner lives on. */
import { createHash } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createRunnerEngine } from "../../../server/model/engine/runner-engine.ts";
import { createNodeFork } from "../../../server/supervisor/processes/fork-node.ts";
import { tryModel } from "../../../server/supervisor/processes/try-model.ts";
import { withTrials } from "../../../server/model/engine/with-trials.ts";
import { built } from "../../support/process/launch.ts";
import { refusal, startModelService, type ModelService, type Wire } from "../../support/model/model-service.ts";
import { damagedFiles, engineFiles, otherFiles, trialFiles, unrunnableFiles } from "../../support/model/odd-gguf.ts";
import { startRunner, type RunnerProcess } from "../../support/model/runner-process.ts";

let runner: RunnerProcess;
let engine: ReturnType<typeof createRunnerEngine>;
let service: ModelService;
beforeAll(async () => {
  runner = await startRunner();
  const asking = { fork: createNodeFork(), signal: new AbortController().signal };
  engine = withTrials(createRunnerEngine({ socketPath: runner.socketPath }), async (file) => ({
    reason: await tryModel(file, asking, built("model-trial")),
  }));
  service = await startModelService(engine, { files: { "sound.gguf": {} } });
  for (const [name, bytes] of [...damagedFiles, ...otherFiles, ...unrunnableFiles, ...engineFiles, ...trialFiles])
    writeFileSync(join(service.modelsDir, `${name}.gguf`), bytes);
  expect((await chat("sound")).status).toBe(200);
});
afterAll(async () => {
  await service[Symbol.asyncDispose]();
  engine.close();
  await runner[Symbol.asyncDispose]();
});

const messages = [{ role: "user", content: "hi" }];
const chat = (model: string) =>
  service.post("/api/chat", { model, messages, stream: false, options: { num_predict: 1, num_ctx: 512 } });

/** Status and text of the refusal by each API. */
async function refusals(model: string): Promise<[number, string][]> {
  const replies = [
    await chat(model),
    await service.post("/v1/chat/completions", { model, messages }),
    await service.post("/v1/messages", { model, messages, max_tokens: 1 }),
  ];
  return Promise.all(
    replies.map(async (reply) => {
      const { error } = (await reply.json()) as Wire;
      return [reply.status, String(error?.message ?? error)] as [number, string];
    }),
  );
}

async function created(name: string, bytes: Buffer): Promise<string> {
  const digest = `sha256:${createHash("sha256").update(bytes).digest("hex")}`;
  await service.post(`/api/blobs/${digest}`, undefined, { body: bytes as Uint8Array<ArrayBuffer> });
  const body = { model: `new-${name}`, files: { [`${name}.gguf`]: digest }, stream: false };
  return (await service.post("/api/create", body)).text();
}

const listed = async () => {
  const { models } = (await (await service.get("/api/tags")).json()) as Wire;
  return new Map<string, Wire>((models as Wire[]).map((model) => [String(model.name).replace(":latest", ""), model]));
};
/** The first model stays loaded, so that its answer shows that the runner has lived on. */
const runsOn = async () => {
  expect((await chat("sound")).status).toBe(200);
  expect(await runner.problem()).toBeUndefined();
};

describe("a file that is damaged, or no model", () => {
  it.each([...damagedFiles, ...otherFiles])(
    "is not listed, and named with its reason: %s",
    async (name, bytes, why) => {
      expect((await listed()).has(name)).toBe(false);
      for (const [status, error] of await refusals(name)) {
        expect(status).toBe(400);
        expect(error).toContain(why);
      }
      expect((await service.post("/api/show", { model: name })).status).toBe(400);
      if (bytes.toString("latin1", 0, 4) === "GGUF") expect(await created(name, bytes)).toMatch(/"error":/);
      expect(
        await service.post("/api/create", { model: "x", from: name, stream: false }).then((r) => r.text()),
      ).toContain(JSON.stringify(why).slice(1, -1));
    },
  );
  it("leaves the runner alive", runsOn);
});

describe("a model that the engine cannot run, by its header", () => {
  it.each(unrunnableFiles)("is listed and shown with its reason, and refused with it: %s", async (name, bytes, why) => {
    const model = (await listed()).get(name);
    expect(model.warnings.join()).toContain(why);
    expect(model.capabilities).toBeUndefined();
    expect((await service.post("/api/show", { model: name })).status).toBe(200);
    for (const [status, error] of await refusals(name)) {
      expect(status).toBe(400);
      expect(error).toContain(why);
    }
    expect(await created(name, bytes)).toContain(JSON.stringify(why).slice(1, -1));
  });
  it("leaves the runner alive", runsOn);
});

describe("a model whose fault only the engine finds", () => {
  it.each([...engineFiles, ...trialFiles])("is refused with the engine's reason: %s", async (name, _bytes, why) => {
    for (const [status, error] of await refusals(name)) {
      expect(status).toBe(500);
      expect(error).toMatch(/^the model cannot be loaded: /);
      expect(error).toContain(why);
      expect(error).not.toContain("Failed to load model");
    }
  });
  it.each(trialFiles)("is refused before its memory is estimated: %s", async (name, _bytes, why) => {
    const [status, error] = await refusal(await service.post("/api/fit", { model: name }));
    expect([status, error]).toEqual([500, expect.stringContaining(why)]);
  });
  it("leaves the runner alive", runsOn);
});
