import type { z } from "zod";
import { readFilterName } from "../../contract/app/filters.ts";
import { canonicalId } from "../../contract/app/item-ids.ts";
import { ownSortFields } from "../../contract/app/resources.ts";
import { isObject } from "../../contract/is-object.ts";
import { hasFormat } from "../../json-schema/formats.ts";
import { typesOf } from "../../json-schema/json-schema.ts";
import { jsonSchemaOf, scalarOf, textSchemaOf } from "../../http/formats/coerce-text.ts";
import type { FormFields } from "../../http/formats/parse-form.ts";
import { refuse } from "../../http/http-error.ts";
import {
  publicIdField,
  type RecordFilter,
  type RecordQuery,
  type Scalar,
  type SortField,
} from "../../store/records/record-query.ts";
import { nobody } from "../../store/records/record-tables.ts";
import { ownerUid, type ResourceDefinition } from "./resource-definition.ts";

/** The query of a list without its filters. */
export interface ListQuery {
  readonly page: number;
  readonly page_size: number;
  readonly q?: string | undefined;
  readonly sort?: string | undefined;
  readonly expand?: string | undefined;
}

/**
 * Turns the query of a list into a query of the store. Values in a URL are text; a field of booleans or numbers is
 * compared by its own type, one of several types by each.
 * @throws HttpError 400 naming a sort field that does not exist, or a field that cannot have the value of its filter
 */
export function listQuery(
  definition: ResourceDefinition,
  query: ListQuery,
  userId: number,
  filters: FormFields = {},
): RecordQuery {
  const { page, page_size, q, sort } = query;
  return {
    ...(definition.privateField !== undefined && {
      visibleTo: { ownerId: userId, privateField: definition.privateField },
    }),
    ...(definition.ownerSeesOnly === true && { ownerId: userId }),
    filters: Object.entries(filters).flatMap(([name, texts]) => filterOf(definition, name, [texts].flat())),
    ...(q !== undefined && q !== "" && { search: { text: q, fields: definition.searchFields } }),
    sort: sortFields(definition, sort),
    limit: page_size,
    offset: (page - 1) * page_size,
  };
}

function filterOf(definition: ResourceDefinition, name: string, texts: readonly string[]): RecordFilter[] {
  const { filterFields, deepFields = [] } = definition;
  const read = readFilterName(name, new Set([...ownValues.keys(), ...filterFields, ...deepFields]));
  if (!read) return [];
  const { comparison } = read;
  const field = storedField(definition, read.field);
  if (comparison === "null" || comparison === "exists") {
    const wanted = texts.map((text) => scalarOf(text, ["boolean"]));
    if (!wanted.every((one) => typeof one === "boolean"))
      throw refuse("filter.value", { text: texts.join(), field: read.field }, { field: name });
    const opposite = comparison === "null" ? "given" : "absent";
    return wanted.map((one) => ({ field, comparison: one ? comparison : opposite, values: [] }));
  }
  const values = texts.map((text) => comparable(definition, field, text));
  const isList = deepFields.includes(field) && fieldAt(definition, field).types.includes("array");
  if (comparison === "is" || comparison === "ne") return [{ field, comparison, values: values.flat(), isList }];
  return values.map((one) => ({ field, comparison, values: one.slice(-1) }));
}

const idOf = (digits = "") =>
  /^[1-9]\d*$/.test(digits) && Number.isSafeInteger(Number(digits)) ? Number(digits) : undefined;
function timeOf(text: string): number | undefined {
  const isTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d.*(?:Z|[+-]\d\d:\d\d)$/.test(text);
  // JavaScript takes 30 February for 2 March.
  const time = isTime && hasFormat("date", text.slice(0, 10)) ? Date.parse(text) : NaN;
  return Number.isNaN(time) ? undefined : time;
}
/** The server's own fields as they are stored; undefined for a text that none of them can be. */
const ownValues: ReadonlyMap<string, (text: string) => number | undefined> = new Map([
  ["id", idOf],
  ["owner_uid", (text: string) => (text === ownerUid(nobody) ? nobody : idOf(/^u(.*)$/.exec(text)?.[1]))],
  ["created_at", timeOf],
  ["updated_at", timeOf],
]);

/** The field of the store: ids that are texts have one of their own. */
const storedField = ({ idKind }: ResourceDefinition, field: string) =>
  field === "id" && idKind !== undefined ? publicIdField : field;

function comparable(definition: ResourceDefinition, field: string, text: string): Scalar[] {
  const { idKind } = definition;
  if (idKind !== undefined && field === publicIdField) return [canonicalId(idKind, text)];
  const own = ownValues.get(field);
  const values = own ? [own(text)].filter((value) => value !== undefined) : scalarsIn(definition, field, text);
  if (values.length === 0) throw refuse("filter.value", { text, field }, { field });
  return values;
}

/**
 * The values of the types in the field's schema that the text can stand for: "true" is a boolean only in a boolean field.
 * None for a text that the field cannot have.
 */
function scalarsIn(definition: ResourceDefinition, field: string, text: string): Scalar[] {
  const schema = definition.output.shape[field] as z.ZodType | undefined;
  const described = schema ? jsonSchemaOf(schema) : {};
  const own = typesOf(described);
  const types = schema && !own.includes("array") ? own : typesInside(definition, field);
  const { format, enum: choices } = isObject(described) ? described : {};
  const converted = scalarOf(
    text,
    types.filter((type) => type !== "string"),
  ) as Scalar;
  return [...new Set([text, converted])].filter((value) => {
    if (Number.isNaN(value)) return false;
    const isFraction = typeof value === "number" && !Number.isInteger(value) && !types.includes("number");
    const isOtherText = typeof value === "string" && types.length > 0 && !types.includes("string");
    const isNoChoice = Array.isArray(choices) && !choices.includes(value);
    return !isFraction && !isOtherText && !isNoChoice && hasFormat(String(format), value);
  });
}

/** The types of a field inside of others, or of the items of a list. */
const fieldAt = (definition: ResourceDefinition, field: string) =>
  field.split(".").reduce((one, step) => one.member(step), textSchemaOf(definition.input));

function typesInside(definition: ResourceDefinition, field: string): readonly string[] {
  const at = fieldAt(definition, field);
  return at.types.includes("array") ? at.item(0).types : at.types;
}

function sortFields(definition: ResourceDefinition, sort: string | undefined): SortField[] {
  const known = [...ownSortFields, ...definition.filterFields];
  const asked = (sort ?? "").split(",").flatMap((part): SortField[] => {
    if (part === "") return [];
    const field = part.replace(/^-/, "");
    if (!known.includes(field)) throw refuse("sort.field", { field, known: known.join(", ") }, { field: "sort" });
    return [{ field: storedField(definition, field), descending: part.startsWith("-") }];
  });
  // The number breaks ties, so that pages neither repeat nor miss an item.
  const all = [...asked, { field: "id", descending: true }];
  // A field that is named again changes nothing.
  return all.filter(({ field }, at) => all.findIndex((one) => one.field === field) === at);
}
