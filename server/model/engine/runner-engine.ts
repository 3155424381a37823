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
import { z } from "zod";
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
  new EngineError("unavailable", `the model runner has not restarted within ${String(waitMs / 1000)} s; try again`);

/** `stalled` aborts when there was no progress for this long. */
function watchStall(stallMs: number) {
  const stall = new AbortController();
  const stalled = `loading the model has made no progress for ${String(stallMs / 1000)} s (OLLAMA_LOAD_TIMEOUT)`;
  const start = () =>
    stallMs === Infinity
      ? undefined
      : setTimeout(() => stall.abort(new EngineError("load_failed", stalled)), Math.min(stallMs, 2 ** 31 - 1)).unref();
  let timer = start();
  return {
    stalled: stall.signal,
    extend() {
      clearTimeout(timer);
      timer = start();
    },
    end: () => clearTimeout(timer),
  };
}

/** A request whose reply is one line. */
async function askOnce<Schema extends z.ZodType>(
  socketPath: string,
  route: RunnerRoute,
  schema: Schema,
  signal: AbortSignal,
): Promise<z.output<Schema>> {
  const { value, done } = await askRunner(socketPath, route, schema, signal).next();
  if (done === true) throw new EngineError("lost", "the runner ended before it replied");
  return value;
}

/** Resolves when the memory is free. A dead runner holds none either. */
async function unload(socketPath: string, id: string, lost: AbortSignal): Promise<void> {
  await askRunner(socketPath, ["DELETE", `/models/${id}`], z.unknown(), lost)
    .next()
    .catch(() => undefined);
}

function loadedModel(socketPath: string, loaded: RunnerLoaded, lost: AbortSignal): LoadedModel {
  const ask = <Schema extends z.ZodType>(path: string, body: unknown, schema: Schema, signal: AbortSignal) =>
    askOnce(socketPath, ["POST", `/models/${loaded.id}/${path}`, body], schema, signal);
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
    generate: (request, signal) =>
      askRunner(socketPath, ["POST", `/models/${loaded.id}/generations`, request], runnerGenerateLineSchema, signal),
    tokenize: async (text, signal, most) => (await ask("tokens", { text, most }, runnerTokensSchema, signal)).tokens,
    countPrompt: async (text, signal) =>
      (await ask("tokens", { text, begin: true }, runnerTokensSchema, signal)).tokens.length,
    detokenize: async (tokens, signal) => (await ask("texts", { tokens }, runnerTextSchema, signal)).text,
    embed: (request, signal) => ask("embeddings", request, runnerEmbeddedSchema, signal),
    rank: (request, signal) => ask("rankings", request, runnerRankedSchema, signal),
    unload: () => unload(socketPath, loaded.id, lost),
  };
}

export function createRunnerEngine({
  socketPath,
  waitMs = 10_000,
  loadStallMs = 300_000,
  attention,
}: RunnerEngineOptions): Engine {
  const presence = watchPresence(socketPath);

  async function loadOn(
    lost: AbortSignal,
    request: LoadRequest,
    { signal, onProgress }: { signal: AbortSignal; onProgress: ((fraction: number) => void) | undefined },
  ): Promise<LoadedModel> {
    const watch = watchStall(loadStallMs);
    const either = AbortSignal.any([signal, watch.stalled]);
    const id = randomUUID();
    try {
      const route: RunnerRoute = ["POST", "/models", { id, ...request, ...attention }];
      for await (const line of askRunner(socketPath, route, runnerLoadLineSchema, either)) {
        watch.extend();
        if (line.type === "loaded") return loadedModel(socketPath, line, lost);
        onProgress?.(line.fraction);
      }
    } catch (error) {
      // The runner may have loaded it just before it could know.
      if (either.aborted) await unload(socketPath, id, lost);
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
      whenThere(signal, () => {
        const route: RunnerRoute = ["POST", "/fits", { ...request, ...attention }];
        return askOnce(socketPath, route, runnerFittedSchema, signal);
      }),
    close: () => presence.close(),
  };
}
