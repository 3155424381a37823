/** Contexts for vectors in the real engine, with as much memory as the test says. */
import { randomUUID } from "node:crypto";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { readCpuUse } from "../../../server/runner/cpu-use.ts";
import { findGpuEngine } from "../../../server/runner/gpu-engine.ts";
import { LlamaEngine } from "../../../server/runner/llama-engine/llama-engine.ts";
import { PromptCache } from "../../../server/runner/llama-engine/prompt-cache/prompt-cache.ts";
import { ThreadGovernor } from "../../../server/runner/thread-governor.ts";
import { quietLog } from "../../support/quiet-log.ts";
import { writeRandomGguf } from "../../support/model/random-gguf.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";

const never = new AbortController().signal;
const plenty = 8 * 1024 ** 3;
const megabyte = 1024 ** 2;
const vocabulary = 16_000;
const folder = temporaryFolder();
const path = join(folder.path, "wide.gguf");
let available = plenty;
let engine: LlamaEngine;
let id: string;

const load = async () =>
  ({ id } = await engine.load({ id: randomUUID(), path, num_ctx: 1024, sequences: 1 }, () => undefined, never));

beforeAll(async () => {
  writeRandomGguf(path, { vocabulary, trainContext: 1024 });
  const cores = 1;
  engine = new LlamaEngine({
    cores,
    log: quietLog,
    gpuEngine: findGpuEngine(folder.path, quietLog),
    createGovernor: (apply) => new ThreadGovernor({ cores, machineCores: cores, cpuUse: () => readCpuUse(), apply }),
    availableMemory: () => available,
    promptCache: new PromptCache({ dataDir: folder.path, mostBytes: 0, log: quietLog }),
  });
  await load();
});
beforeEach(() => void (available = plenty));
afterAll(async () => {
  await engine.unloadAll();
  folder[Symbol.dispose]();
});

const embed = (text: string, window?: number) =>
  engine.embed(id, { texts: [text], overflow: "cut", ...(window !== undefined && { window }) }, never);
const long = "word ".repeat(1_000);

describe("a context for vectors", () => {
  // First of all: what the process had before and gave back would not count as taken.
  it("is counted with all its memory in the process", async () => {
    const before = process.memoryUsage().rss;
    expect((await embed(long)).tokens[0]).toBeGreaterThan(1_000);
    const taken = process.memoryUsage().rss - before;
    await engine.unloadAll();
    await load();
    available = 0.9 * taken;
    await expect(embed(long)).rejects.toMatchObject({ code: "out_of_memory" });
  });

  it("that does not fit is refused with the numbers before it is created, and created once there is room", async () => {
    available = 2 * megabyte;
    const refused = await embed("a short text").catch((error: unknown) => error);
    expect(refused).toMatchObject({ code: "out_of_memory" });
    expect((refused as Error).message).toMatch(
      /^model requires more system memory \(0\.\d{3} GiB: .* for a context of 256 tokens\) than is available/,
    );
    available = plenty;
    expect((await embed("a short text")).embeddings[0]).toHaveLength(64);
  });

  it("is only as large as the longest text needs, so that a smaller window is served where a large one is refused", async () => {
    // The likelihoods of all tokens at each place are most of it.
    available = vocabulary * 4 * 1024;
    const small = await embed("a short text");
    const { message } = await embed(long).then(
      () => new Error("it fits"),
      (error: unknown) => error as Error,
    );
    const advised = Number(/a context of (\d+) tokens \(option num_ctx\) would fit/.exec(message)?.[1]);
    expect(advised).toBeGreaterThan(0);
    expect((await embed(long, advised)).tokens).toEqual([advised - 2]);
    const { embeddings } = await embed("a short text");
    for (const [at, component] of (small.embeddings[0] ?? []).entries())
      expect(embeddings[0]?.[at]).toBeCloseTo(component, 3);
  });

  it("has no limit but the window and the memory", async () => {
    const far = join(folder.path, "far.gguf");
    writeRandomGguf(far, { trainContext: 9216 });
    const asked = { id: randomUUID(), path: far, num_ctx: 9216, sequences: 1 };
    const loaded = await engine.load(asked, () => undefined, never);
    available = 2 * megabyte;
    const refused = engine.embed(loaded.id, { texts: [long.repeat(10)], overflow: "cut" }, never);
    await expect(refused).rejects.toThrow("for a context of 9216 tokens) than is available");
    await engine.unload(loaded.id);
  });
});
