import { Button, Switch, TextInput } from "@mantine/core";
import { useCallback, useEffect, useMemo, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { useAskToDiscard, useUnsaved } from "../../../api/address/use-unsaved.ts";
import { CodeEditor } from "../../../ui/code/code-editor.tsx";
import { Dialog } from "../../../ui/dialogs/dialog.tsx";
import { Notice } from "../../../ui/dialogs/notice.tsx";
import { useToast } from "../../../ui/dialogs/toast.ts";
import { DropZone } from "../../../ui/forms/drop-zone.tsx";
import { readText } from "../../../ui/forms/read-text.ts";
import { Segmented } from "../../../ui/forms/segmented.tsx";
import { inferSchema, nameAfter } from "./infer-schema.ts";
import { readRows, type Rows } from "./read-rows.ts";
import { SchemaSketch } from "./schema-sketch.tsx";
import { useSchemaChanges } from "./use-schemas.ts";
import classes from "./new-collection.module.css";

const sources = ["example", "file", "schema"] as const;
type Source = (typeof sources)[number];

const example = `{
  "title": "The Left Hand of Darkness",
  "pages": 304,
  "price": 9.5,
  "published": "1969-03-01"
}`;
const pretty = (value: unknown) => JSON.stringify(value, null, 2);

/** Makes a collection from an example, from a file of items, or from a schema. */
export function NewCollectionForm(props: { opened: boolean; onClose: () => void; onMade: (name: string) => void }) {
  const { t } = useTranslation();
  const askToDiscard = useAskToDiscard();
  // Not a state: Escape may follow the key that changes something before this renders again.
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
  const toast = useToast();
  const { onChanged, onMade } = props;
  const [name, setName] = useState("");
  const [source, setSource] = useState<Source>("example");
  const [text, setText] = useState(example);
  const [file, setFile] = useState<{ name: string; isText: boolean; rows: Rows | undefined }>();
  /** The schema once it has been edited by hand. */
  const [ownSchema, setOwnSchema] = useState<string>();
  const [withItems, setWithItems] = useState(true);
  const { create } = useSchemaChanges();
  const isChanged = name !== "" || text !== example || file !== undefined || ownSchema !== undefined;
  useEffect(() => onChanged(isChanged), [onChanged, isChanged]);
  useUnsaved(isChanged);

  const typed = useMemo(() => readRows(text), [text]);
  const rows = source === "file" || (source === "schema" && file?.rows) ? file?.rows : typed;
  const inferred = useMemo(() => (rows ? pretty(inferSchema(rows.rows)) : undefined), [rows]);
  const schema = source === "schema" ? (ownSchema ?? inferred ?? "{}") : inferred;
  const items = withItems ? (rows?.rows ?? []) : [];

  const take = async (chosen: File | undefined) => {
    if (!chosen) return;
    const content = await readText(chosen);
    const isText = content !== undefined;
    setFile({ name: chosen.name, isText, rows: isText ? readRows(content) : undefined });
    setOwnSchema(undefined);
    if (name === "") setName(nameAfter(chosen.name));
  };
  const submit = () => {
    if (schema === undefined) return;
    create.mutate(
      { name, text: schema, items },
      {
        onSuccess: (added) => {
          toast.success(t("collections.made", { name, count: added }));
          onMade(name);
        },
      },
    );
  };

  return (
    <form
      className={classes.form}
      aria-label={t("collections.newCollection")}
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      <TextInput
        label={t("collections.name")}
        description={t("collections.nameHint", { path: `/api/${name || "books"}` })}
        placeholder="books"
        value={name}
        onChange={(change) => setName(change.currentTarget.value)}
        data-autofocus
        spellCheck={false}
      />
      <Segmented
        label={t("collections.from")}
        value={source}
        choices={sources.map((value) => ({ value, label: t(`collections.source.${value}`) }))}
        onChange={setSource}
      />
      {source === "example" && (
        <CodeEditor
          value={text}
          onChange={(next) => {
            setText(next);
            setFile(undefined);
            setOwnSchema(undefined);
          }}
          language="json"
          label={t("collections.exampleItem")}
          invalid={typed === undefined}
          maxHeight={220}
        />
      )}
      {source === "file" && (
        <DropZone
          label={t("collections.dropFile")}
          hint={
            file?.rows
              ? t("collections.fileRead", { name: file.name, format: file.rows.format, count: file.rows.rows.length })
              : t("collections.dropHint")
          }
          inputLabel={t("collections.chooseFile")}
          multiple={false}
          onFiles={([first]) => void take(first)}
        />
      )}
      {source === "schema" && (
        <CodeEditor
          value={schema ?? ""}
          onChange={setOwnSchema}
          language="json"
          label={t("collections.schema")}
          maxHeight={320}
        />
      )}
      {source === "example" && typed === undefined && <Notice kind="error">{t("collections.noItems")}</Notice>}
      {source === "file" && file && !file.rows && (
        <Notice kind="error">{t(file.isText ? "collections.noItemsIn" : "failure.noText", { name: file.name })}</Notice>
      )}
      {source !== "schema" && schema !== undefined && <SchemaSketch text={schema} />}
      {rows && (
        <Switch
          label={t("collections.withItems", { count: rows.rows.length })}
          checked={withItems}
          onChange={(change) => setWithItems(change.currentTarget.checked)}
        />
      )}
      {create.error && <Notice kind="error">{create.error.message}</Notice>}
      <div className={classes.buttons}>
        <Button
          type="submit"
          variant="filled"
          loading={create.isPending}
          disabled={name === "" || schema === undefined}
        >
          {t("collections.make")}
        </Button>
      </div>
    </form>
  );
}
