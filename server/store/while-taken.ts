import type { ReleaseLock } from "./database.ts";

/**
 * Runs `work` while this instance has locked a name.
 * @param take locks the name; undefined where there are no other instances
 * @returns undefined where another instance has it: `work` has not run then
 */
export async function whileTaken<Value>(
  take: (() => Promise<ReleaseLock | undefined>) | undefined,
  work: () => Promise<Value>,
): Promise<{ readonly value: Value } | undefined> {
  if (!take) return { value: await work() };
  const release = await take();
  if (!release) return undefined;
  try {
    return { value: await work() };
  } finally {
    await release();
  }
}
