import { Button } from "@mantine/core";
import { Trash2 } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { CollectionItem, CollectionView } from "../../../server/contract/console/collection-endpoints.ts";
import { useFormats } from "../../i18n/formats-context.tsx";
import { CodeEditor } from "../../ui/code/code-editor.tsx";
import { useConfirm } from "../../ui/dialogs/confirm.tsx";
import { Fields } from "../../ui/fields.tsx";
import { JsonView } from "../../ui/code/json-view.tsx";
import { Notice } from "../../ui/dialogs/notice.tsx";
import { draftOf, parseFields } from "./item-draft.ts";
import { useItemChanges } from "./use-collections.ts";
import classes from "./collections.module.css";

/** Edits an item, or a new one, as JSON; the server validates it. */
export function ItemEditor(props: {
  collection: CollectionView;
  /** Absent: a new one. */
  item: CollectionItem | undefined;
  onDone: (id: number | undefined) => void;
}) {
  const { t } = useTranslation();
  const formats = useFormats();
  const confirm = useConfirm();
  const { collection, item, onDone } = props;
  const [start] = useState(() => JSON.stringify(item?.data ?? draftOf(collection.schema), null, 2));
  const [text, setText] = useState(start);
  const { add, save, remove } = useItemChanges(collection.name);
  const fields = parseFields(text);
  const failed = add.error ?? save.error ?? remove.error;
  const submit = () => {
    if (!fields) return;
    if (item)
      save.mutate({ id: item.id, version: item.version, data: fields }, { onSuccess: (saved) => onDone(saved.id) });
    else add.mutate(fields, { onSuccess: (added) => onDone(added.id) });
  };
  const askAndRemove = async () => {
    if (!item) return;
    const sure = await confirm({
      title: t("collections.removeTitle", { name: `${collection.name}/${item.id}` }),
      text: t("collections.removeText"),
      action: t("collections.remove"),
      danger: true,
    });
    if (sure) remove.mutate(item.id, { onSuccess: () => onDone(undefined) });
  };
  return (
    <div className={classes.editor}>
      {item && (
        <Fields
          items={[
            { name: t("collections.owner"), value: item.owner_uid || t("collections.nobody"), wire: true },
            { name: t("collections.version"), value: formats.number(item.version) },
            {
              name: t("collections.created"),
              value: <time dateTime={item.created_at}>{formats.exact(item.created_at)}</time>,
            },
            {
              name: t("collections.updated"),
              value: <time dateTime={item.updated_at}>{formats.exact(item.updated_at)}</time>,
            },
          ]}
        />
      )}
      <CodeEditor
        value={text}
        onChange={setText}
        language="json"
        label={t("collections.fields")}
        invalid={fields === undefined}
      />
      {fields === undefined && <Notice kind="error">{t("collections.noObject")}</Notice>}
      {failed && <Notice kind="error">{t("failure.withReason", { reason: failed.message })}</Notice>}
      <div className={classes.buttons}>
        <Button
          variant="filled"
          disabled={fields === undefined || (item !== undefined && text === start)}
          loading={add.isPending || save.isPending}
          onClick={submit}
        >
          {t(item ? "collections.save" : "collections.add")}
        </Button>
        {item && (
          <Button
            leftSection={<Trash2 size={13} aria-hidden />}
            loading={remove.isPending}
            onClick={() => void askAndRemove()}
          >
            {t("collections.remove")}
          </Button>
        )}
      </div>
      <details>
        <summary>{t("collections.schema")}</summary>
        <JsonView value={collection.schema} />
      </details>
    </div>
  );
}
