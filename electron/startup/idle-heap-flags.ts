/**
 * Flags of V8 for a page or a process that has come to rest: it gives memory back soon and once. By itself it would
 * collect twice; the second time costs more than the first and frees a fraction of it.
 */
export const idleHeapFlags = ["--gc-memory-reducer-start-delay-ms=2000", "--memory-reducer-gc-count=1"] as const;
