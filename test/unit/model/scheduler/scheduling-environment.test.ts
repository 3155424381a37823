import { describe, expect, it } from "vitest";
import { schedulingFrom } from "../../../../server/model/engine/scheduler/scheduling-environment.ts";

function from(env: NodeJS.ProcessEnv) {
  const warnings: string[] = [];
  return { settings: schedulingFrom(env, (message) => warnings.push(message)), warnings };
}

describe("scheduling by environment variables", () => {
  it("takes Ollama's names, without blanks and quotes", () => {
    const env = {
      OLLAMA_NUM_PARALLEL: " 2 ",
      OLLAMA_MAX_LOADED_MODELS: '"1"',
      OLLAMA_MAX_QUEUE: "'0'",
      OLLAMA_KEEP_ALIVE: "1h30m",
      OLLAMA_CONTEXT_LENGTH: "8192",
      OLLAMA_LOAD_TIMEOUT: "90",
    };
    expect(from(env)).toEqual({
      settings: {
        parallel: 2,
        maxLoaded: 1,
        maxQueue: 0,
        keepAliveMs: 5_400_000,
        contextLength: 8192,
        loadStallMs: 90_000,
      },
      warnings: [],
    });
  });

  it("leaves to the defaults what is unset, empty or 0 for automatic", () => {
    expect(from({})).toEqual({ settings: {}, warnings: [] });
    expect(from({ OLLAMA_NUM_PARALLEL: "0", OLLAMA_MAX_LOADED_MODELS: "0", OLLAMA_KEEP_ALIVE: "" })).toEqual({
      settings: {},
      warnings: [],
    });
  });

  it.each([
    ["300", 300_000],
    ["0", 0],
    ["-1", Infinity],
    ["-1m", Infinity],
  ])("takes %s as a time to keep models", (text, keepAliveMs) => {
    expect(from({ OLLAMA_KEEP_ALIVE: text }).settings).toEqual({ keepAliveMs });
  });

  it("warns of a bad value by name, and does without it", () => {
    const { settings, warnings } = from({
      OLLAMA_NUM_PARALLEL: "two",
      OLLAMA_MAX_QUEUE: "-3",
      OLLAMA_KEEP_ALIVE: "soon",
    });
    expect(settings).toEqual({});
    expect(warnings).toHaveLength(3);
    expect(warnings.join()).toMatch(/OLLAMA_NUM_PARALLEL=two.*OLLAMA_MAX_QUEUE=-3.*OLLAMA_KEEP_ALIVE=soon/);
  });

  it("lets loads take for ever where OLLAMA_LOAD_TIMEOUT is 0 or less", () => {
    for (const none of ["0", "-1", "-5m"])
      expect(from({ OLLAMA_LOAD_TIMEOUT: none }).settings).toEqual({ loadStallMs: Infinity });
  });
});
