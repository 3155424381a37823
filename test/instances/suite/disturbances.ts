/** What happens to instances while clients use them. */
import { setTimeout as wait } from "node:timers/promises";
import type { Draw } from "../../faults/suite/draw.ts";
import { until } from "../../faults/suite/until.ts";
import { isRunning, sendSignal } from "../../support/process/processes.ts";
import type { Cluster } from "./cluster.ts";

export interface Disturbance {
  /** Words of the table. */
  readonly name: string;
  /** Whether no client may notice it. */
  readonly isSilent?: boolean;
  /** Does harm to instances, from 0, and starts them again. */
  readonly happen: (cluster: Cluster, draw: Draw, at: number) => Promise<void>;
}

type Instance = Cluster["instances"][number];

async function killAll(instance: Instance): Promise<void> {
  for (const pid of instance.pids().slice(1)) sendSignal(pid, "SIGKILL");
  await instance.end("SIGKILL");
}

const anInstance = ({ instances }: Cluster, at: number) => instances[at % instances.length] as Instance;

export const disturbances: readonly Disturbance[] = [
  {
    name: "kill -9: application server",
    async happen(cluster, _draw, at) {
      const pid = await anInstance(cluster, at).pidOf("app");
      sendSignal(pid, "SIGKILL");
      await until("it to be gone", () => !isRunning(pid) || undefined);
    },
  },
  {
    name: "kill -9: a whole instance",
    async happen(cluster, draw, at) {
      const instance = anInstance(cluster, at);
      await killAll(instance);
      await wait(draw.between(0, 2_000));
      await instance.start();
    },
  },
  {
    name: "kill -9: two whole instances",
    async happen(cluster, draw, at) {
      const two = [anInstance(cluster, at), anInstance(cluster, at + 1)];
      await Promise.all(two.map(killAll));
      await wait(draw.between(0, 2_000));
      await Promise.all(two.map((instance) => instance.start()));
    },
  },
  {
    name: "SIGTERM, unannounced",
    async happen(cluster, draw, at) {
      const instance = anInstance(cluster, at);
      await instance.end("SIGTERM");
      await wait(draw.between(0, 1_000));
      await instance.start();
    },
  },
  {
    name: "rolled: left out, SIGTERM, started",
    isSilent: true,
    async happen(cluster, _draw, at) {
      const place = at % cluster.instances.length;
      await cluster.nginx.leaveOut([place]);
      await anInstance(cluster, place).end("SIGTERM");
      await anInstance(cluster, place).start();
      await cluster.nginx.leaveOut([]);
    },
  },
];
