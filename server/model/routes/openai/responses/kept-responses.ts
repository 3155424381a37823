/** Answers of POST /v1/responses, for requests that name one or an item of it. */
import { isObject } from "../../../../contract/is-object.ts";

/** The newest count; a conversation that is longer than all of the bytes is not kept. */
const mostResponses = 256;
const mostBytes = 64 * 1024 * 1024;

export interface KeptResponse {
  /** As it was answered. */
  readonly response: { readonly id: string; readonly output: readonly object[] };
  /** The items that it was made from, each with an id: those of earlier responses, then the request's own. */
  readonly input: readonly unknown[];
}

/** What each caller asked for is there for that caller alone. */
export interface KeptResponses {
  /** Undefined: not kept, or no longer. */
  find(id: string): KeptResponse | undefined;
  /** An item with an id that was made here: of the same one that a client has chosen, there may be several. */
  findItem(id: string): unknown;
  keep(kept: KeptResponse): void;
  /** False where there is none. */
  remove(id: string): boolean;
}

interface Entry extends KeptResponse {
  readonly caller: string | undefined;
  readonly bytes: number;
}

const itemsWithOwnIds = new WeakSet<object>();

/** Notes that the item's id was made here. */
export function noteOwnId<Item extends object>(item: Item): Item {
  itemsWithOwnIds.add(item);
  return item;
}

export const itemIn = (items: readonly unknown[], id: string): object | undefined =>
  items.filter(isObject).find((item) => item["id"] === id);

/** The items of a conversation up to the end of that answer. */
export const conversationOf = ({ input, response }: KeptResponse): readonly unknown[] => [...input, ...response.output];

/** In memory: they end with the process. `callerOf` the running request: the id of its key, where it needed one. */
export function createKeptResponses(callerOf: () => string | undefined): KeptResponses {
  const all = new Map<string, Entry>();
  let total = 0;
  function remove(id: string): boolean {
    total -= all.get(id)?.bytes ?? 0;
    return all.delete(id);
  }
  function ownOf(id: string): Entry | undefined {
    const entry = all.get(id);
    return entry?.caller === callerOf() ? entry : undefined;
  }
  return {
    find(id) {
      const found = ownOf(id);
      if (found === undefined) return undefined;
      // The one that was used last goes last.
      all.delete(id);
      all.set(id, found);
      return found;
    },
    findItem(id) {
      const caller = callerOf();
      const items = [...all.values()].filter((entry) => entry.caller === caller).flatMap(conversationOf);
      return items.filter(isObject).find((item) => item["id"] === id && itemsWithOwnIds.has(item));
    },
    keep(kept) {
      const bytes = Buffer.byteLength(JSON.stringify(kept));
      if (bytes > mostBytes) return;
      kept.response.output.forEach(noteOwnId);
      all.set(kept.response.id, { ...kept, bytes, caller: callerOf() });
      total += bytes;
      for (const oldest of all.keys()) {
        if (all.size <= mostResponses && total <= mostBytes) break;
        remove(oldest);
      }
    },
    remove: (id) => ownOf(id) !== undefined && remove(id),
  };
}
