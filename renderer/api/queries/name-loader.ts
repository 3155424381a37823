import { getNames } from "../../../server/contract/console/control/names.ts";
import type { Call } from "../http/call.ts";

export type NamedKind = "users" | "orders" | "items";

export interface NameLoader {
  /** The name of a thing; null when it is gone or has no name. An item's id is `collection/id`, percent-encoded. */
  load(kind: NamedKind, id: string): Promise<string | null>;
}

interface Wanted {
  readonly kind: NamedKind;
  readonly id: string;
  readonly resolve: (name: string | null) => void;
  readonly reject: (error: unknown) => void;
}

/** The rows of a table ask at nearly the same time: they share a call. */
const gatherMs = 20;
/** The server's limits for each kind. */
const most = 100;
const mostCharacters = 4_000;

export function createNameLoader(call: Call): NameLoader {
  let waiting: Wanted[] = [];
  const listed = (batch: readonly Wanted[], kind: NamedKind) => {
    const ids = batch.flatMap((one) => (one.kind === kind ? [one.id] : []));
    return ids.length === 0 ? undefined : [...new Set(ids)].join();
  };
  async function ask(batch: readonly Wanted[]): Promise<void> {
    try {
      const query = { users: listed(batch, "users"), orders: listed(batch, "orders"), items: listed(batch, "items") };
      const names = await call(getNames, { query });
      for (const { kind, id, resolve } of batch) resolve(names[kind][id] ?? null);
    } catch (error) {
      for (const { reject } of batch) reject(error);
    }
  }
  function askForAll(): void {
    const all = waiting;
    waiting = [];
    let batch: Wanted[] = [];
    let characters = 0;
    for (const one of all) {
      characters += one.id.length + 1;
      if (batch.length < most && characters <= mostCharacters) batch.push(one);
      else {
        void ask(batch);
        [batch, characters] = [[one], one.id.length + 1];
      }
    }
    void ask(batch);
  }
  return {
    load(kind, id) {
      const { promise, resolve, reject } = Promise.withResolvers<string | null>();
      if (waiting.push({ kind, id, resolve, reject }) === 1) setTimeout(askForAll, gatherMs);
      return promise;
    },
  };
}
