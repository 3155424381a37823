/** The end of what only a program with a window has. The program itself is the supervisor, whose end is among the kills. */
import { sendSignal } from "../../../support/process/processes.ts";
import type { Fault } from "../fault.ts";
import { until } from "../until.ts";

const killProcesses = (type: string): Fault => ({
  name: `kill -9: ${type}`,
  isKill: true,
  async happen({ hearth }) {
    const pids = await until(`a process of the type ${type}`, () => {
      const found = hearth.pidsOfType(type);
      return found.length > 0 ? found : undefined;
    });
    for (const pid of pids) sendSignal(pid, "SIGKILL");
  },
});

export const windowFaults: readonly Fault[] = [killProcesses("renderer"), killProcesses("gpu-process")];
