import { Button } from "@mantine/core";
import { Trash2 } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { SchemaCheck } from "../../../../server/contract/console/data/schema-endpoints.ts";
import { carryOut } from "../../../api/actions/carry-out.ts";
import { useShowFailure } from "../../../api/actions/use-show-failure.ts";
import { CodeEditor } from "../../../ui/code/code-editor.tsx";
import { useConfirm } from "../../../ui/dialogs/confirm.tsx";
import { Notice } from "../../../ui/dialogs/notice.tsx";
import { QueryFailure } from "../../../ui/dialogs/query-failure.tsx";
import { useToast } from "../../../ui/dialogs/toast.ts";
import { useUnsaved } from "../../../api/address/use-unsaved.ts";
import { useSettledText } from "../../../ui/table/use-settled-text.ts";
import { useSchemaChanges, useSchemaCheck, useSchemaText } from "./use-schemas.ts";
import { useLatest } from "../items/use-latest.ts";
import classes from "../collections.module.css";

/**
 * Edits the schema of a collection, and says before which items do not fit; removes the collection. What is typed stays when
 * the file is changed or cannot be read meanwhile, and when it is typed while an earlier text is being saved.
 */
export function SchemaEditor(props: { name: string; onDone: () => void; onRemoved: () => void }) {
  const { t } = useTranslation();
  const query = useSchemaText(props.name);
  const { data } = query;
  /** The text that is being changed. */
  const [held, setHeld] = useState<string>();
  const [isSaving, setSaving] = useState(false);
  const failure = <QueryFailure query={query} />;
  if (!data) return failure;
  const start = held ?? data.text;
  return (
    <>
      {failure}
      {start !== data.text && !isSaving && (
        <Notice kind="info">
          {t("collections.schemaMeanwhile")}{" "}
          <Button size="compact-xs" onClick={() => setHeld(undefined)}>
            {t("collections.showNewer")}
          </Button>
        </Notice>
      )}
      <Editor
        key={start}
        {...props}
        file={data.file}
        start={start}
        onHold={(holds) => setHeld(holds ? start : undefined)}
        onSaving={setSaving}
      />
    </>
  );
}

function Editor(props: {
  name: string;
  file: string;
  start: string;
  /** Whether the text must not be replaced by a newer one. */
  onHold: (holds: boolean) => void;
  onSaving: (isSaving: boolean) => void;
  onDone: () => void;
  onRemoved: () => void;
}) {
  const { t } = useTranslation();
  const { name, start, onDone, onRemoved } = props;
  const confirm = useConfirm();
  const toast = useToast();
  const showFailure = useShowFailure();
  const [settled, setSettled] = useState<string>();
  const [text, setText] = useSettledText(start, setSettled);
  const latest = useLatest(text);
  const isChanged = text !== start;
  const check = useSchemaCheck(name, isChanged ? settled : undefined);
  const { save, remove } = useSchemaChanges();
  const settle = useUnsaved(isChanged, ["collection", "view"]);
  const found = isChanged ? check.data : undefined;
  const misfits = found?.misfits ?? 0;
  const submit = () => {
    props.onSaving(true);
    const onSaved = () => {
      toast.success(t("collections.schemaSaved", { name }));
      if (latest.current !== text) return props.onSaving(false);
      settle();
      onDone();
    };
    carryOut(save, { name, text, keep: misfits > 0 }, onSaved, () => props.onSaving(false));
  };
  const askAndRemove = async () => {
    const sure = await confirm({
      title: t("collections.removeCollectionTitle", { name }),
      text: t("collections.removeCollectionText"),
      action: t("collections.removeCollection"),
      danger: true,
    });
    if (!sure) return;
    const onSuccess = ({ folder, items }: { folder: string; items: number }) => {
      toast.success(t("collections.removedCollection", { name, folder, count: items }));
      settle();
      onRemoved();
    };
    carryOut(remove, name, onSuccess, showFailure);
  };
  return (
    <form
      className={classes.editor}
      aria-label={t("collections.schemaOf", { name })}
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      <p className={classes.hint}>{t("collections.schemaHint", { file: props.file })}</p>
      <CodeEditor
        value={text}
        onChange={(next) => {
          setText(next);
          props.onHold(next !== start);
        }}
        language="json"
        label={t("collections.schema")}
        invalid={found?.problem !== undefined}
        maxHeight={520}
      />
      {found && <Findings found={found} />}
      {save.error && <Notice kind="error">{save.error.message}</Notice>}
      <div className={classes.buttons}>
        <Button
          type="submit"
          variant="filled"
          disabled={!isChanged || !found || found.problem !== undefined || settled !== text.trim()}
          loading={save.isPending}
        >
          {misfits > 0 ? t("collections.saveAnyway") : t("collections.save")}
        </Button>
        <Button
          leftSection={<Trash2 size={13} aria-hidden />}
          loading={remove.isPending}
          onClick={() => void askAndRemove()}
        >
          {t("collections.removeCollection")}
        </Button>
      </div>
    </form>
  );
}

/** The problem of a schema, or its formats that are not checked and the items that do not fit it. */
function Findings({ found }: { found: SchemaCheck }) {
  const { t } = useTranslation();
  const { problem, ignored_formats: ignored } = found;
  if (problem)
    return (
      <Notice kind="error">{t("collections.schemaProblem", { line: problem.line, message: problem.message })}</Notice>
    );
  const formats = ignored?.map(({ format, line, column }) => `${format} (${line}:${column})`).join(", ");
  return (
    <>
      {formats !== undefined && <Notice kind="info">{t("collections.ignoredFormats", { formats })}</Notice>}
      <MisfitList found={found} />
    </>
  );
}

function MisfitList({ found: { misfits, examples } }: { found: SchemaCheck }) {
  const { t } = useTranslation();
  if (misfits === 0) return <Notice kind="info">{t("collections.allFit")}</Notice>;
  return (
    <Notice kind="info">
      {t("collections.misfits", { count: misfits })}
      <ul className={classes.misfits}>
        {examples.map(({ id, field, problem: text }) => (
          <li key={id}>
            <span className={classes.wire}>{field === "" ? id : `${id} · ${field}`}</span> {text}
          </li>
        ))}
      </ul>
    </Notice>
  );
}
