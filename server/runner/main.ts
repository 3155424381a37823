/** The runner: node-llama-cpp behind a local socket, and nothing else. Its crash fails only the requests in flight. */
import { existsSync, rmdirSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { dataDirNote } from "../contract/process/runner-folder.ts";
import { createLog } from "../process/log.ts";
import { answerPings, connectParent, stopWithParent } from "../process/lifetime/parent-link.ts";
import { readSettings } from "../process/settings/read-settings.ts";
import { answerBinaryTest, rememberedBinaries } from "./answer-binary-test.ts";
import { createRunnerApp } from "./create-runner-app.ts";
import { listenOnSocket } from "./listen-on-socket.ts";
import { createLlamaEngine } from "./llama-engine/llama-engine.ts";
import { readCpuUse } from "./cpu-use.ts";
import { availableMemory, reservedMemory } from "./memory.ts";
import { createThreadGovernor } from "./thread-governor.ts";
import { coresOfAffinity, usableCores } from "./threads.ts";

/**
 * Once the supervisor is gone, with the folder that it made, and that nobody is left to remove; only when that is empty then. As
 * long as it is there the folder stays: others could take its name until the next runner.
 */
function removeSocket(path: string, supervised: boolean): void {
  rmSync(path, { force: true });
  if (supervised) return;
  try {
    rmSync(join(dirname(path), dataDirNote), { force: true });
    rmdirSync(dirname(path));
  } catch {
    // It holds something else, or is gone already.
  }
}

process.umask(0o077);
const settings = readSettings();
const log = createLog("runner", settings);
const parent = connectParent();
const socketPath = process.env["HEARTH_RUNNER_SOCKET"];

if (socketPath === undefined) {
  const message = "HEARTH_RUNNER_SOCKET must name the socket to listen on";
  parent.send({ type: "failed", code: "no_socket", message });
  log.fatal(message);
  process.exitCode = 2;
} else {
  const cores = usableCores();
  answerBinaryTest(rememberedBinaries(join(settings.data_dir, "engine-test")));
  const engine = createLlamaEngine({
    cores,
    log,
    createGovernor: (apply) =>
      createThreadGovernor({ cores, machineCores: coresOfAffinity(), cpuUse: () => readCpuUse(), apply }),
    availableMemory: () => availableMemory() - reservedMemory(),
  });
  try {
    const server = await listenOnSocket(createRunnerApp({ engine, log }), socketPath);
    stopWithParent(parent, async () => {
      server.close();
      server.closeAllConnections();
      if (process.platform !== "win32") removeSocket(socketPath, parent.isConnected());
    });
    // Its socket is a file, which others may remove: then nobody can reach it any more.
    answerPings(parent, () =>
      server.listening && (process.platform === "win32" || existsSync(socketPath))
        ? undefined
        : `does not listen on ${socketPath} any more`,
    );
    log.info({ socket: socketPath, cores }, "listening");
    parent.send({ type: "ready", urls: {} });
    // After the socket answers: a request that comes now waits for the rest of this instead of for all of it.
    engine.warmUp().catch((error: unknown) => log.error({ err: error }, "the engine cannot start"));
  } catch (error) {
    const message = `the runner cannot listen: ${(error as Error).message}`;
    parent.send({ type: "failed", code: "socket", message });
    log.fatal({ err: error }, message);
    process.exitCode = 1;
  }
}
