import { useMemo, useState } from "react";
import type { ItemId } from "../../../../server/contract/app/item-ids.ts";
import type { CollectionItem, CollectionView } from "../../../../server/contract/console/data/collection-endpoints.ts";
import { carryOut } from "../../../api/actions/carry-out.ts";
import { useOneAtATime } from "../../../api/actions/use-one-at-a-time.ts";
import { useUnsaved } from "../../../api/address/use-unsaved.ts";
import { itemDraftOf, parseFields } from "./item-draft.ts";
import { itemDataOf, itemFields, itemForm, type FilledForm } from "./item-values.ts";
import { isSameVersion, newest, saved, type Edited } from "./item-versions.ts";
import { useItemChanges } from "../use-collections.ts";
import { useLatest } from "./use-latest.ts";

type EditorView = "form" | "json";

/** The input of the form or the JSON editor; `data` is undefined while the JSON is no object. */
interface Draft extends FilledForm {
  /** The version that is edited; absent: a new item. */
  readonly edited: Edited | undefined;
  readonly start: Record<string, unknown>;
  readonly data: Record<string, unknown> | undefined;
  readonly text: string;
  /** The schema from which the form was made. */
  readonly schema: unknown;
}

interface Options {
  collection: CollectionView;
  /** Absent: a new item. */
  item: CollectionItem | undefined;
  onDone: (id: ItemId | undefined) => void;
}

/**
 * The draft of an item. The input stays when somebody else changes or deletes the item meanwhile, when the table shows
 * other items, and when an earlier change is being saved.
 */
export function useItemDraft({ collection, item: loaded, onDone }: Options) {
  const { schema } = collection;
  const schemaFields = useMemo(() => itemFields(schema), [schema]);
  const draftFrom = (from: CollectionItem | undefined): Draft => {
    const start = from?.data ?? itemDraftOf(schema, collection.relations);
    const text = JSON.stringify(start, null, 2);
    const edited = from && { item: from, replaced: [] };
    return { edited, start, data: start, text, schema, ...itemForm(schemaFields, start) };
  };
  const [draft, setDraft] = useState(() => draftFrom(loaded));
  const { edited, start, data, fields } = draft;
  const item = edited?.item;
  const latest = useLatest(data);
  const [view, setView] = useState<EditorView>(fields.length > 0 ? "form" : "json");
  const changes = useItemChanges(collection.name);
  const { add, save } = changes;
  const makeForm = () => setDraft((now) => ({ ...now, schema, ...itemForm(schemaFields, now.data ?? {}) }));
  if (draft.schema !== schema) makeForm();
  const isChanged = JSON.stringify(data) !== JSON.stringify(start);
  const settle = useUnsaved(isChanged, ["collection", "item", "view"]);
  const leave = (id: ItemId | undefined) => {
    settle();
    onDone(id);
  };
  const addOne = useOneAtATime((added: Record<string, unknown>) =>
    add.mutateAsync(added).then(({ id }) => {
      if (latest.current === added) leave(id);
    }),
  );
  const submit = () => {
    if (!data) return;
    if (item)
      carryOut(save, { before: item, data }, (result) => {
        setDraft((now) => ({
          ...(now.data === data ? draftFrom(result) : { ...now, start: result.data }),
          edited: saved(result, item, now.edited),
        }));
      });
    else addOne(data);
  };
  const current = edited && loaded && newest(edited, loaded);
  const isOutdated = !save.isPending && !isSameVersion(current, item);
  // An import may restore a version that a save has replaced.
  if (edited && edited.replaced.length > 0 && isSameVersion(loaded, item))
    setDraft((now) => ({ ...now, edited: { ...edited, replaced: [] } }));
  if (isOutdated && !isChanged) setDraft(draftFrom(loaded));

  return {
    ...{ draft, item, view, changes, isChanged, isOutdated, leave, submit },
    show: (next: EditorView) => {
      if (next === "json") setDraft((now) => ({ ...now, text: JSON.stringify(now.data, null, 2) }));
      else makeForm();
      setView(next);
    },
    setValues: (values: FilledForm["values"]) =>
      setDraft((now) => ({ ...now, values, data: itemDataOf(now.fields, values, now.start) })),
    setText: (text: string) => setDraft((now) => ({ ...now, text, data: parseFields(text) })),
    showNewer: () => setDraft(draftFrom(loaded)),
  };
}

export type ItemDraft = ReturnType<typeof useItemDraft>;
