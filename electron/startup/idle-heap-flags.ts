/**
 * V8 flags for an idle page or process: it returns memory soon, in one collection. By default it would collect twice; the
 * second collection costs more than the first and frees a fraction of it.
 */
export const idleHeapFlags = ["--gc-memory-reducer-start-delay-ms=2000", "--memory-reducer-gc-count=1"] as const;
