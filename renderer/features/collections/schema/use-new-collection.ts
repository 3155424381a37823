import { useMemo, useState } from "react";
import { useTranslation } from "react-i18next";
import { isPathSegment, singularOf } from "../../../../server/contract/app/plural-names.ts";
import { useToast } from "../../../ui/dialogs/toast.ts";
import { readText } from "../../../ui/forms/read-text.ts";
import { useCollections } from "../use-collections.ts";
import { inferSchema, nameAfter } from "./infer-schema.ts";
import { readRows, type Rows } from "./read-rows.ts";
import { useSchemaChanges } from "./use-schemas.ts";

export const sources = ["example", "file", "schema"] as const;
type Source = (typeof sources)[number];

const example = `{
  "title": "The Left Hand of Darkness",
  "pages": 304,
  "price": 9.5,
  "published": "1969-03-01"
}`;
const pretty = (value: unknown) => JSON.stringify(value, null, 2);

/** The inputs of a new collection, and the schema and items that follow from them. */
export function useNewCollection(onMade: (name: string) => void) {
  const { t } = useTranslation();
  const toast = useToast();
  const [name, setName] = useState("");
  const [source, setSource] = useState<Source>("example");
  const [text, setText] = useState(example);
  const [file, setFile] = useState<{ name: string; isText: boolean; rows: Rows | undefined }>();
  /** The schema once it has been edited by hand. */
  const [ownSchema, setOwnSchema] = useState<string>();
  const [withItems, setWithItems] = useState(true);
  const { create } = useSchemaChanges();
  const { data: collections = [] } = useCollections();
  const typed = useMemo(() => readRows(text), [text]);
  const rows = source === "file" || (source === "schema" && file?.rows) ? file?.rows : typed;
  const inferred = useMemo(() => (rows ? pretty(inferSchema(rows.rows)) : undefined), [rows]);
  const schema = source === "schema" ? (ownSchema ?? inferred ?? "{}") : inferred;

  const readFile = async (chosen: File | undefined) => {
    if (!chosen) return;
    const content = await readText(chosen);
    const isText = content !== undefined;
    setFile({ name: chosen.name, isText, rows: isText ? readRows(content) : undefined });
    setOwnSchema(undefined);
    if (name === "") setName(nameAfter(chosen.name));
  };
  const submit = () => {
    if (schema === undefined) return;
    const items = withItems ? (rows?.rows ?? []) : [];
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
  const problem = nameProblem(name, collections);
  return {
    ...{ name, source, text, file, withItems, typed, rows, schema, create },
    // A schema may name the singular itself.
    nameProblem: problem === "singular" && source === "schema" ? undefined : problem,
    isChanged: name !== "" || text !== example || file !== undefined || ownSchema !== undefined,
    setName,
    setSource,
    setText: (next: string) => {
      setText(next);
      setFile(undefined);
      setOwnSchema(undefined);
    },
    setOwnSchema,
    setWithItems,
    readFile,
    submit,
  };
}

type NameProblem = "shape" | "taken" | "singular";

/** Why a collection cannot have the name; undefined while nothing is typed. */
function nameProblem(name: string, taken: readonly { readonly name: string }[]): NameProblem | undefined {
  if (name === "") return undefined;
  if (!isPathSegment(name)) return "shape";
  if (taken.some((one) => one.name === name)) return "taken";
  return singularOf(name) === undefined ? "singular" : undefined;
}

export type NewCollectionDraft = ReturnType<typeof useNewCollection>;
