/** A runner whose model is loaded, asked and unloaded again, and the states of prompts that it keeps. */
import { join } from "node:path";
import type { LoadRequest } from "../../../server/model/engine/engine.ts";
import { createRunnerEngine } from "../../../server/model/engine/runner-engine.ts";
import { listKeptFiles, promptCacheRoot } from "../../../server/process/prompt-cache-files.ts";
import { temporaryFolder } from "../temporary-folder.ts";
import { writeRandomGguf } from "./random-gguf.ts";
import type { RunnerProcess } from "./runner-process.ts";
import { generateOn } from "./runner-requests.ts";

export const keptWindow = 4096;
const never = new AbortController().signal;
const letters = "etaoinshrdlcumwfgypbvk";

/** A prompt of so many tokens, which differs from the first one on for another word: single letters are one token each. */
export const beginning = (word: string, tokens = 600) =>
  Array.from(
    { length: tokens },
    (_, at) => letters[(word.charCodeAt(at % word.length) * (at + 1)) % letters.length],
  ).join(" ");

type Ask = NonNullable<Parameters<typeof generateOn>[1]>;
type Answer = Awaited<ReturnType<typeof generateOn>>;

export const statesIn = (runner: RunnerProcess) => listKeptFiles(promptCacheRoot(runner.dataDir));
export const restoredOf = ([answer]: readonly Answer[]) => answer?.done.restored_tokens ?? 0;

/** Two models that differ in their weights alone. */
export function createPromptCacheScene() {
  const folder = temporaryFolder();
  const [path, other] = [join(folder.path, "model.gguf"), join(folder.path, "other.gguf")];
  writeRandomGguf(path, { trainContext: 8192, type: "q8_0" });
  writeRandomGguf(other, { trainContext: 8192, type: "q8_0", seed: 2 });
  const request: LoadRequest = { path, weights: "one", num_ctx: keptWindow, sequences: 2, num_thread: 1 };
  return {
    path,
    request,
    /** The load of the other model. */
    other: { path: other, weights: "two" },
    /** Loads the model, generates one text after another, and unloads it. */
    loadOnce: async (
      runner: RunnerProcess,
      asks: readonly Ask[],
      load: { readonly [Name in keyof LoadRequest]?: LoadRequest[Name] | undefined } = {},
      attention = {},
    ): Promise<Answer[]> => {
      const engine = createRunnerEngine({ socketPath: runner.socketPath, attention });
      try {
        const model = await engine.load({ ...request, ...load } as LoadRequest, never);
        const answers = [];
        for (const ask of asks) answers.push(await generateOn(model, { window: keptWindow, ...ask }));
        await model.unload();
        return answers;
      } finally {
        engine.close();
      }
    },
    [Symbol.dispose]: () => folder[Symbol.dispose](),
  };
}
