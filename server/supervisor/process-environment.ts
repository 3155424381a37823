/** Environment that makes a process run well, whatever it is told to do. */
import type { ServiceName } from "../contract/process/services.ts";

/**
 * glibc otherwise keeps what is freed for each thread, and takes ever larger pieces from there: after some hundred loads
 * of models 130 MB of nothing. One place for all threads, and pieces from 1 MiB on go back to the system at once.
 */
const memoryGoesBack = { MALLOC_ARENA_MAX: "1", MALLOC_MMAP_THRESHOLD_: String(1024 * 1024) };

/** One worker: every decode then runs on the same thread, which the engine's second thread needs to pay off. */
const oneWorker = { UV_THREADPOOL_SIZE: "1" };

const environments: Partial<Record<ServiceName, Readonly<Record<string, string>>>> = {
  model: memoryGoesBack,
  runner: { ...memoryGoesBack, ...oneWorker },
};

export const processEnvironment = (name: ServiceName): Readonly<Record<string, string>> => environments[name] ?? {};
