/**
 * How many threads the engine may use. With more threads than cores, llama.cpp's barriers make it many times slower. So
 * every limit of this process counts: the machine, its CPU affinity and the CPU quota of its control groups.
 */
import { availableParallelism } from "node:os";
import { join } from "node:path/posix";
import { cgroupsOf, readSystemFile, type Cgroup, type ReadSystemFile } from "./cgroups.ts";

/** CPU numbers of a kernel list such as "0-3,8". */
export function parseCpuList(list: string): number[] {
  return list
    .trim()
    .split(",")
    .filter(Boolean)
    .flatMap((range) => {
      const [first = 0, last = first] = range.split("-").map(Number);
      return Array.from({ length: last - first + 1 }, (_, i) => first + i);
    });
}

/** CPUs that the scheduler may run this process on; undefined where the system does not report them. */
export function allowedCpus(read: ReadSystemFile): number[] | undefined {
  const list = /^Cpus_allowed_list:\s*(\S+)/m.exec(read("/proc/self/status") ?? "")?.[1];
  return list === undefined ? undefined : parseCpuList(list);
}

/** Cores among these CPUs: CPUs that are threads of the same core count once. */
function physicalCores(cpus: readonly number[], read: ReadSystemFile): number {
  const cores = cpus.map(
    (cpu) =>
      read(`/sys/devices/system/cpu/cpu${String(cpu)}/topology/thread_siblings_list`)?.trim() ?? `cpu ${String(cpu)}`,
  );
  return new Set(cores).size;
}

/** A group's quota in cores; undefined without a quota. */
function quotaOf({ folder, version }: Cgroup, read: ReadSystemFile): number | undefined {
  const [quota, period] =
    version === 2
      ? (read(join(folder, "cpu.max")) ?? "max").trim().split(" ").map(Number)
      : [Number(read(join(folder, "cpu.cfs_quota_us")) ?? -1), Number(read(join(folder, "cpu.cfs_period_us")) ?? 0)];
  if (quota === undefined || period === undefined || !(quota > 0) || !(period > 0)) return undefined;
  return quota / period;
}

/** The tightest quota of this process's control groups and their parents, in cores. */
function cgroupQuota(read: ReadSystemFile): number | undefined {
  const quotas = cgroupsOf("cpu", read).flatMap((group) => quotaOf(group, read) ?? []);
  return quotas.length === 0 ? undefined : Math.min(...quotas);
}

/** Cores of the CPUs that this process may run on, whatever its quota. */
export function coresOfAffinity(read: ReadSystemFile = readSystemFile, parallelism = availableParallelism()): number {
  const cpus = allowedCpus(read);
  return Math.max(1, cpus === undefined ? parallelism : physicalCores(cpus, read));
}

/** Cores that this process may use, quota included; at least 1. `parallelism`: what the runtime reports. */
export function usableCores(read: ReadSystemFile = readSystemFile, parallelism = availableParallelism()): number {
  const cpus = allowedCpus(read);
  const limits = [parallelism];
  if (cpus !== undefined) limits.push(physicalCores(cpus, read));
  const quota = cgroupQuota(read);
  if (quota !== undefined) limits.push(Math.floor(quota));
  return Math.max(1, Math.min(...limits));
}

/**
 * Models up to this size run on one thread: waking a second one costs more than it gains. Measured on two cores with
 * q4_0 weights: 0.7 MB 2800 tokens/s on one thread and 100 to 200 on two, 15 MB 1050 on either (1900 with four
 * requests), 32 MB 540 and 520 (1000 and 1300), 66 MB 300 and 360. On two threads, a quarter of such models' first
 * tokens also arrive 10 to 20 ms later: the second thread has to find a core.
 */
const singleThreadBytes = 24 * 1024 * 1024;

/** Threads for a model. `requested`: the option num_thread, 0 for automatic. Never more than `cores`. */
export function chooseThreads(cores: number, modelBytes: number, requested = 0): number {
  if (requested > 0) return Math.min(requested, cores);
  return modelBytes <= singleThreadBytes ? 1 : cores;
}
