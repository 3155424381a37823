import { Button, Switch, TextInput } from "@mantine/core";
import { useCallback, useEffect, useRef } from "react";
import { useTranslation } from "react-i18next";
import { useAskToDiscard, useUnsaved } from "../../../api/address/use-unsaved.ts";
import { CodeEditor } from "../../../ui/code/code-editor.tsx";
import { Dialog } from "../../../ui/dialogs/dialog.tsx";
import { Notice } from "../../../ui/dialogs/notice.tsx";
import { DropZone } from "../../../ui/forms/drop-zone.tsx";
import { Segmented } from "../../../ui/forms/segmented.tsx";
import { SchemaSketch } from "./schema-sketch.tsx";
import { sources, useNewCollection, type NewCollectionDraft } from "./use-new-collection.ts";
import classes from "./new-collection.module.css";

/** Makes a collection from an example, from a file of items, or from a schema. */
export function NewCollectionForm(props: { opened: boolean; onClose: () => void; onMade: (name: string) => void }) {
  const { t } = useTranslation();
  const askToDiscard = useAskToDiscard();
  // Not a state: Escape may follow a change before this renders again.
  const isChanged = useRef(false);
  const close = async () => {
    if (!isChanged.current || (await askToDiscard())) props.onClose();
  };
  const noteChanged = useCallback((now: boolean) => {
    isChanged.current = now;
  }, []);
  return (
    <Dialog opened={props.opened} onClose={() => void close()} title={t("collections.newCollection")} size="lg">
      {props.opened && <Form onChanged={noteChanged} onMade={props.onMade} />}
    </Dialog>
  );
}

function Form(props: { onChanged: (isChanged: boolean) => void; onMade: (name: string) => void }) {
  const { t } = useTranslation();
  const { onChanged } = props;
  const form = useNewCollection(props.onMade);
  const { name, nameProblem, rows, schema, create, isChanged } = form;
  useEffect(() => onChanged(isChanged), [onChanged, isChanged]);
  useUnsaved(isChanged);
  return (
    <form
      className={classes.form}
      aria-label={t("collections.newCollection")}
      onSubmit={(event) => {
        event.preventDefault();
        form.submit();
      }}
    >
      <TextInput
        label={t("collections.name")}
        description={t("collections.nameHint", { path: `/api/${name || "books"}` })}
        placeholder="books"
        value={name}
        error={nameProblem && t(`collections.nameProblem.${nameProblem}`)}
        onChange={(change) => form.setName(change.currentTarget.value)}
        data-autofocus
        spellCheck={false}
      />
      <Segmented
        label={t("collections.from")}
        value={form.source}
        choices={sources.map((value) => ({ value, label: t(`collections.source.${value}`) }))}
        onChange={form.setSource}
      />
      <SourceInput form={form} />
      {rows && (
        <Switch
          label={t("collections.withItems", { count: rows.rows.length })}
          checked={form.withItems}
          onChange={(change) => form.setWithItems(change.currentTarget.checked)}
        />
      )}
      {create.error && <Notice kind="error">{create.error.message}</Notice>}
      <div className={classes.buttons}>
        <Button
          type="submit"
          variant="filled"
          loading={create.isPending}
          disabled={name === "" || nameProblem !== undefined || schema === undefined}
        >
          {t("collections.make")}
        </Button>
      </div>
    </form>
  );
}

/** The input of the chosen source, its problem, and the schema that is inferred from it. */
function SourceInput({ form }: { form: NewCollectionDraft }) {
  const { t } = useTranslation();
  const { source, schema, typed, file } = form;
  if (source === "schema")
    return (
      <CodeEditor
        value={schema ?? ""}
        onChange={form.setOwnSchema}
        language="json"
        label={t("collections.schema")}
        maxHeight={320}
      />
    );
  const sketch = schema !== undefined && <SchemaSketch text={schema} />;
  if (source === "example")
    return (
      <>
        <CodeEditor
          value={form.text}
          onChange={form.setText}
          language="json"
          label={t("collections.exampleItem")}
          invalid={typed === undefined}
          maxHeight={220}
        />
        {typed === undefined && <Notice kind="error">{t("collections.noItems")}</Notice>}
        {sketch}
      </>
    );
  return (
    <>
      <DropZone
        label={t("collections.dropFile")}
        hint={
          file?.rows
            ? t("collections.fileRead", { name: file.name, format: file.rows.format, count: file.rows.rows.length })
            : t("collections.dropHint")
        }
        inputLabel={t("collections.chooseFile")}
        multiple={false}
        onFiles={([first]) => void form.readFile(first)}
      />
      {file && !file.rows && (
        <Notice kind="error">{t(file.isText ? "collections.noItemsIn" : "failure.noText", { name: file.name })}</Notice>
      )}
      {sketch}
    </>
  );
}
