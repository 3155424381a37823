/** What was said in answers of POST /v1/responses, for requests that name one by `previous_response_id`. */

/** The newest count; a conversation that is longer than all of the bytes is not kept. */
const mostResponses = 256;
const mostBytes = 64 * 1024 * 1024;

export interface KeptResponses {
  /** The items of a conversation up to the end of that answer; undefined: not kept, or no longer. */
  find(id: string): readonly unknown[] | undefined;
  keep(id: string, items: readonly unknown[]): void;
}

/** In memory: they end with the process. */
export function createKeptResponses(): KeptResponses {
  const kept = new Map<string, { readonly items: readonly unknown[]; readonly bytes: number }>();
  let total = 0;
  const drop = (id: string) => {
    total -= kept.get(id)?.bytes ?? 0;
    kept.delete(id);
  };
  return {
    find(id) {
      const found = kept.get(id);
      if (found === undefined) return undefined;
      // The one that was used last goes last.
      kept.delete(id);
      kept.set(id, found);
      return found.items;
    },
    keep(id, items) {
      const bytes = Buffer.byteLength(JSON.stringify(items));
      if (bytes > mostBytes) return;
      kept.set(id, { items, bytes });
      total += bytes;
      for (const oldest of kept.keys()) {
        if (kept.size <= mostResponses && total <= mostBytes) break;
        drop(oldest);
      }
    },
  };
}
