import { untilAborted } from "../../process/until-aborted.ts";
import { rememberResults } from "../remember-results.ts";
import { EngineError, type Engine, type FitRequest, type LoadRequest } from "./engine.ts";

/** The reason why the engine would not load a file; absent for one that it would load, and where nothing was tried. */
export type TryModel = (file: string) => Promise<{ readonly reason?: string | undefined }>;

/** The number of models whose trials are remembered. */
const mostKept = 512;

/**
 * The engine behind a trial, in another process, of each model whose header may hold what ends the engine's process. A
 * model is tried once, before its first use.
 */
export function withTrials(engine: Engine, tryModel: TryModel): Engine {
  // A trial that was cut off says nothing about the model.
  const trialOf = rememberResults<Awaited<ReturnType<TryModel>>>(mostKept);

  /** @throws EngineError load_failed; the signal's reason */
  async function check({ path, weights = "", needsTrial }: LoadRequest | FitRequest, signal: AbortSignal) {
    if (needsTrial !== true || path === undefined) return;
    signal.throwIfAborted();
    const trial = trialOf(`${weights} ${path}`, () => tryModel(path)).catch(() => ({ reason: undefined }));
    const { reason } = await untilAborted(trial, signal);
    if (reason !== undefined) throw new EngineError("load_failed", `the model cannot be loaded: ${reason}`);
  }

  return {
    async load(request, signal, onProgress) {
      await check(request, signal);
      return engine.load(request, signal, onProgress);
    },
    async fit(request, signal) {
      await check(request, signal);
      return engine.fit(request, signal);
    },
    close: () => engine.close(),
  };
}
