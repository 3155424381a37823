/** The console's last changes of items, kept in memory so that they can be undone. */
import type { ItemId } from "../../contract/app/item-ids.ts";
import { refuse } from "../../http/http-error.ts";
import { createTurns } from "../../process/create-turns.ts";
import type { StoredRecord } from "../../store/records/record-tables.ts";
import type { ItemWrites } from "./item-writes.ts";
import type { Definitions } from "./relations.ts";
import type { ResourceDefinition } from "./resource-definition.ts";

interface ItemName {
  readonly collection: string;
  /** As clients see it. */
  readonly id: ItemId;
}

/** A created item has no `before`, a deleted one no `after`. */
interface ItemChange extends ItemName {
  readonly before?: StoredRecord;
  readonly after?: StoredRecord;
}

interface Undone extends ItemName {
  readonly undone: "created" | "changed" | "deleted";
}

const mostChanges = 100;

export function createItemJournal(writes: ItemWrites, definitions: Definitions) {
  const changes: ItemChange[] = [];
  /** Those whose undo a rule has forbidden since the last change. */
  const refused = new Set<ItemChange>();
  /** Two undos at once would take back the same change. */
  const inTurn = createTurns();
  /** Undefined while the collection is not in service: its changes wait. */
  const definitionOf = ({ collection }: ItemChange) => definitions().find(({ name }) => name === collection);

  /** @returns the item as it is then; undefined when it was removed, false when it has changed meanwhile */
  async function revert(
    { before, after }: ItemChange,
    definition: ResourceDefinition,
  ): Promise<StoredRecord | undefined | false> {
    if (!before) return after && (await writes.delete(definition, after)) ? undefined : false;
    const restored = after ? writes.replace(definition, after, before.data) : writes.restore(definition, before);
    return (await restored) ?? false;
  }

  const isOf = ({ collection, id }: ItemName, change: ItemChange) =>
    change.collection === collection && change.id === id;
  /** Whether the undo of the change, or of a later one of the same item, was refused: other items come first then. */
  const isHeld = (change: ItemChange) =>
    changes.slice(changes.indexOf(change)).some((one) => refused.has(one) && isOf(change, one));

  async function undo(item?: ItemName): Promise<Undone> {
    const left = changes.filter((one) => definitionOf(one) && (!item || isOf(item, one)));
    const change = (item ? undefined : left.findLast((one) => !isHeld(one))) ?? left.at(-1);
    const definition = change && definitionOf(change);
    if (!definition) throw refuse("undo.none");
    const { collection, id, before, after } = change;
    const now = await revert(change, definition).catch((error: unknown) => {
      refused.add(change);
      throw error;
    });
    refused.delete(change);
    // Others may have been added or dropped meanwhile.
    const place = changes.indexOf(change);
    if (place >= 0) changes.splice(place, 1);
    if (now === false) throw refuse("item.changed", { collection, id });
    // The change before this one left the item at a version that it has again, under another number.
    const earlier = changes.findLastIndex((one) => isOf(change, one));
    const known = changes[earlier];
    if (known && now && known.after?.version === before?.version) changes[earlier] = { ...known, after: now };
    return { collection, id, undone: before ? (after ? "changed" : "deleted") : "created" };
  }

  return {
    /** Ids and versions begin again where the items are replaced: no change fits the new ones. */
    clear(): void {
      changes.splice(0);
      refused.clear();
    },

    add(change: ItemChange): void {
      changes.push(change);
      refused.clear();
      if (changes.length > mostChanges) changes.shift();
    },

    /**
     * A change stays when a rule forbids its undo, so that it can be undone later; the next undo takes another change.
     * @throws HttpError 404 when nothing is left, 412 when the item has changed since, 400 or 409 for a broken rule
     */
    undo: (item?: ItemName): Promise<Undone> => inTurn(() => undo(item)),
  };
}
