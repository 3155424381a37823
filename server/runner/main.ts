/** The runner: node-llama-cpp behind a local socket, and nothing else. Its crash fails only the requests in flight. */
import { rmdirSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { createLog } from "../process/log.ts";
import { connectParent, stopWithParent } from "../process/parent-link.ts";
import { readSettings } from "../process/read-settings.ts";
import { answerBinaryTest, rememberedBinaries } from "./answer-binary-test.ts";
import { createRunnerApp } from "./create-runner-app.ts";
import { listenOnSocket } from "./listen-on-socket.ts";
import { createLlamaEngine } from "./llama-engine/llama-engine.ts";
import { readCpuUse } from "./cpu-use.ts";
import { availableMemory, reservedMemory } from "./memory.ts";
import { createThreadGovernor } from "./thread-governor.ts";
import { coresOfAffinity, usableCores } from "./threads.ts";

/** With the folder that the supervisor made for it, and that nobody may be left to remove. Only when it is empty then. */
function removeSocket(path: string): void {
  rmSync(path, { force: true });
  try {
    rmdirSync(dirname(path));
  } catch {
    // It holds something else, or is gone already.
  }
}

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
      if (process.platform !== "win32") removeSocket(socketPath);
    });
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
