import { describe, expect, it } from "vitest";
import { parseGoDuration, parseKeepAlive } from "../../../../server/model/options/go-duration.ts";
import { resolveOptions, windowFor } from "../../../../server/model/options/model-options.ts";
import { samplingOptions } from "../../../../server/runner/llama-engine/sequences/sampling.ts";

const [second, minute, hour] = [1000, 60_000, 3_600_000];

describe("durations in Go's form", () => {
  it.each([
    ["0", 0],
    ["5m", 5 * minute],
    ["1h30m", 1.5 * hour],
    ["1h2m3.5s", hour + 2 * minute + 3.5 * second],
    ["-1m", -minute],
    ["+2s", 2 * second],
    [".5s", 500],
    ["300ms", 300],
    ["7us", 0.007],
    ["7µs", 0.007],
    ["3ns", 0.000_003],
  ])("reads %j as %d ms", (text, ms) => expect(parseGoDuration(text)).toBeCloseTo(ms, 9));

  it.each([
    ["", 'time: invalid duration ""'],
    ["x", 'time: invalid duration "x"'],
    ["-", 'time: invalid duration "-"'],
    ["5", 'time: missing unit in duration "5"'],
    ["1h5", 'time: missing unit in duration "1h5"'],
    ["5x", 'time: unknown unit "x" in duration "5x"'],
    ["1 m", 'time: unknown unit " m" in duration "1 m"'],
  ])("refuses %j", (text, message) => expect(() => parseGoDuration(text)).toThrow(message));
});

describe("keep_alive", () => {
  it.each([
    [undefined, undefined],
    [null, undefined],
    [0, 0],
    ["0", 0],
    [300, 5 * minute],
    [1.5, 1500],
    ["10m", 10 * minute],
    [-1, Infinity],
    ["-1s", Infinity],
  ])("reads %j as %s ms", (value, ms) => expect(parseKeepAlive(value)).toBe(ms));

  it.each([
    ["5", 'time: missing unit in duration "5"'],
    [true, "Unsupported type: 'bool'"],
  ])("refuses %j", (value, message) => expect(() => parseKeepAlive(value)).toThrow(message));
});

describe("options", () => {
  it("have Ollama's defaults", () => {
    expect(resolveOptions(undefined)).toEqual({
      num_ctx: undefined,
      num_batch: undefined,
      num_gpu: -1,
      num_thread: 0,
      use_mmap: undefined,
      num_keep: 4,
      num_predict: -1,
      draft_num_predict: undefined,
      stop: [],
      temperature: 0.8,
      top_k: 40,
      top_p: 0.9,
      min_p: 0,
      seed: -1,
      repeat_last_n: 64,
      repeat_penalty: 1,
      presence_penalty: 0,
      frequency_penalty: 0,
    });
  });

  it("of a request override the model's, and null overrides nothing", () => {
    const options = resolveOptions({ temperature: 0, top_k: 5 }, { temperature: 0.5, top_k: null });
    expect(options).toMatchObject({ temperature: 0.5, top_k: 5 });
  });

  it("beyond what the engine takes are the nearest that it takes", () => {
    const { num_predict, num_gpu, top_k, seed, temperature } = resolveOptions({
      num_predict: 1e18,
      num_gpu: -1e300,
      top_k: 2 ** 31,
      seed: 2 ** 40,
      temperature: 1e300,
    });
    expect([num_predict, num_gpu, top_k, seed]).toEqual([2 ** 31 - 1, 1 - 2 ** 31, 2 ** 31 - 1, 2 ** 40]);
    expect(Math.fround(temperature)).toBe(temperature);
    expect(() => resolveOptions({ seed: Infinity })).toThrow('option "seed" must be of type integer');
  });

  it.each([
    [-1, 2048],
    [40, 40],
    [900_000_000, 2048],
  ])("have the engine keep, for a repeat_last_n of %d in a window of 2048, %d tokens", (repeat_last_n, kept) => {
    const sampling = resolveOptions({ repeat_last_n, repeat_penalty: 1.1 });
    expect(samplingOptions(sampling, 2048, () => []).repeatPenalty).toMatchObject({ maxPunishTokens: kept });
  });

  it("that are integers take a fraction's whole part", () => {
    expect(resolveOptions({ num_predict: 3.9, top_k: -2.5 })).toMatchObject({ num_predict: 3, top_k: -2 });
  });

  it("that are unknown are ignored", () => {
    expect(resolveOptions({ mirostat: 1, f16_kv: true, low_vram: "x" })).toEqual(resolveOptions({}));
  });

  it.each([
    [{ num_ctx: "4096" }, 'option "num_ctx" must be of type integer'],
    [{ temperature: "hot" }, 'option "temperature" must be of type float32'],
    [{ use_mmap: 1 }, 'option "use_mmap" must be of type boolean'],
    [{ stop: "x" }, 'option "stop" must be of type array'],
    [{ stop: ["x", 1] }, 'option "stop" must be of an array of strings'],
    [{ typical_p: [] }, 'option "typical_p" must be of type float32'],
    [{ main_gpu: "0" }, 'option "main_gpu" must be of type integer'],
  ])("refuse %j with status 500", (raw, message) => {
    expect(() => resolveOptions(raw)).toThrow(expect.objectContaining({ status: 500, message }));
  });

  it.each([
    [undefined, 2048, 2048],
    [undefined, 131_072, 4096],
    [undefined, undefined, 4096],
    [8192, 131_072, 8192],
    [8192, 2048, 2048],
    [1, 2048, 4],
    [0, 2048, 2048],
    [-5, 8192, 4096],
  ])("num_ctx %s gives a model trained on %s tokens a window of %d", (asked, trained, window) =>
    expect(windowFor(asked, trained)).toBe(window),
  );
});
