/** The runner: node-llama-cpp behind a local socket, and nothing else. If it crashes, only requests in flight fail. */
import { existsSync, rmdirSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { dataDirNote } from "../contract/process/runner-folder.ts";
import { createLog } from "../process/log.ts";
import { answerPings, connectParent, stopWithParent } from "../process/lifetime/parent-link.ts";
import { readStart } from "../process/lifetime/read-start.ts";
import { holdData } from "../process/lifetime/services-lock.ts";
import { answerBinaryTest, rememberedBinaries } from "./answer-binary-test.ts";
import { createRunnerApp } from "./create-runner-app.ts";
import { findGpuEngine } from "./gpu-engine.ts";
import { listenOnSocket } from "./listen-on-socket.ts";
import { PromptCache } from "./llama-engine/prompt-cache/prompt-cache.ts";
import { LlamaEngine } from "./llama-engine/llama-engine.ts";
import { readCpuUse } from "./cpu-use.ts";
import { availableMemory, reservedMemory } from "./memory.ts";
import { ThreadGovernor } from "./thread-governor.ts";
import { coresOfAffinity, usableCores } from "./threads.ts";

/**
 * Removes the socket. If the supervisor is gone, also removes the folder that it created, if empty: nobody else would.
 * While the supervisor runs, the folder stays, because others could take its name until the next runner starts.
 */
function removeSocket(path: string, supervised: boolean): void {
  rmSync(path, { force: true });
  if (supervised) return;
  try {
    rmSync(join(dirname(path), dataDirNote), { force: true });
    rmdirSync(dirname(path));
  } catch {
    // It holds other files, or is already gone.
  }
}

/** The most time that an end takes for the states of prompts. */
const keepWithinMs = 3_000;

process.umask(0o077);
const parent = connectParent();
const { settings, runnerSocket: socketPath } = await readStart();
const log = createLog("runner", settings);
// Its models take memory and the GPU as long as it lives.
holdData(settings.data_dir);

if (socketPath === undefined) {
  const message = "HEARTH_RUNNER_SOCKET must name the socket to listen on";
  parent.send({ type: "failed", code: "no_socket", message });
  log.fatal(message);
  process.exitCode = 2;
} else {
  const cores = usableCores();
  answerBinaryTest(rememberedBinaries(join(settings.data_dir, "engine-test")));
  const gpuEngine = findGpuEngine(settings.data_dir, log);
  const engine = new LlamaEngine({
    cores,
    log,
    gpuEngine,
    createGovernor: (apply) =>
      new ThreadGovernor({ cores, machineCores: coresOfAffinity(), cpuUse: () => readCpuUse(), apply }),
    availableMemory: () => availableMemory() - reservedMemory(),
    promptCache: new PromptCache({
      dataDir: settings.data_dir,
      mostBytes: settings.prompt_cache_mb * 1024 * 1024,
      log,
    }),
  });
  try {
    const server = await listenOnSocket(createRunnerApp({ engine, log }), socketPath);
    stopWithParent(parent, async () => {
      gpuEngine.close();
      server.close();
      server.closeAllConnections();
      await Promise.race([engine.unloadAll(), wait(keepWithinMs)]);
      if (process.platform !== "win32") removeSocket(socketPath, parent.isConnected());
    });
    // Other programs may remove the socket's file; nobody could reach the runner then.
    answerPings(parent, () =>
      server.listening && (process.platform === "win32" || existsSync(socketPath))
        ? undefined
        : `does not listen on ${socketPath} any more`,
    );
    log.info({ socket: socketPath, cores }, "listening");
    parent.send({ type: "ready", urls: {} });
    // Only now, so that a request that arrives meanwhile waits for the rest of the start instead of all of it.
    engine.warmUp().catch((error: unknown) => log.error({ err: error }, "the engine cannot start"));
  } catch (error) {
    const message = `the runner cannot listen: ${(error as Error).message}`;
    parent.send({ type: "failed", code: "socket", message });
    log.fatal({ err: error }, message);
    process.exitCode = 1;
  }
}
