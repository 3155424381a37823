/** Answers of POST /v1/responses, for requests that name one or an item of it. */

/** The newest count; a conversation that is longer than all of the bytes is not kept. */
const mostResponses = 256;
const mostBytes = 64 * 1024 * 1024;

export interface KeptResponse {
  /** As it was answered. */
  readonly response: { readonly id: string; readonly output: readonly object[] };
  /** The items that it was made from, each with an id: those of earlier responses, then the request's own. */
  readonly input: readonly unknown[];
}

export interface KeptResponses {
  /** Undefined: not kept, or no longer. */
  find(id: string): KeptResponse | undefined;
  /** An item of any that is kept. */
  findItem(id: string): unknown;
  keep(kept: KeptResponse): void;
  /** False where there is none. */
  remove(id: string): boolean;
}

/** The items of a conversation up to the end of that answer. */
export const conversationOf = ({ input, response }: KeptResponse): readonly unknown[] => [...input, ...response.output];

/** In memory: they end with the process. */
export function createKeptResponses(): KeptResponses {
  const all = new Map<string, KeptResponse & { readonly bytes: number }>();
  let total = 0;
  function remove(id: string): boolean {
    total -= all.get(id)?.bytes ?? 0;
    return all.delete(id);
  }
  return {
    find(id) {
      const found = all.get(id);
      if (found === undefined) return undefined;
      // The one that was used last goes last.
      all.delete(id);
      all.set(id, found);
      return found;
    },
    findItem(id) {
      for (const kept of all.values()) {
        const item = conversationOf(kept).find((one) => (one as { id?: unknown }).id === id);
        if (item !== undefined) return item;
      }
      return undefined;
    },
    keep(kept) {
      const bytes = Buffer.byteLength(JSON.stringify(kept));
      if (bytes > mostBytes) return;
      all.set(kept.response.id, { ...kept, bytes });
      total += bytes;
      for (const oldest of all.keys()) {
        if (all.size <= mostResponses && total <= mostBytes) break;
        remove(oldest);
      }
    },
    remove,
  };
}
