/** The real runner in a process of its own, as it was built, on a socket in a temporary folder. */
import { fork, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { processEnvironment } from "../../../server/supervisor/processes/process-environment.ts";
import { temporaryFolder } from "../temporary-folder.ts";
import { built } from "../process/launch.ts";
import { startOfEnvironment } from "../process/start-message.ts";

const entry = built("runner");

export interface RunnerProcess extends AsyncDisposable {
  readonly socketPath: string;
  readonly dataDir: string;
  readonly pid: number;
  /** Ends it as a crash would. */
  kill(): Promise<void>;
  /** Starts another one on the same socket, with these settings where any are given. */
  start(settings?: Readonly<Record<string, string>>): Promise<void>;
  /** Asks it whether it works, as the supervisor does: what is wrong, if anything. */
  problem(): Promise<string | undefined>;
  /** Asks it to stop, as the supervisor does; resolves with its exit code. */
  stop(): Promise<number | null>;
  /** Cuts the link to its parent, as the parent's death does; resolves with its exit code. */
  loseParent(): Promise<number | null>;
}

/** Resolves when the runner has said that it is ready. `prepare` may put files into its data directory before. */
export async function startRunner(
  prepare: (dataDir: string) => void = () => undefined,
  settings: Readonly<Record<string, string>> = {},
): Promise<RunnerProcess> {
  const folder = temporaryFolder();
  prepare(folder.path);
  const socketPath =
    process.platform === "win32" ? `\\\\.\\pipe\\hearth-test-${String(process.pid)}` : join(folder.path, "r.sock");
  let child: ChildProcess;

  async function start(others = settings): Promise<void> {
    const env = {
      ...process.env,
      HEARTH_RUNNER_SOCKET: socketPath,
      HEARTH_DATA_DIR: folder.path,
      HEARTH_LOG_LEVEL: "warn",
      ...processEnvironment("runner"),
      ...others,
    };
    child = fork(entry, [], { stdio: ["ignore", "ignore", "inherit", "ipc"], execArgv: [], env });
    child.send(startOfEnvironment(env));
    const [message] = (await once(child, "message")) as [{ type: string }];
    if (message.type !== "ready") throw new Error(JSON.stringify(message));
  }
  async function end(how: () => void): Promise<number | null> {
    if (child.exitCode !== null || child.signalCode !== null) return child.exitCode;
    const exited = once(child, "exit");
    how();
    const [code] = (await exited) as [number | null];
    return code;
  }
  await start();
  return {
    socketPath,
    dataDir: folder.path,
    get pid() {
      return child.pid ?? 0;
    },
    async kill() {
      await end(() => child.kill("SIGKILL"));
    },
    start,
    async problem() {
      child.send({ type: "ping" });
      const [message] = (await once(child, "message")) as [{ type: "pong"; problem?: string }];
      return message.problem;
    },
    stop: () => end(() => child.send({ type: "stop" })),
    loseParent: () => end(() => child.disconnect()),
    async [Symbol.asyncDispose]() {
      await end(() => child.kill("SIGKILL"));
      folder[Symbol.dispose]();
    },
  };
}
