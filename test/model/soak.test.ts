/**
 * Generated requests to the model service and its runner, in a row and eight at once: `HEARTH_FUZZ_MODEL_REQUESTS` says how
 * many (60 unless given), `HEARTH_FUZZ_SEED` with which seed.
 */
import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { familyTemplates } from "../support/model/family-templates.ts";
import { startModelProcess } from "../support/model/model-process.ts";
import { modelCalls, soakModels, type ModelCall } from "../support/model/model-requests.ts";
import { writeRandomGguf } from "../support/model/random-gguf.ts";
import { startRunner, type RunnerProcess } from "../support/model/runner-process.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { patienceMs } from "../support/eventually.ts";
import { fuzzSeed } from "../support/fuzz-seed.ts";

const wanted = Number(process.env["HEARTH_FUZZ_MODEL_REQUESTS"] ?? 60);
/** What is read, compiled and set up at the first use only is no growth. */
const warmUp = 40;
const parallel = 4;
const clients = 8;
const mostGrowthMb = 50;
/** Nothing that is asked for here takes so long, whatever else the machine does. */
const timeout = 120_000 + wanted * 1000;

const folder = temporaryFolder();
let runner: RunnerProcess;
let service: Awaited<ReturnType<typeof startModelProcess>>;
beforeAll(async () => {
  mkdirSync(join(folder.path, "models"));
  for (const [index, name] of soakModels.entries())
    writeRandomGguf(join(folder.path, "models", `${name}.gguf`), {
      seed: index + 1,
      chatTemplate: familyTemplates.qwen3,
    });
  runner = await startRunner();
  service = await startModelProcess(folder.path, {
    HEARTH_RUNNER_SOCKET: runner.socketPath,
    HEARTH_MODELS_DIR: "",
    OLLAMA_NUM_PARALLEL: String(parallel),
  });
});
afterAll(async () => {
  await service[Symbol.asyncDispose]();
  await runner[Symbol.asyncDispose]();
  folder[Symbol.dispose]();
});

const post = (path: string, body: object, signal: AbortSignal) =>
  fetch(`${service.url}${path}`, { method: "POST", body: JSON.stringify(body), signal });

/** Reads up to so many pieces; undefined when there are more. */
async function read(reply: Response, mostPieces: number): Promise<string | undefined> {
  let [text, pieces] = ["", 0];
  for await (const chunk of reply.body?.pipeThrough(new TextDecoderStream()) ?? []) {
    if (++pieces > mostPieces) return undefined;
    text += chunk;
  }
  return text;
}

/** What came of a call: that it was as it should be, or all that is known of it. */
async function outcomeOf({ path, body, status, ending, mayBeTooLong, leaves }: ModelCall): Promise<unknown> {
  const patience = AbortSignal.timeout(patienceMs);
  const leaving = leaves !== undefined && "afterMs" in leaves ? AbortSignal.timeout(leaves.afterMs) : undefined;
  try {
    const reply = await post(path, body, leaving === undefined ? patience : AbortSignal.any([patience, leaving]));
    const text = await read(reply, leaves !== undefined && "afterPieces" in leaves ? leaves.afterPieces : Infinity);
    if (text === undefined) return "left";
    // 400, or the last line where lines about the load have gone before.
    if (mayBeTooLong === true && /"error":"the prompt is longer than[^\n]*\n?$/.test(text)) return "answered";
    const hasFailed = status === 200 && /"error":(?!null)/.test(text);
    if (reply.status === status && text.includes(ending) && !hasFailed) return "answered";
    return { path, body, status: reply.status, end: text.slice(-500) };
  } catch (error) {
    if (leaving?.aborted === true && !patience.aborted) return "left";
    return { path, body, error };
  }
}

async function run(calls: readonly ModelCall[], atOnce: number) {
  const left = [...calls];
  const outcomes: unknown[] = [];
  const client = async () => {
    for (let call = left.shift(); call !== undefined; call = left.shift()) outcomes.push(await outcomeOf(call));
  };
  await Promise.all(Array.from({ length: atOnce }, client));
  return {
    wrong: outcomes.filter((outcome) => outcome !== "answered" && outcome !== "left"),
    answered: outcomes.filter((outcome) => outcome === "answered").length,
  };
}

const ps = async (): Promise<string[]> => {
  const { models } = (await (await fetch(`${service.url}/api/ps`)).json()) as { models: { name: string }[] };
  return models.map(({ name }) => name).sort();
};
const load = async (model: string, keep_alive: number) =>
  (await post("/api/generate", { model, keep_alive }, AbortSignal.timeout(patienceMs))).text();
async function unloadAll(): Promise<void> {
  for (const model of soakModels) await load(model, 0);
  await expect.poll(ps).toEqual([]);
}

/** Resident memory of the service and its runner in MB of 1,000,000 bytes. */
function residentMb(): number {
  const kilobytes = [service.pid, runner.pid].map((pid) =>
    Number(/^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${String(pid)}/status`, "utf8"))?.[1]),
  );
  return kilobytes.reduce((sum, one) => sum + one * 1024, 0) / 1e6;
}

/** Generations of the model that all have a sequence at the same time, or none of the others would begin. */
async function beginAllAtOnce(model: string): Promise<number> {
  const leaving = new AbortController();
  const patience = AbortSignal.any([leaving.signal, AbortSignal.timeout(patienceMs)]);
  const readers = Array.from({ length: parallel }, async (_, i) => {
    const options = { num_predict: 1_000_000, num_ctx: 256 };
    const reply = await post("/api/generate", { model, prompt: `endless ${String(i)}`, options }, patience);
    return ((await reply.body?.getReader().read())?.value ?? []).length > 0;
  });
  const began = await Promise.all(readers);
  leaving.abort();
  return began.filter(Boolean).length;
}

describe("requests of any size, order, abort and option", () => {
  it(
    `are all answered, ${String(wanted)} of them in a row and ${String(clients)} at once, and leave nothing behind`,
    { timeout },
    async ({ annotate }) => {
      const calls = modelCalls(warmUp + wanted, fuzzSeed);
      expect((await run(calls.splice(0, warmUp), clients)).wrong.slice(0, 1)).toEqual([]);
      await unloadAll();
      const before = process.platform === "linux" ? residentMb() : 0;

      const inRow = calls.splice(0, wanted / 2);
      for (const [part, many] of [
        [inRow, 1],
        [calls, clients],
      ] as const) {
        const { wrong, answered } = await run(part, many);
        expect(wrong.slice(0, 1)).toEqual([]);
        expect(answered).toBeGreaterThan(part.length / 3);
      }

      for (const model of soakModels) expect(await beginAllAtOnce(model), `sequences of ${model}`).toBe(parallel);
      for (const model of soakModels) await load(model, -1);
      expect(await ps()).toEqual(soakModels.map((model) => `${model}:latest`));
      await unloadAll();
      if (process.platform !== "linux") return;
      await expect.poll(() => residentMb() - before).toBeLessThan(mostGrowthMb);
      await annotate(
        `memory of service and runner: ${before.toFixed(0)} MB before, ${residentMb().toFixed(0)} MB after`,
      );
    },
  );
});
