import type { GiveBack } from "./database.ts";

/**
 * Runs `work` while no other instance has a name.
 * @param take takes the name; undefined where there are no other instances
 * @returns undefined where another instance has it: then nothing has run
 */
export async function whileTaken<Value>(
  take: (() => Promise<GiveBack | undefined>) | undefined,
  work: () => Promise<Value>,
): Promise<{ readonly value: Value } | undefined> {
  if (!take) return { value: await work() };
  const giveBack = await take();
  if (!giveBack) return undefined;
  try {
    return { value: await work() };
  } finally {
    await giveBack();
  }
}
