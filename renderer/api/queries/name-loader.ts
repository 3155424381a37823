import { getNames, mostNames } from "../../../server/contract/console/control/names.ts";
import type { Call } from "../http/call.ts";

/** Loads the display name of a user; null when the user is gone or has no name. */
export type LoadName = (userId: string) => Promise<string | null>;

interface Wanted {
  readonly id: string;
  readonly resolve: (name: string | null) => void;
  readonly reject: (error: unknown) => void;
}

/** The rows of a table ask at nearly the same time: they share a call. */
const gatherMs = 20;

export function createNameLoader(call: Call): LoadName {
  let waiting: Wanted[] = [];
  async function ask(batch: readonly Wanted[]): Promise<void> {
    try {
      const { users } = await call(getNames, { query: { users: [...new Set(batch.map(({ id }) => id))].join() } });
      for (const { id, resolve } of batch) resolve(users[id] ?? null);
    } catch (error) {
      for (const { reject } of batch) reject(error);
    }
  }
  function askForAll(): void {
    for (let from = 0; from < waiting.length; from += mostNames) void ask(waiting.slice(from, from + mostNames));
    waiting = [];
  }
  return (id) => {
    const { promise, resolve, reject } = Promise.withResolvers<string | null>();
    if (waiting.push({ id, resolve, reject }) === 1) setTimeout(askForAll, gatherMs);
    return promise;
  };
}
