/**
 * The memory that a load may use. Memory that only swapping would free does not count, nor does memory beyond the
 * limits of the process's control groups.
 */
import { execFileSync } from "node:child_process";
import { freemem, totalmem } from "node:os";
import { join } from "node:path/posix";
import { cgroupsOf, readSystemFile, type Cgroup, type ReadSystemFile } from "./cgroups.ts";

/** A number in a file, or in the file's line that starts with `name`. */
function numberIn(text: string | undefined, name?: string): number | undefined {
  const found = name === undefined ? text : new RegExp(`^${name}:?\\s+(\\d+)`, "m").exec(text ?? "")?.[1];
  const value = Number(found ?? Number.NaN);
  return Number.isFinite(value) ? value : undefined;
}

/** Bytes that a group has left: its limit minus its use, without reclaimable file caches. */
function leftIn({ version, folder }: Cgroup, read: ReadSystemFile): number | undefined {
  const [limitFile, useFile, cacheName] =
    version === 2
      ? ["memory.max", "memory.current", "inactive_file"]
      : ["memory.limit_in_bytes", "memory.usage_in_bytes", "total_inactive_file"];
  const limit = numberIn(read(join(folder, limitFile)));
  const used = numberIn(read(join(folder, useFile)));
  if (limit === undefined || used === undefined) return undefined;
  const cache = numberIn(read(join(folder, "memory.stat")), cacheName) ?? 0;
  return limit - Math.max(0, used - cache);
}

/**
 * Bytes that the system calls free. macOS calls the cache of files used, which it gives up at once: there, the pages that
 * are free, inactive or read ahead count, as `vm_stat` tells them.
 */
export function freeMemory(
  platform = process.platform,
  vmStat = () => execFileSync("/usr/bin/vm_stat", { encoding: "utf8" }),
): number {
  if (platform !== "darwin") return freemem();
  try {
    const text = vmStat();
    const pages = ["free", "inactive", "speculative"].map((kind) => numberIn(text, `Pages ${kind}`) ?? 0);
    const pageBytes = Number(/page size of (\d+) bytes/.exec(text)?.[1]);
    return pageBytes * pages.reduce((sum, count) => sum + count, 0) || freemem();
  } catch {
    return freemem();
  }
}

/** Bytes that this process may still use, including reclaimable file caches. */
export function availableMemory(read: ReadSystemFile = readSystemFile, free = freeMemory()): number {
  const kilobytes = numberIn(read("/proc/meminfo"), "MemAvailable");
  const machine = kilobytes === undefined ? free : kilobytes * 1024;
  const groups = cgroupsOf("memory", read).flatMap((group) => leftIn(group, read) ?? []);
  return Math.max(0, Math.min(machine, ...groups));
}

/** Bytes that stay free for other programs: 5 % of the machine, at most 512 MB. */
export const reservedMemory = (total = totalmem()) => Math.min(512 * 1024 * 1024, Math.floor(total / 20));

const inGib = (bytes: number) => `${(bytes / 1024 ** 3).toFixed(bytes < 1024 ** 3 / 10 ? 3 : 1)} GiB`;

/** Bytes of a context with this many tokens in each of this many sequences. */
export type ContextNeed = (contextSize: number, sequences: number) => Promise<number>;

/** The engine's own estimate takes longer for larger contexts. Beyond this size it is extrapolated linearly. */
const longestEstimate = 65_536;

/** The same need, with each estimate cached and none for a very large context. */
export function quickNeed(estimate: ContextNeed): ContextNeed {
  const known = new Map<string, Promise<number>>();
  const once = (size: number, sequences: number) => {
    const key = `${String(size)} ${String(sequences)}`;
    const need = known.get(key) ?? estimate(size, sequences);
    known.set(key, need);
    return need;
  };
  return async (size, sequences) => {
    if (size <= longestEstimate) return once(size, sequences);
    const whole = await once(longestEstimate, sequences);
    const perToken = (whole - (await once(longestEstimate / 2, sequences))) / (longestEstimate / 2);
    return Math.ceil(whole + perToken * (size - longestEstimate));
  };
}

export interface MemoryQuestion {
  /** Bytes that may be used. */
  readonly available: number;
  readonly weights: number;
  readonly contextNeed: ContextNeed;
  readonly contextSize: number;
  /** Undefined: as many as are cheap. */
  readonly sequences: number | undefined;
}

export type MemoryAnswer =
  { readonly fits: true; readonly sequences: number } | { readonly fits: false; readonly message: string };

/** Without a number in the request: this many sequences, or half of them, or one. */
const mostSequences = 4;
/** Sequences after the first may use this share of the available memory. */
const cheapPart = 1 / 4;
/** Smaller windows are useless. */
const leastContext = 256;

/** The largest context below `contextSize` that fits, in steps of 256 tokens; undefined if none does. */
export async function largestContext(
  { available, weights, contextNeed, contextSize }: MemoryQuestion,
  sequences: number,
): Promise<number | undefined> {
  const fits = async (size: number) => weights + (await contextNeed(size, sequences)) <= available;
  if (!(await fits(leastContext))) return undefined;
  let [low, high] = [1, Math.ceil(contextSize / leastContext)];
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (await fits(middle * leastContext)) low = middle;
    else high = middle;
  }
  return low * leastContext;
}

/** The message for a model whose weights alone do not fit. */
export const weightsTooLarge = (weights: number, available: number) =>
  `model requires more system memory (${inGib(weights)} for its weights alone) than is available (${inGib(available)})`;

/** Whether a model fits, and with how many sequences; if not, the numbers and a context that would fit. */
export async function askMemory(question: MemoryQuestion): Promise<MemoryAnswer> {
  const { available, weights, contextNeed, contextSize, sequences } = question;
  const single = await contextNeed(contextSize, sequences ?? 1);
  const need = weights + single;
  if (need > available) {
    const smaller = await largestContext(question, sequences ?? 1);
    const advice =
      smaller === undefined
        ? "even a small context does not fit"
        : `a context of ${String(smaller)} tokens (option num_ctx) would fit`;
    const context = `${inGib(single)} for a context of ${String(contextSize)} tokens`;
    const parts = weights === 0 ? context : `${inGib(weights)} weights, ${context}`;
    const message = `model requires more system memory (${inGib(need)}: ${parts}) than is available (${inGib(available)}); ${advice}`;
    return { fits: false, message };
  }
  if (sequences !== undefined) return { fits: true, sequences };
  for (let count = mostSequences; count > 1; count /= 2) {
    const more = (await contextNeed(contextSize, count)) - single;
    if (need + more <= available && more <= available * cheapPart) return { fits: true, sequences: count };
  }
  return { fits: true, sequences: 1 };
}
