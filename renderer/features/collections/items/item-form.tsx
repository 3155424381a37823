import { Textarea } from "@mantine/core";
import type { CollectionView } from "../../../../server/contract/console/data/collection-endpoints.ts";
import type { FieldValues, SchemaField } from "../../../ui/forms/schema-fields.ts";
import { SchemaForm, type InputProps } from "../../../ui/forms/schema-form.tsx";
import { withEndsOf } from "../../../ui/code/line-ends.ts";
import { RelationField } from "./relation-field.tsx";

/** The fields of an item, by the schema of its collection. */
export function ItemForm(props: {
  collection: CollectionView;
  fields: readonly SchemaField[];
  values: FieldValues;
  onChange: (values: FieldValues) => void;
}) {
  const { relations } = props.collection;
  const inputOf = (field: SchemaField, input: InputProps) => {
    const relation = relations.find((one) => one.field === field.name);
    if (relation) return <RelationField {...input} to={relation.to} required={field.required} />;
    // A text may have several lines, and JSON has.
    const value = (input.value as string | undefined) ?? "";
    return field.kind === "text" || field.kind === "json" ? (
      <Textarea
        {...input.common}
        autosize
        minRows={1}
        maxRows={12}
        value={value}
        onChange={(change) => input.onChange(withEndsOf(value, change.currentTarget.value))}
      />
    ) : undefined;
  };
  return <SchemaForm fields={props.fields} values={props.values} onChange={props.onChange} inputOf={inputOf} />;
}
