/**
 * The engine's build for a GPU that lies in the data directory. It is tried under a note: a driver can end the process, and
 * the packaged program cannot test a build in a process of its own. After the second end in a row the next runner uses the
 * CPU; a single one may have had any other cause, such as a machine that lost its power.
 */
import { existsSync } from "node:fs";
import { registerHooks } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { GpuKind } from "../contract/model/gpu-engine.ts";
import type { Log } from "../process/log.ts";
import {
  gpuEngineFolder,
  installedGpuKind,
  readGpuNote,
  writeGpuNote,
  type GpuNote,
} from "../process/gpu-engine-files.ts";

export interface GpuEngine {
  /** The build that is to be used; undefined where there is none, or it cannot be used. */
  readonly kind: () => GpuKind | undefined;
  /**
   * Runs what may end the process in the build's native code: the engine's start, or a load, which shows that the build
   * works. Others may run at the same time.
   */
  readonly guard: <Result>(what: "start" | "load", work: () => Promise<Result>) => Promise<Result>;
  /** It cannot be used: from now on the CPU is. */
  readonly fail: (reason: string) => void;
  /** The process ends in order, whatever is under way. */
  readonly close: () => void;
}

/** Has the engine find its packages where the build lies, before those that came with Hearth. */
function leadTo(folder: string): void {
  const parentURL = pathToFileURL(join(folder, "engine.js")).href;
  registerHooks({
    resolve(specifier, context, next) {
      const isThere = specifier.startsWith("@node-llama-cpp/") && existsSync(join(folder, "node_modules", specifier));
      return next(specifier, isThere ? { ...context, parentURL } : context);
    },
  });
}

/** Call it before the engine is imported. */
export function findGpuEngine(dataDir: string, log: Log): GpuEngine {
  let kind = installedGpuKind(dataDir);
  const before = readGpuNote(dataDir);
  const isNoted = kind !== undefined && before?.kind === kind;
  /** A runner has ended while it tried the build, and no model has been loaded with it since. */
  let ended = isNoted && (before.state === "trying" || before.ended === true);
  let working = 0;

  function note(of: GpuKind, state: GpuNote["state"], reason?: string): void {
    try {
      writeGpuNote(dataDir, { kind: of, state, ...(ended && { ended }), ...(reason !== undefined && { reason }) });
    } catch (error) {
      log.warn({ err: error }, "the state of the engine's GPU build cannot be saved");
    }
  }
  function giveUp(state: "failed" | "crashed", reason: string): void {
    if (kind === undefined) return;
    note(kind, state, reason);
    log.warn({ kind, reason }, "the engine's GPU build is not used: models run on the CPU");
    kind = undefined;
  }

  if (isNoted && (before.state === "crashed" || (before.state === "trying" && before.ended)))
    giveUp("crashed", before.reason ?? "the model runner ended twice in a row while it used the GPU");
  else if (isNoted && before.state === "trying")
    log.warn({ kind }, "the model runner ended while it used the GPU; the GPU is tried once more");
  if (kind !== undefined) leadTo(gpuEngineFolder(dataDir));

  return {
    kind: () => kind,
    async guard(what, work) {
      if (kind === undefined) return work();
      const used = kind;
      if (working++ === 0) note(used, "trying");
      try {
        const result = await work();
        if (what === "load") ended = false;
        return result;
      } finally {
        if (--working === 0 && kind === used) note(used, "used");
      }
    },
    fail: (reason) => giveUp("failed", reason),
    close() {
      if (kind !== undefined && working > 0) note(kind, "used");
    },
  };
}
