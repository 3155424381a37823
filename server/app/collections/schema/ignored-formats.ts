import type { TextIdKind } from "../../../contract/app/item-ids.ts";
import { isCheckedFormat } from "../../../json-schema/formats.ts";
import { visitSchemas, type SchemaObject } from "../../../json-schema/json-schema.ts";
import type { JsonSource, TextPlace } from "../json-source.ts";

/** A `format` that no value is checked by, with its place in the file. */
export interface IgnoredFormat extends TextPlace {
  readonly format: string;
}

/** Limits how many of one file are named. */
const mostNamedFormats = 20;

/** The member with the ignored formats in events and answers, where there are any. */
export const ignoredFormatsMember = (ignored: readonly IgnoredFormat[]) =>
  ignored.length > 0 ? { ignored_formats: ignored.slice(0, mostNamedFormats) } : {};

/** The ignored formats of a schema in its order. The kind of an item's id is checked, also where it is no known format. */
export function ignoredFormats(
  schema: SchemaObject,
  idKind: TextIdKind | undefined,
  placeOf: JsonSource["placeOf"],
): IgnoredFormat[] {
  const found: IgnoredFormat[] = [];
  visitSchemas(schema, ({ format }, path) => {
    if (typeof format !== "string" || isCheckedFormat(format)) return;
    if (format === idKind && path.at(-1) === "id") return;
    found.push({ format, ...placeOf([...path, "format"]) });
  });
  return found;
}
