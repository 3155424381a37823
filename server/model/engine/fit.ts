/** Estimates whether a model fits into the memory. */
import type { Fit } from "../../contract/model/model-fit.ts";
import { ollamaErrorOf } from "./engine-failure.ts";
import type { Engine } from "./engine.ts";
import { findModel, unknownAsSent } from "../models/find-model.ts";
import { trainedContext } from "../models/library/gguf/gguf-details.ts";
import { estimateSize } from "../models/library/estimate-size.ts";
import type { InstalledModel, Library } from "../models/library/library.ts";
import { guidedMemory, memoryWarning, weightsOf } from "../models/library/memory-guidance.ts";
import { parseModelName } from "../models/library/model-name.ts";
import { OllamaError } from "../ollama-error.ts";
import { resolveOptions, windowFor, type RawOptions } from "../options/model-options.ts";
import { loadRequestOf, windowOf } from "./scheduler/load-options.ts";
import type { AnswerSpeeds } from "../reporting/answer-speeds.ts";
import type { Scheduler } from "./scheduler/scheduler.ts";

export interface FitDeps {
  readonly library: Library;
  readonly engine: Engine;
  readonly scheduler: Scheduler;
  readonly speeds: AnswerSpeeds;
  /** Simultaneous generations that a load makes room for, if set. */
  readonly parallel: number | undefined;
  /** Options that the model's own parameters override. */
  readonly defaults: RawOptions;
  /** Bytes that the machine has. */
  readonly totalMemory: number;
}

/** The known needs of a model. */
type Need = Pick<
  Fit,
  "installed" | "num_ctx" | "weights" | "context" | "available" | "largest_num_ctx" | "tokens_per_second"
> & {
  readonly parameters: number;
};

interface Asked {
  readonly options: RawOptions;
  readonly signal: AbortSignal;
}

const sizeOf = (bytes: number) =>
  bytes < 1024 ** 3 / 10 ? `${(bytes / 1024 ** 2).toFixed(1)} MiB` : `${(bytes / 1024 ** 3).toFixed(1)} GiB`;

function adviceOn({ installed, num_ctx, weights, context, available, largest_num_ctx: largest }: Need): string {
  const required = weights + context;
  const fits = required <= available;
  const parts = installed
    ? ` (${sizeOf(weights)} weights, ${sizeOf(context)} for a context of ${String(num_ctx)} tokens)`
    : "";
  const numbers = `${installed ? "" : "About "}${sizeOf(required)}${parts} of ${sizeOf(available)} available`;
  if (fits && largest === null) return `${numbers}: the weights fit; the context needs more memory.`;
  if (fits) return `${numbers}: fits, with a num_ctx of up to ${String(largest)}.`;
  if (largest !== null) return `${numbers}: too large; a num_ctx of ${String(largest)} would fit.`;
  return `${numbers}: too large with any context; close other programs, or use a smaller or more quantised model.`;
}

function fitOf(model: string, need: Need, totalMemory: number): Fit {
  const { parameters, ...rest } = need;
  const required = need.weights + need.context;
  const warning = memoryWarning(parameters, totalMemory);
  return {
    model,
    ...rest,
    required,
    total: totalMemory,
    fits: required <= need.available,
    guided_memory: guidedMemory(parameters) ?? null,
    advice: adviceOn(need),
    warnings: warning === undefined ? [] : [warning],
  };
}

async function needOf(
  { engine, scheduler, speeds, parallel, defaults }: FitDeps,
  model: InstalledModel,
  { options, signal }: Asked,
): Promise<Need> {
  const request = { model, options: resolveOptions(defaults, model.parameters, options), keepAliveMs: undefined };
  const numCtx = windowOf(request);
  const { available, weights, context, largest_ctx } = await engine.fit(
    {
      ...loadRequestOf(request),
      sequences: parallel ?? 1,
      most_ctx: Math.max(numCtx, trainedContext(model.header) ?? numCtx),
      without: scheduler.replaceable(model),
    },
    signal,
  );
  const known = {
    installed: true,
    num_ctx: numCtx,
    parameters: weightsOf(model),
    tokens_per_second: speeds.of(model.digest) ?? null,
  };
  return { ...known, weights, context, available, largest_num_ctx: largest_ctx };
}

/** Estimates a model that is not installed, from the size in its name. */
async function estimateNeed(
  { engine, scheduler, defaults }: FitDeps,
  sent: string,
  { options, signal }: Asked,
): Promise<Need | undefined> {
  const size = estimateSize(sent);
  if (size === undefined || parseModelName(sent) === undefined) return undefined;
  const numCtx = windowFor(resolveOptions(defaults, options).num_ctx, undefined);
  const ask = { num_ctx: numCtx, most_ctx: numCtx, sequences: 1, without: scheduler.replaceable() };
  const { available } = await engine.fit(ask, signal);
  const known = { installed: false, num_ctx: numCtx, parameters: size.parameters, tokens_per_second: null };
  return { ...known, weights: size.bytes, context: 0, available, largest_num_ctx: null };
}

async function findNeed(deps: FitDeps, sent: string, asked: Asked): Promise<Need> {
  try {
    const model = await findModel(deps.library, sent, unknownAsSent);
    if (model.remote !== undefined)
      throw new OllamaError(400, `"${sent}" runs at an upstream and uses no memory of this machine`);
    if (model.rules !== undefined) throw new OllamaError(400, `"${sent}" answers by rules and uses no memory`);
    return await needOf(deps, model, asked);
  } catch (error) {
    if (!(error instanceof OllamaError && error.status === 404)) throw error;
    const estimate = await estimateNeed(deps, sent, asked);
    if (estimate === undefined) throw error;
    return estimate;
  }
}

/** @throws OllamaError 404 for a model that is not installed and whose name does not tell its size */
export async function fitOfModel(deps: FitDeps, sent: string, asked: Asked): Promise<Fit> {
  try {
    return fitOf(sent, await findNeed(deps, sent, asked), deps.totalMemory);
  } catch (error) {
    throw ollamaErrorOf(error);
  }
}
