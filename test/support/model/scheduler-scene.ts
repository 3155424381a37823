/** A scheduler over a scripted engine, with models that are nothing but names. */
import type { InstalledModel } from "../../../server/model/models/library/library.ts";
import { nameOfFile } from "../../../server/model/models/library/model-name.ts";
import { resolveOptions, type RawOptions } from "../../../server/model/options/model-options.ts";
import type { LoadOptions } from "../../../server/model/engine/scheduler/load-options.ts";
import type { SchedulerOptions } from "../../../server/model/engine/scheduler/port.ts";
import { Scheduler } from "../../../server/model/engine/scheduler/scheduler.ts";
import { createScriptedEngine } from "./scripted-engine.ts";

const installed = (name: string): InstalledModel => ({
  name: nameOfFile(`${name}.gguf`),
  path: `/models/${name}.gguf`,
  size: 1,
  modifiedAt: new Date(0),
  digest: name,
  header: { metadata: new Map(), tensorCount: 0, parameterCount: 0, headerBytes: 0 },
  parameters: {},
});

export function schedulerScene(options: Partial<SchedulerOptions> = {}) {
  const engine = createScriptedEngine();
  const scheduler = new Scheduler({
    engine,
    keepAliveMs: 60_000,
    maxLoaded: 2,
    maxQueue: 4,
    parallel: 1,
    ...options,
  });
  const never = new AbortController().signal;
  const request = (name: string, raw: RawOptions = {}, keepAliveMs?: number): LoadOptions => ({
    model: installed(name),
    options: resolveOptions(raw),
    keepAliveMs,
  });
  return {
    engine,
    scheduler,
    wish: request,
    acquire: (name: string, raw?: RawOptions, keepAliveMs?: number, signal = never) =>
      scheduler.acquire(request(name, raw, keepAliveMs), signal),
    loaded: () => scheduler.residents().map(({ model }) => model.digest),
    loads: () => engine.loads.map(({ path }) => path.replace(/^\/models\/|\.gguf$/g, "")),
    unloads: () => engine.unloads.map((path) => path.replace(/^\/models\/|\.gguf$/g, "")),
  };
}

/** Whether the promise has been kept by now. */
export const settled = async (promise: Promise<unknown>) =>
  Promise.race([promise.then(() => true), new Promise<boolean>((resolve) => setImmediate(() => resolve(false)))]);
