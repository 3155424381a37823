/** The console's last changes of items, kept in memory so that they can be undone. */
import { HttpError, notFound } from "../../http/http-error.ts";
import type { StoredRecord } from "../../store/records/record-tables.ts";
import type { ItemWrites } from "./item-writes.ts";
import type { Definitions } from "./relations.ts";

/** A created item has no `before`, a deleted one no `after`. */
interface ItemChange {
  readonly collection: string;
  readonly before?: StoredRecord;
  readonly after?: StoredRecord;
}

interface Undone {
  readonly collection: string;
  readonly id: number;
  readonly undone: "created" | "changed" | "deleted";
}

const mostChanges = 100;
const idOf = ({ before, after }: ItemChange) => (before ?? after)?.id ?? 0;

export function createItemJournal(writes: ItemWrites, definitions: Definitions) {
  const changes: ItemChange[] = [];

  /** @returns the item as it is then; undefined when it was removed, false when it has changed meanwhile */
  async function revert({ collection, before, after }: ItemChange): Promise<StoredRecord | undefined | false> {
    const definition = definitions().find(({ name }) => name === collection);
    if (!definition) throw notFound(`There is no collection ${collection} any more.`);
    if (!before) return after && (await writes.delete(definition, after)) ? undefined : false;
    const restored = after ? writes.replace(definition, after, before.data) : writes.restore(definition, before);
    return (await restored) ?? false;
  }

  return {
    /** Ids and versions begin again where the items are replaced: no change fits the new ones. */
    clear: () => void changes.splice(0),

    add(change: ItemChange): void {
      changes.push(change);
      if (changes.length > mostChanges) changes.shift();
    },

    /** @throws HttpError 404 when nothing is left, 412 when the item has changed since, 400 or 409 for a broken rule */
    async undo(item?: { readonly collection: string; readonly id: number }): Promise<Undone> {
      const at = changes.findLastIndex((one) => !item || (one.collection === item.collection && idOf(one) === item.id));
      const [change] = at < 0 ? [] : changes.splice(at, 1);
      const { collection = "", before, after } = change ?? {};
      if (!change) throw notFound("There is no change to undo.");
      const id = idOf(change);
      const now = await revert(change);
      if (now === false)
        throw new HttpError(412, "changed_since", `${collection}/${String(id)} has been changed since.`);
      // The change before this one left the item at a version that it has again, under another number.
      const earlier = changes.findLastIndex((one) => one.collection === collection && idOf(one) === id);
      const known = changes[earlier];
      if (known && now && known.after?.version === before?.version) changes[earlier] = { ...known, after: now };
      return { collection, id, undone: before ? (after ? "changed" : "deleted") : "created" };
    },
  };
}
