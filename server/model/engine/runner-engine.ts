/** The engine port over the runner's socket. Notices when the runner is gone, and waits for its successor. */
import { randomUUID } from "node:crypto";
import {
  runnerEmbeddedSchema,
  runnerFittedSchema,
  runnerGenerateLineSchema,
  runnerLoadLineSchema,
  runnerRankedSchema,
  runnerTextSchema,
  runnerTokensSchema,
  type RunnerLoaded,
} from "../../contract/model/runner.ts";
import type { z } from "zod";
import { EngineError, type Engine, type LoadedModel, type LoadRequest } from "./engine.ts";
import type { AttentionSettings } from "../options/attention-settings.ts";
import { isEngineError } from "./engine-failure.ts";
import { askRunner, watchPresence, type RunnerRoute } from "./runner-client.ts";

export interface RunnerEngineOptions {
  readonly socketPath: string;
  /** How long a load waits for a runner that is being restarted. */
  readonly waitMs?: number;
  /** How long a load may go without progress. */
  readonly loadStallMs?: number;
  /** The longest time for a load in all. */
  readonly attention?: AttentionSettings;
}

const unavailable = (waitMs: number) =>
  new EngineError("unavailable", `the model runner has not come back within ${String(waitMs / 1000)} s; try again`);

/** `stalled` aborts when there was no progress for this long. */
function watchStall(stallMs: number) {
  const stall = new AbortController();
  const stalled = `the model has not gone on loading for ${String(stallMs / 1000)} s (OLLAMA_LOAD_TIMEOUT)`;
  const start = () =>
    stallMs === Infinity
      ? undefined
      : setTimeout(() => stall.abort(new EngineError("load_failed", stalled)), Math.min(stallMs, 2 ** 31 - 1)).unref();
  let timer = start();
  return {
    stalled: stall.signal,
    goesOn() {
      clearTimeout(timer);
      timer = start();
    },
    end: () => clearTimeout(timer),
  };
}

export function createRunnerEngine({
  socketPath,
  waitMs = 10_000,
  loadStallMs = 300_000,
  attention,
}: RunnerEngineOptions): Engine {
  const presence = watchPresence(socketPath);

  /** A request whose reply is one line. */
  async function askOnce<Schema extends z.ZodType>(
    schema: Schema,
    route: RunnerRoute,
    signal: AbortSignal,
  ): Promise<z.output<Schema>> {
    const { value } = await askRunner(socketPath, route, signal).next();
    return schema.parse(value);
  }

  /** Resolves when the memory is free. A dead runner holds none either. */
  async function unload(id: string, lost: AbortSignal): Promise<void> {
    await askRunner(socketPath, ["DELETE", `/models/${id}`], lost)
      .next()
      .catch(() => undefined);
  }

  function handleOf(loaded: RunnerLoaded, lost: AbortSignal): LoadedModel {
    const path = `/models/${loaded.id}`;
    return {
      id: loaded.id,
      contextLength: loaded.context_length,
      size: loaded.size,
      sizeVram: loaded.size_vram,
      sequences: loaded.sequences,
      canInfill: loaded.can_infill,
      canRank: loaded.can_rank,
      bosToken: loaded.bos_token,
      eosToken: loaded.eos_token,
      lost,
      async *generate(request, signal) {
        for await (const raw of askRunner(socketPath, ["POST", `${path}/generations`, request], signal)) {
          const line = runnerGenerateLineSchema.parse(raw);
          if (line.type !== "error") yield line;
        }
      },
      tokenize: async (text, signal, most) =>
        (await askOnce(runnerTokensSchema, ["POST", `${path}/tokens`, { text, most }], signal)).tokens,
      countPrompt: async (text, signal) =>
        (await askOnce(runnerTokensSchema, ["POST", `${path}/tokens`, { text, begin: true }], signal)).tokens.length,
      detokenize: async (tokens, signal) =>
        (await askOnce(runnerTextSchema, ["POST", `${path}/texts`, { tokens }], signal)).text,
      embed: (request, signal) => askOnce(runnerEmbeddedSchema, ["POST", `${path}/embeddings`, request], signal),
      rank: (request, signal) => askOnce(runnerRankedSchema, ["POST", `${path}/rankings`, request], signal),
      unload: () => unload(loaded.id, lost),
    };
  }

  async function loadOn(
    lost: AbortSignal,
    request: LoadRequest,
    { signal, onProgress }: { signal: AbortSignal; onProgress: ((fraction: number) => void) | undefined },
  ): Promise<LoadedModel> {
    const watch = watchStall(loadStallMs);
    const either = AbortSignal.any([signal, watch.stalled]);
    const id = randomUUID();
    try {
      for await (const raw of askRunner(socketPath, ["POST", "/models", { id, ...request, ...attention }], either)) {
        watch.goesOn();
        const line = runnerLoadLineSchema.parse(raw);
        if (line.type === "loaded") return handleOf(line, lost);
        if (line.type === "progress") onProgress?.(line.fraction);
      }
    } catch (error) {
      // The runner may have loaded it just before it could know.
      if (either.aborted) await unload(id, lost);
      throw error;
    } finally {
      watch.end();
    }
    throw new EngineError("lost", "the runner ended while it loaded the model");
  }

  /** Runs the call on the current runner, or on the next one once it starts. */
  async function whenThere<T>(signal: AbortSignal, work: (life: AbortSignal) => Promise<T>): Promise<T> {
    const patience = AbortSignal.timeout(waitMs);
    const either = AbortSignal.any([signal, patience]);
    for (;;) {
      const life = await presence.alive(either).catch(() => {
        signal.throwIfAborted();
        throw unavailable(waitMs);
      });
      try {
        return await work(life);
      } catch (error) {
        // The runner has just ended, and its signal is still to come; the next attempt waits for its successor.
        if (!isEngineError(error, "not_loaded")) throw error;
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
    }
  }

  return {
    load: (request, signal, onProgress) => whenThere(signal, (life) => loadOn(life, request, { signal, onProgress })),
    fit: (request, signal) =>
      whenThere(signal, () => askOnce(runnerFittedSchema, ["POST", "/fits", { ...request, ...attention }], signal)),
    close: () => presence.close(),
  };
}
