/** What a fault must not leave: processes, descriptors, memory, temporary files. */
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { residentMb } from "../../support/process/processes.ts";
import { until } from "./until.ts";
import type { World } from "./world.ts";

/** Connections that are kept open for a while, files of the databases that are opened when they are needed. */
const moreDescriptors = 60;
/** What a process may take more than at the beginning: caches fill, and the collector takes its time. MB of 1,000,000 bytes. */
const moreMb = 250;

const descriptorsOf = (pid: number) => readdirSync(`/proc/${String(pid)}/fd`).length;

/** Files that are there while something is being written, and not after it. */
const temporary = /\.(new|tmp|part)$|-partial/;

export async function createLeakCheck(world: World) {
  const pids = async () => {
    const all = [world.hearth.addresses().pid, world.watcherPid()];
    for (const { pid } of Object.values(await world.hearth.services())) if (pid !== undefined) all.push(pid);
    return all;
  };
  const processes = () => world.hearth.pids().length;
  const linux = existsSync("/proc/self/fd");
  const first = await pids();
  const before = linux
    ? {
        processes: processes(),
        descriptors: Math.max(...first.map(descriptorsOf)),
        memory: Math.max(...first.map(residentMb)),
      }
    : undefined;

  async function findProblem(): Promise<string | undefined> {
    const { dataDir } = world.hearth;
    const incoming = readdirSync(join(dataDir, "uploads/incoming"));
    if (incoming.length > 0) return `uploads that are not there any more left ${incoming.join(" ")}`;
    const files = readdirSync(dataDir, { recursive: true, encoding: "utf8" }).filter((name) => temporary.test(name));
    if (files.length > 0) return `temporary files are left: ${files.join(" ")}`;
    if (!before) return undefined;
    if (processes() > before.processes) return `${String(processes())} processes, ${String(before.processes)} before`;
    for (const pid of await pids()) {
      const descriptors = descriptorsOf(pid);
      if (descriptors > before.descriptors + moreDescriptors)
        return `${String(descriptors)} descriptors in process ${String(pid)}`;
      if (residentMb(pid) > before.memory + moreMb) return `${residentMb(pid).toFixed(0)} MB in process ${String(pid)}`;
    }
    return undefined;
  }

  /** Undefined when everything is back within a minute. */
  return async (): Promise<string | undefined> => {
    let problem: string | undefined;
    await until("what the fault used", async () => {
      problem = await findProblem();
      return problem === undefined || undefined;
    }).catch(() => undefined);
    return problem;
  };
}
