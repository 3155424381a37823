import { Button } from "@mantine/core";
import { Trash2 } from "lucide-react";
import { useMemo, useState } from "react";
import { useTranslation } from "react-i18next";
import type { CollectionItem, CollectionView } from "../../../../server/contract/console/data/collection-endpoints.ts";
import { carryOut } from "../../../api/actions/carry-out.ts";
import { useOneAtATime } from "../../../api/actions/use-one-at-a-time.ts";
import { useFormats } from "../../../i18n/formats-context.tsx";
import { CodeEditor } from "../../../ui/code/code-editor.tsx";
import { Fields } from "../../../ui/forms/fields.tsx";
import { JsonView } from "../../../ui/code/json-view.tsx";
import { Notice } from "../../../ui/dialogs/notice.tsx";
import { useUnsaved } from "../../../api/address/use-unsaved.ts";
import { Segmented } from "../../../ui/forms/segmented.tsx";
import { itemDraftOf, parseFields } from "./item-draft.ts";
import { ItemForm } from "./item-form.tsx";
import { itemDataOf, itemForm, itemFields, type FilledForm } from "./item-values.ts";
import { isSameVersion, newest, saved, type Edited } from "./item-versions.ts";
import { useItemChanges } from "../use-collections.ts";
import { useLatest } from "./use-latest.ts";
import classes from "../collections.module.css";

type View = "form" | "json";

/** What is typed into the form or as JSON; `data` is undefined while that is no object. */
interface ItemDraft extends FilledForm {
  /** The version that was changed, as it was; absent: a new item. */
  readonly edited: Edited | undefined;
  readonly start: Record<string, unknown>;
  readonly data: Record<string, unknown> | undefined;
  readonly text: string;
  /** What the form was made by. */
  readonly schema: unknown;
}

/**
 * Edits an item, or a new one, in a form by its schema or as JSON; the server validates it. What is typed stays when somebody
 * else changes or deletes the item meanwhile, when the table shows other items, and when it is typed while an earlier change is being saved.
 */
export function ItemEditor(props: {
  collection: CollectionView;
  /** Absent: a new one. */
  item: CollectionItem | undefined;
  /** Why the item can no longer be read, such as that somebody has deleted it. */
  gone: string | undefined;
  onDone: (id: number | undefined) => void;
}) {
  const { t } = useTranslation();
  const { collection, onDone } = props;
  const { schema } = collection;
  const schemaFields = useMemo(() => itemFields(schema), [schema]);
  const draftFrom = (shown: CollectionItem | undefined): ItemDraft => {
    const start = shown?.data ?? itemDraftOf(schema, collection.relations);
    const text = JSON.stringify(start, null, 2);
    const edited = shown && { item: shown, replaced: [] };
    return { edited, start, data: start, text, schema, ...itemForm(schemaFields, start) };
  };
  const [draft, setDraft] = useState(() => draftFrom(props.item));
  const { edited, start, data, fields, values, text } = draft;
  const item = edited?.item;
  const latest = useLatest(data);
  const [view, setView] = useState<View>(fields.length > 0 ? "form" : "json");
  const { add, save, remove } = useItemChanges(collection.name);
  const failed = add.error ?? save.error ?? remove.error;
  const makeForm = () => setDraft((now) => ({ ...now, schema, ...itemForm(schemaFields, now.data ?? {}) }));
  if (draft.schema !== schema) makeForm();
  const show = (next: View) => {
    if (next === "json") setDraft((now) => ({ ...now, text: JSON.stringify(now.data, null, 2) }));
    else makeForm();
    setView(next);
  };
  const isChanged = JSON.stringify(data) !== JSON.stringify(start);
  const settle = useUnsaved(isChanged, ["collection", "item", "view"]);
  const leave = (id: number | undefined) => {
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
  const shown = edited && props.item && newest(edited, props.item);
  const isOutdated = !save.isPending && !isSameVersion(shown, item);
  // What was replaced by a save may come back by an import.
  if (edited && edited.replaced.length > 0 && isSameVersion(props.item, item))
    setDraft((now) => ({ ...now, edited: { ...edited, replaced: [] } }));
  if (isOutdated && !isChanged) setDraft(draftFrom(props.item));
  if (props.gone !== undefined && !isChanged) return <Notice kind="info">{props.gone}</Notice>;
  return (
    <form
      className={classes.editor}
      aria-label={t("collections.item")}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      {item && <Facts item={item} />}
      {fields.length > 0 && (
        <Segmented
          label={t("collections.editAs")}
          value={view}
          choices={(["form", "json"] as const).map((value) => ({ value, label: t(`collections.as.${value}`) }))}
          onChange={(next) => {
            if (data) show(next);
          }}
        />
      )}
      {view === "form" ? (
        <ItemForm
          collection={collection}
          fields={fields}
          values={values}
          onChange={(next) => {
            setDraft((now) => ({ ...now, values: next, data: itemDataOf(now.fields, next, now.start) }));
          }}
        />
      ) : (
        <CodeEditor
          value={text}
          onChange={(next) => {
            setDraft((now) => ({ ...now, text: next, data: parseFields(next) }));
          }}
          language="json"
          label={t("collections.fields")}
          invalid={data === undefined}
        />
      )}
      {isOutdated && isChanged && (
        <Notice kind="info">
          {t("collections.changedMeanwhile")}{" "}
          <Button size="compact-xs" onClick={() => setDraft(draftFrom(props.item))}>
            {t("collections.showNewer")}
          </Button>
        </Notice>
      )}
      {data === undefined && <Notice kind="error">{t("collections.noObject")}</Notice>}
      {props.gone !== undefined && <Notice kind="info">{props.gone}</Notice>}
      {failed && <Notice kind="error">{t("failure.withReason", { reason: failed.message })}</Notice>}
      <div className={classes.buttons}>
        <Button
          type="submit"
          variant="filled"
          disabled={data === undefined || (item !== undefined && !isChanged)}
          loading={add.isPending || save.isPending}
        >
          {t(item ? "collections.save" : "collections.add")}
        </Button>
        {item && (
          <Button
            leftSection={<Trash2 size={13} aria-hidden />}
            loading={remove.isPending}
            onClick={() => carryOut(remove, item.id, () => leave(undefined))}
          >
            {t("collections.remove")}
          </Button>
        )}
      </div>
      <details>
        <summary>{t("collections.schema")}</summary>
        <JsonView value={schema} />
      </details>
    </form>
  );
}

function Facts({ item }: { item: CollectionItem }) {
  const { t } = useTranslation();
  const formats = useFormats();
  const time = (iso: string) => <time dateTime={iso}>{formats.exact(iso)}</time>;
  return (
    <Fields
      items={[
        { name: t("collections.owner"), value: item.owner_uid || t("collections.nobody"), wire: true },
        { name: t("collections.version"), value: formats.number(item.version) },
        { name: t("collections.created"), value: time(item.created_at) },
        { name: t("collections.updated"), value: time(item.updated_at) },
      ]}
    />
  );
}
