/** The engine port over the runner's socket. Knows when the runner is gone, and waits for its successor. */
import {
  runnerCountedSchema,
  runnerGenerateLineSchema,
  runnerLoadLineSchema,
  type RunnerLoaded,
} from "../contract/runner.ts";
import { EngineError, type Engine, type LoadedModel, type LoadRequest } from "./engine.ts";
import { askRunner, RunnerUnreachableError, watchPresence, type RunnerRoute } from "./runner-client.ts";

export interface RunnerEngineOptions {
  readonly socketPath: string;
  /** How long a load waits for a runner that is being restarted. */
  readonly waitMs?: number;
}

const unavailable = (waitMs: number) =>
  new EngineError("unavailable", `the model runner has not come back within ${String(waitMs / 1000)} s; try again`);

export function createRunnerEngine({ socketPath, waitMs = 10_000 }: RunnerEngineOptions): Engine {
  const presence = watchPresence(socketPath);

  /** A request about a loaded model: if nobody is there to take it, the model is gone too. */
  async function* ask(route: RunnerRoute, signal: AbortSignal) {
    try {
      yield* askRunner(socketPath, route, signal);
    } catch (error) {
      if (error instanceof RunnerUnreachableError) throw new EngineError("not_loaded", error.message, error);
      throw error;
    }
  }

  function handleOf(loaded: RunnerLoaded, lost: AbortSignal): LoadedModel {
    const path = `/models/${loaded.id}`;
    return {
      contextLength: loaded.context_length,
      size: loaded.size,
      sizeVram: loaded.size_vram,
      bosToken: loaded.bos_token,
      eosToken: loaded.eos_token,
      lost,
      async *generate(request, signal) {
        for await (const raw of ask(["POST", `${path}/generations`, request], signal)) {
          const line = runnerGenerateLineSchema.parse(raw);
          if (line.type !== "error") yield line;
        }
      },
      async countTokens(text, signal) {
        const { value } = await ask(["POST", `${path}/tokens`, { text }], signal).next();
        return runnerCountedSchema.parse(value).tokens;
      },
      async unload() {
        // A runner that is gone holds no memory either.
        await ask(["DELETE", path], AbortSignal.timeout(waitMs))
          .next()
          .catch(() => undefined);
      },
    };
  }

  async function loadOn(lost: AbortSignal, request: LoadRequest, signal: AbortSignal): Promise<LoadedModel> {
    for await (const raw of askRunner(socketPath, ["POST", "/models", request], signal)) {
      const line = runnerLoadLineSchema.parse(raw);
      if (line.type === "loaded") return handleOf(line, lost);
    }
    throw new EngineError("lost", "the runner ended while it loaded the model");
  }

  return {
    async load(request, signal) {
      const patience = AbortSignal.timeout(waitMs);
      const either = AbortSignal.any([signal, patience]);
      for (;;) {
        const life = await presence.alive(either).catch(() => {
          signal.throwIfAborted();
          throw unavailable(waitMs);
        });
        try {
          return await loadOn(life, request, signal);
        } catch (error) {
          // It has just ended and the news is on its way; the next look waits for its successor.
          if (!(error instanceof RunnerUnreachableError)) throw error;
          await new Promise((resolve) => setTimeout(resolve, 20));
        }
      }
    },
    close: () => presence.close(),
  };
}
