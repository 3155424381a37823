/** Environment variables that make a process run well, whatever its settings are. */
import type { ServiceName } from "../contract/process/services.ts";

/**
 * By default glibc keeps freed memory per thread and allocates ever larger pieces there: 130 MB were wasted after some
 * hundred model loads. With one arena for all threads, and pieces from 1 MiB returned at once, memory goes back to the
 * system.
 */
const memoryGoesBack = { MALLOC_ARENA_MAX: "1", MALLOC_MMAP_THRESHOLD_: String(1024 * 1024) };

/** With one worker, every decode runs on the same thread. The engine's second thread only pays off then. */
const oneWorker = { UV_THREADPOOL_SIZE: "1" };

const environments: Partial<Record<ServiceName, Readonly<Record<string, string>>>> = {
  model: memoryGoesBack,
  runner: { ...memoryGoesBack, ...oneWorker },
};

export const processEnvironment = (name: ServiceName): Readonly<Record<string, string>> => environments[name] ?? {};
