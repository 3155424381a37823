/**
 * How many threads the engine may use. With more threads than cores llama.cpp's barriers make it many times slower, so
 * everything that limits this process counts: the machine, its CPU affinity and the CPU quota of its control groups.
 */
import { readFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join, relative } from "node:path/posix";

/** Reads a file of the proc, sys or cgroup trees; undefined where there is none. */
export type ReadSystemFile = (path: string) => string | undefined;

export const readSystemFile: ReadSystemFile = (path) => {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return undefined;
  }
};

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

/** CPUs that the scheduler may put this process on; undefined where the system does not say. */
function allowedCpus(read: ReadSystemFile): number[] | undefined {
  const list = /^Cpus_allowed_list:\s*(\S+)/m.exec(read("/proc/self/status") ?? "")?.[1];
  return list === undefined ? undefined : parseCpuList(list);
}

/** Cores among these CPUs: CPUs that are threads of one core count once. */
function physicalCores(cpus: readonly number[], read: ReadSystemFile): number {
  const cores = cpus.map(
    (cpu) =>
      read(`/sys/devices/system/cpu/cpu${String(cpu)}/topology/thread_siblings_list`)?.trim() ?? `cpu ${String(cpu)}`,
  );
  return new Set(cores).size;
}

interface CgroupMount {
  readonly version: 1 | 2;
  readonly mountPoint: string;
  /** Which part of the hierarchy the mount shows. */
  readonly root: string;
}

/** Mounted hierarchies that can limit CPU time. */
function cpuMounts(mountInfo: string): CgroupMount[] {
  return mountInfo.split("\n").flatMap((line): CgroupMount[] => {
    const [head = "", tail = ""] = line.split(" - ");
    const [, , , root = "/", mountPoint = ""] = head.split(" ");
    const [type, , options = ""] = tail.split(" ");
    if (type === "cgroup2") return [{ version: 2, mountPoint, root }];
    return type === "cgroup" && options.split(",").includes("cpu") ? [{ version: 1, mountPoint, root }] : [];
  });
}

/** Path of this process in a hierarchy, from /proc/self/cgroup ("hierarchy:controllers:path" a line). */
function pathIn(mount: CgroupMount, membership: string): string {
  for (const line of membership.split("\n")) {
    const [id, controllers = "", ...rest] = line.split(":");
    const fits = mount.version === 2 ? id === "0" && controllers === "" : controllers.split(",").includes("cpu");
    if (fits) return rest.join(":");
  }
  return "/";
}

/** Cores that a group's quota is worth; undefined without a quota. */
function quotaOf(folder: string, version: 1 | 2, read: ReadSystemFile): number | undefined {
  const [quota, period] =
    version === 2
      ? (read(join(folder, "cpu.max")) ?? "max").trim().split(" ").map(Number)
      : [Number(read(join(folder, "cpu.cfs_quota_us")) ?? -1), Number(read(join(folder, "cpu.cfs_period_us")) ?? 0)];
  if (quota === undefined || period === undefined || !(quota > 0) || !(period > 0)) return undefined;
  return quota / period;
}

/** The tightest quota of this process's control groups, a parent's included, in cores. */
function cgroupQuota(read: ReadSystemFile): number | undefined {
  const membership = read("/proc/self/cgroup") ?? "";
  const quotas = cpuMounts(read("/proc/self/mountinfo") ?? "").flatMap((mount) => {
    const inside = relative(mount.root, pathIn(mount, membership));
    // A container may see a mount that does not hold its own path: the mount itself is then its group.
    let group = inside.startsWith("..") ? "" : inside;
    const found: number[] = [];
    for (;;) {
      const quota = quotaOf(join(mount.mountPoint, group), mount.version, read);
      if (quota !== undefined) found.push(quota);
      if (group === "" || group === ".") return found;
      group = group.includes("/") ? group.slice(0, group.lastIndexOf("/")) : "";
    }
  });
  return quotas.length === 0 ? undefined : Math.min(...quotas);
}

/** Cores that this process may really use, at least 1. `parallelism`: what the runtime reports. */
export function usableCores(read: ReadSystemFile = readSystemFile, parallelism = availableParallelism()): number {
  const cpus = allowedCpus(read);
  const limits = [parallelism];
  if (cpus !== undefined) limits.push(physicalCores(cpus, read));
  const quota = cgroupQuota(read);
  if (quota !== undefined) limits.push(Math.floor(quota));
  return Math.max(1, Math.min(...limits));
}

/**
 * Models up to this size run on one thread: waking a second one costs more than it brings. Measured on two cores with
 * q4_0 weights: 0.7 MB 2800 tokens/s on one thread and 100 to 200 on two, 13 MB 800 and 900, 43 MB 310 and 440.
 */
const singleThreadBytes = 8 * 1024 * 1024;

/** Threads for a model. `requested`: the option num_thread, 0 for automatic; never more than `cores`. */
export function chooseThreads(cores: number, modelBytes: number, requested = 0): number {
  if (requested > 0) return Math.min(requested, cores);
  return modelBytes <= singleThreadBytes ? 1 : cores;
}
