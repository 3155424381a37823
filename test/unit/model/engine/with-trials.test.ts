import { expect, it } from "vitest";
import type { Engine, LoadRequest } from "../../../../server/model/engine/engine.ts";
import { withTrials } from "../../../../server/model/engine/with-trials.ts";
import { createScriptedEngine } from "../../../support/model/scripted-engine.ts";

const request: LoadRequest = { path: "/models/a.gguf", weights: "1", num_ctx: 64 };
const untested: LoadRequest = { ...request, needsTrial: true };
const fit = { path: "/models/a.gguf", weights: "1", num_ctx: 64, most_ctx: 64, sequences: 1, without: [] };
const { signal } = new AbortController();

/** An engine, the files that were tried before it was used, and the number of its loads. */
function scene(reasons: readonly (string | undefined | Error)[]) {
  const tried: string[] = [];
  const scripted = createScriptedEngine();
  let loads = 0;
  const counted: Engine = {
    load: (...args) => (loads++, scripted.load(...args)),
    fit: (...args) => scripted.fit(...args),
    close: () => scripted.close(),
  };
  const engine = withTrials(counted, async (file) => {
    const reason = reasons[tried.push(file) - 1];
    if (reason instanceof Error) throw reason;
    return { reason };
  });
  return { engine, tried, loads: () => loads };
}

it("a model of a known kind is loaded without a trial", async () => {
  const { engine, tried } = scene([]);
  await engine.load(request, signal);
  expect(tried).toEqual([]);
});

it("a model is tried once, for loads and estimates together", async () => {
  const { engine, tried } = scene([undefined]);
  await engine.fit({ ...fit, needsTrial: true }, signal);
  await Promise.all([engine.load(untested, signal), engine.load(untested, signal)]);
  expect(tried).toEqual(["/models/a.gguf"]);
});

it("a replaced file is tried again", async () => {
  const { engine, tried } = scene([undefined, undefined]);
  await engine.load(untested, signal);
  await engine.load({ ...untested, weights: "2" }, signal);
  expect(tried).toHaveLength(2);
});

it("a model that fails its trial never reaches the engine, nor does it the next time", async () => {
  const { engine, tried, loads } = scene(["GGML_ASSERT(x) failed"]);
  for (let i = 0; i < 2; i++)
    await expect(engine.load(untested, signal)).rejects.toMatchObject({
      code: "load_failed",
      message: "the model cannot be loaded: GGML_ASSERT(x) failed",
    });
  expect([tried.length, loads()]).toEqual([1, 0]);
});

it("a trial without a result keeps no model from loading, and is repeated", async () => {
  const { engine, tried, loads } = scene([new Error("too slow"), undefined]);
  await engine.load(untested, signal);
  await engine.load(untested, signal);
  expect([tried.length, loads()]).toEqual([2, 2]);
});

it("an aborted load does not wait for its trial", async () => {
  const engine = withTrials(createScriptedEngine(), () => new Promise(() => undefined));
  const aborted = new AbortController();
  const loading = engine.load(untested, aborted.signal);
  aborted.abort(new Error("gone"));
  await expect(loading).rejects.toThrow("gone");
});
