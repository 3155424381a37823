import type { SimUser } from "./identity-tables.ts";
import { ProviderError } from "./provider-error.ts";

/** Calls per user and minute before the provider limits them. */
const minuteQuota = 100;

export type CallQuota = ReturnType<typeof createCallQuota>;

/** @param now Unix time in ms */
export function createCallQuota(now: () => number) {
  const calls = new Map<number, { minute: number; count: number }>();
  return {
    /** @throws ProviderError 45011 beyond the quota */
    count({ id }: SimUser): void {
      const minute = Math.floor(now() / 60_000);
      const seen = calls.get(id);
      const count = seen?.minute === minute ? seen.count + 1 : 1;
      calls.set(id, { minute, count });
      if (count > minuteQuota) throw new ProviderError(45011);
    },
    /** People of another state have the same ids. */
    clear: () => calls.clear(),
  };
}
