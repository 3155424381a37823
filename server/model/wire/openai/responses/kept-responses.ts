/** Answers of POST /v1/responses, for requests that name one or an item of it. */
import { isObject } from "../../../../contract/is-object.ts";
import { isMadeHere } from "./item-id.ts";

/** The newest count; a conversation that is longer than all of the bytes is not kept. */
const mostResponses = 256;
const mostBytes = 64 * 1024 * 1024;

export interface KeptResponse {
  /** As it was answered. */
  readonly response: { readonly id: string; readonly output: readonly object[] };
  /** The items that it was made from, each with an id: those of earlier responses, then the request's own. */
  readonly input: readonly unknown[];
}

/** Responses that are kept, each for its own caller alone. */
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

/** The items by their ids. The first of several with one id counts. */
export const itemsById = (items: readonly unknown[]): ReadonlyMap<unknown, object> =>
  new Map(
    items
      .filter(isObject)
      .toReversed()
      .map((item) => [item["id"], item]),
  );

/** Finds the items of one caller's conversations by their ids; of several with one id, that of the oldest. */
function createItemIndex() {
  const items = new Map<unknown, object[]>();
  return {
    find: (id: string) => items.get(id)?.[0],
    add(conversation: readonly unknown[]): void {
      for (const [id, item] of itemsById(conversation)) {
        const same = items.get(id);
        if (same === undefined) items.set(id, [item]);
        else same.push(item);
      }
    },
    remove(conversation: readonly unknown[]): void {
      for (const [id, item] of itemsById(conversation)) {
        const same = items.get(id) ?? [];
        same.splice(same.indexOf(item), 1);
        if (same.length === 0) items.delete(id);
      }
    },
  };
}

/** The items of a conversation up to the end of that answer. */
export const conversationOf = ({ input, response }: KeptResponse): readonly unknown[] => [...input, ...response.output];

/** In memory: they end with the process. `callerOf` the running request: the id of its key, where it needed one. */
export function createKeptResponses(callerOf: () => string | undefined): KeptResponses {
  const all = new Map<string, Entry>();
  const indexes = new Map<string | undefined, ReturnType<typeof createItemIndex>>();
  let total = 0;
  function remove(id: string): boolean {
    const entry = all.get(id);
    if (entry === undefined) return false;
    total -= entry.bytes;
    indexes.get(entry.caller)?.remove(conversationOf(entry));
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
    findItem: (id) => (isMadeHere(id) ? indexes.get(callerOf())?.find(id) : undefined),
    keep(kept) {
      const bytes = Buffer.byteLength(JSON.stringify(kept));
      if (bytes > mostBytes) return;
      const caller = callerOf();
      const index = indexes.get(caller) ?? createItemIndex();
      index.add(conversationOf(kept));
      indexes.set(caller, index);
      all.set(kept.response.id, { ...kept, bytes, caller });
      total += bytes;
      for (const oldest of all.keys()) {
        if (all.size <= mostResponses && total <= mostBytes) break;
        remove(oldest);
      }
    },
    remove: (id) => ownOf(id) !== undefined && remove(id),
  };
}
