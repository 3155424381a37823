import { useMemo, useRef, useState } from "react";
import type { ItemId } from "../../../../server/contract/app/item-ids.ts";
import type { CollectionItem, CollectionView } from "../../../../server/contract/console/data/collection-endpoints.ts";
import { useShowFailure } from "../../../api/actions/use-show-failure.ts";
import type { SchemaField } from "../../../ui/forms/schema-fields.ts";
import { isCellKind } from "./cell-input.tsx";
import { itemFields } from "./item-values.ts";
import { newest, saved, type Edited } from "./item-versions.ts";
import { useItemChanges } from "../use-collections.ts";
import { ownValue } from "../../../ui/forms/own-value.ts";

export interface CellEditing {
  /** The cell being edited. */
  readonly at: { readonly id: ItemId; readonly field: string } | undefined;
  /** The key of the selected row, whose cells can be edited. */
  readonly selected: string | undefined;
  /** The schema's field of a column; undefined if it cannot be edited in a cell. */
  readonly fieldOf: (field: string) => SchemaField | undefined;
  readonly begin: (id: ItemId, field: string) => void;
  readonly stop: () => void;
  readonly finish: (item: CollectionItem, field: string, value: unknown, step: -1 | 0 | 1) => void;
}

/** The edited cell of the table, which is saved when the user leaves it. `columns` are the fields in their order. */
export function useCellEditing(
  collection: CollectionView,
  columns: readonly string[],
  selected: string | undefined,
): CellEditing & { readonly beginAt: (id: ItemId) => boolean } {
  const showFailure = useShowFailure();
  const { save } = useItemChanges(collection.name);
  const [at, setAt] = useState<CellEditing["at"]>();
  const byName = useMemo(() => {
    const related = new Set(collection.relations.map(({ field }) => field));
    const fields = itemFields(collection.schema).filter((field) => isCellKind(field) && !related.has(field.name));
    return new Map(fields.map((field) => [field.name, field]));
  }, [collection]);
  /** The last save: the next one of the same item changes what that one made. */
  const last = useRef<Promise<Edited | undefined>>(Promise.resolve(undefined));
  const saveField = async (item: CollectionItem, field: string, value: unknown) => {
    const earlier = await last.current;
    const before = earlier ? newest(earlier, item) : item;
    try {
      return saved(await save.mutateAsync({ before, data: { ...before.data, [field]: value } }), before, earlier);
    } catch (error) {
      showFailure(error);
      return undefined;
    }
  };
  const editable = columns.filter((field) => byName.has(field));
  return {
    at,
    selected,
    fieldOf: (field) => byName.get(field),
    begin: (id, field) => setAt({ id, field }),
    beginAt(id) {
      const [first] = editable;
      if (first !== undefined) setAt({ id, field: first });
      return first !== undefined;
    },
    stop: () => setAt(undefined),
    finish(item, field, value, step) {
      const next = step === 0 ? undefined : editable[editable.indexOf(field) + step];
      setAt(next === undefined ? undefined : { id: item.id, field: next });
      if (value === ownValue(item.data, field)) return;
      last.current = saveField(item, field, value);
    },
  };
}
