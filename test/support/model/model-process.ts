/** The model service in a process of its own, as it was built. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import type { FromService, ToService } from "../../../server/contract/process/process-messages.ts";
import { processEnvironment } from "../../../server/supervisor/processes/process-environment.ts";
import { built } from "../process/launch.ts";
import { startOfEnvironment } from "../process/start-message.ts";

const entry = built("model");

type Command = readonly [string, ...string[]];

/**
 * Resolves with the first thing that it says. `dataDir` is where its models lie, in the folder `models`; `within` makes of its
 * command one that runs it elsewhere.
 */
export async function startModelProcess(
  dataDir: string,
  env: Readonly<Record<string, string>>,
  within: (command: Command) => Command = (command) => command,
) {
  const [program, ...args] = within([process.execPath, entry]);
  const all = {
    ...process.env,
    ...processEnvironment("model"),
    HEARTH_DATA_DIR: dataDir,
    HEARTH_MODEL_PORT: "0",
    HEARTH_LOG_LEVEL: "silent",
    HEARTH_RUNNER_SOCKET: join(dataDir, "nobody.sock"),
    ...env,
  };
  const child = spawn(program, args, { stdio: ["ignore", "ignore", "inherit", "ipc"], env: all });
  child.send(startOfEnvironment(all));
  const exited = once(child, "exit") as Promise<[number | null]>;
  const [message] = (await once(child, "message")) as [FromService];
  return {
    message,
    exited,
    pid: child.pid ?? 0,
    /** Where it answers. @throws Error when it does not. */
    get url(): string {
      const url = message.type === "ready" ? message.urls["model"] : undefined;
      if (url === undefined) throw new Error(JSON.stringify(message));
      return url;
    },
    tell: (news: ToService) => void child.send(news),
    /** Asks it whether it works, as the supervisor does: what is wrong, if anything. */
    async problem() {
      child.send({ type: "ping" });
      const [answer] = (await once(child, "message")) as [Extract<FromService, { type: "pong" }>];
      return answer.problem;
    },
    isRunning: () => child.exitCode === null && child.signalCode === null,
    async stop() {
      if (child.connected) child.send({ type: "stop" });
      return (await exited)[0];
    },
    async [Symbol.asyncDispose]() {
      child.kill("SIGKILL");
      await exited;
    },
  };
}
