import { Button } from "@mantine/core";
import { Trash2 } from "lucide-react";
import { useTranslation } from "react-i18next";
import type { ItemId } from "../../../../server/contract/app/item-ids.ts";
import type { CollectionItem, CollectionView } from "../../../../server/contract/console/data/collection-endpoints.ts";
import { carryOut } from "../../../api/actions/carry-out.ts";
import { useFormats } from "../../../i18n/formats-context.tsx";
import { CodeEditor } from "../../../ui/code/code-editor.tsx";
import { Fields } from "../../../ui/forms/fields.tsx";
import { JsonView } from "../../../ui/code/json-view.tsx";
import { Notice } from "../../../ui/dialogs/notice.tsx";
import { Segmented } from "../../../ui/forms/segmented.tsx";
import { ItemForm } from "./item-form.tsx";
import { useItemDraft, type ItemDraft } from "./use-item-draft.ts";
import classes from "../collections.module.css";

const views = ["form", "json"] as const;

/** Edits an item, or a new one, in a form by its schema or as JSON; the server validates it. */
export function ItemEditor(props: {
  collection: CollectionView;
  /** Absent: a new one. */
  item: CollectionItem | undefined;
  /** The reason why the item can no longer be read, such as its deletion. */
  gone: string | undefined;
  onDone: (id: ItemId | undefined) => void;
}) {
  const { t } = useTranslation();
  const { collection, gone } = props;
  const editor = useItemDraft(props);
  const { draft, item, view } = editor;
  if (gone !== undefined && !editor.isChanged) return <Notice kind="info">{gone}</Notice>;
  return (
    <form
      className={classes.editor}
      aria-label={t("collections.item")}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        editor.submit();
      }}
    >
      {item && <Facts item={item} />}
      {draft.fields.length > 0 && (
        <Segmented
          label={t("collections.editAs")}
          value={view}
          choices={views.map((value) => ({ value, label: t(`collections.as.${value}`) }))}
          onChange={(next) => {
            if (draft.data) editor.show(next);
          }}
        />
      )}
      {view === "form" ? (
        <ItemForm collection={collection} fields={draft.fields} values={draft.values} onChange={editor.setValues} />
      ) : (
        <CodeEditor
          value={draft.text}
          onChange={editor.setText}
          language="json"
          label={t("collections.fields")}
          invalid={draft.data === undefined}
        />
      )}
      <Notices editor={editor} gone={gone} />
      <Buttons editor={editor} />
      <details>
        <summary>{t("collections.schema")}</summary>
        <JsonView value={collection.schema} />
      </details>
    </form>
  );
}

function Notices({ editor, gone }: { editor: ItemDraft; gone: string | undefined }) {
  const { t } = useTranslation();
  const { add, save, remove } = editor.changes;
  const failed = add.error ?? save.error ?? remove.error;
  return (
    <>
      {editor.isOutdated && editor.isChanged && (
        <Notice kind="info">
          {t("collections.changedMeanwhile")}{" "}
          <Button size="compact-xs" onClick={editor.showNewer}>
            {t("collections.showNewer")}
          </Button>
        </Notice>
      )}
      {editor.draft.data === undefined && <Notice kind="error">{t("collections.noObject")}</Notice>}
      {gone !== undefined && <Notice kind="info">{gone}</Notice>}
      {failed && <Notice kind="error">{t("failure.withReason", { reason: failed.message })}</Notice>}
    </>
  );
}

function Buttons({ editor }: { editor: ItemDraft }) {
  const { t } = useTranslation();
  const { item } = editor;
  const { add, save, remove } = editor.changes;
  return (
    <div className={classes.buttons}>
      <Button
        type="submit"
        variant="filled"
        disabled={editor.draft.data === undefined || (item !== undefined && !editor.isChanged)}
        loading={add.isPending || save.isPending}
      >
        {t(item ? "collections.save" : "collections.add")}
      </Button>
      {item && (
        <Button
          leftSection={<Trash2 size={13} aria-hidden />}
          loading={remove.isPending}
          onClick={() => carryOut(remove, item.id, () => editor.leave(undefined))}
        >
          {t("collections.remove")}
        </Button>
      )}
    </div>
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
