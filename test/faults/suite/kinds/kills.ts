/** The end of a process that nothing announced. */
import { setTimeout as wait } from "node:timers/promises";
import type { ServiceName } from "../../../../server/contract/process/services.ts";
import { sendSignal } from "../../../support/process/processes.ts";
import type { Fault } from "../fault.ts";

const killService = (name: ServiceName): Fault => ({
  name: `kill -9: ${name}`,
  isKill: true,
  async happen({ hearth }) {
    sendSignal(await hearth.pidOf(name), "SIGKILL");
  },
});

export const kills: readonly Fault[] = [
  killService("app"),
  killService("model"),
  killService("runner"),
  {
    name: "kill -9: watcher",
    isKill: true,
    async happen(world, draw) {
      await world.endWatcher("SIGKILL");
      // The traffic makes files meanwhile, of which nobody is told yet.
      await wait(draw.between(0, 300));
      await world.startWatcher();
    },
  },
  {
    name: "kill -9: supervisor",
    isKill: true,
    async happen(world) {
      await world.hearth.end("SIGKILL");
      await world.start();
    },
  },
  {
    name: "kill -9: supervisor, as it starts",
    isKill: true,
    async happen(world, draw) {
      await world.hearth.end("SIGKILL");
      for (let times = 0; times < 4; times++) await world.hearth.startAndKill(draw.between(50, 800));
      await world.start();
    },
  },
  {
    name: "kill -9: all at once",
    isKill: true,
    async happen(world) {
      for (const pid of world.hearth.pids().slice(1)) sendSignal(pid, "SIGKILL");
      await world.hearth.end("SIGKILL");
      await world.start();
    },
  },
];
