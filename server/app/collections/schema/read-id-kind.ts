/** The kind of a collection's ids: by `x-hearth`, else by the field `id` of its schema. */
import { message } from "../../../contract/messages/message.ts";
import { idSchemas, isId, mustBeId, type TextIdKind } from "../../../contract/app/item-ids.ts";
import { isObject } from "../../../contract/is-object.ts";
import { applicable } from "../../../json-schema/applicable-schemas.ts";
import {
  annotations,
  narrows,
  ownTypesOf,
  propertiesOf,
  withoutKeywords,
  type JsonSchema,
  type SchemaObject,
} from "../../../json-schema/json-schema.ts";
import { schemaReferences } from "../../../json-schema/schema-references.ts";
import type { ProblemReporter } from "../problem-reporter.ts";
import type { CompiledSchema } from "./compile-schema.ts";
import type { XHearth } from "./x-hearth.ts";

export interface Identified {
  /** With the field `id` where clients see a text, and without it where the server counts. */
  readonly schema: SchemaObject;
  /** Undefined where the server counts. */
  readonly idKind: TextIdKind | undefined;
}

/** @throws FileProblem where `x-hearth` and the field contradict each other, or nothing says the kind */
export function readIdKind(schema: SchemaObject, { id: named }: XHearth, reporter: ProblemReporter): Identified {
  const { id: own, ...others } = propertiesOf(schema);
  const applied = own === undefined ? [] : applicable(schemaReferences(schema), [own]);
  const kind = named ?? (own === undefined ? "integer" : kindOf(applied));
  if (kind === undefined) throw reporter.at(["properties", "id"], message("schema.idType"));
  const type = kind === "integer" ? "integer" : "string";
  const types = applied.flatMap(ownTypesOf);
  const isOther = applied.some(({ format }) => kind === "uuid" && format !== undefined && format !== "uuid");
  if (isOther || (types.length > 0 && !types.includes(type)))
    throw reporter.at(["x-hearth", "id"], message("schema.idKind", { type }));
  const { required } = schema;
  const demanded = Array.isArray(required) ? (required as unknown[]).filter((name) => name !== "id") : [];
  if (kind !== "integer") {
    const properties = { ...others, id: ownId(kind, own) };
    return { schema: { ...schema, properties, required: [...demanded, "id"] }, idKind: kind };
  }
  const keyword = applied.map(ruleOf).find((one) => one !== undefined);
  if (keyword !== undefined) throw reporter.at(["properties", "id", keyword], message("schema.idRule", { keyword }));
  const counted = {
    ...schema,
    ...(required !== undefined && { required: demanded }),
    ...(own !== undefined && { properties: others }),
  };
  return { schema: counted, idKind: undefined };
}

function kindOf(applied: readonly SchemaObject[]) {
  const types = new Set(applied.flatMap(ownTypesOf));
  types.delete("null");
  if (types.size !== 1) return undefined;
  if (types.has("integer")) return "integer";
  if (!types.has("string")) return undefined;
  const formats = applied.map(({ format }) => format);
  return formats.includes("uuid") ? "uuid" : formats.includes("ulid") ? "ulid" : "string";
}

/** A keyword that an id counted by the server may break. */
const ruleOf = (schema: SchemaObject) =>
  Object.entries(schema).find(
    ([word, value]) =>
      !annotations.has(word) &&
      !["type", "format", "$ref"].includes(word) &&
      !(word === "minimum" && Number(value) <= 1),
  )?.[0];

function ownId(kind: TextIdKind, own: JsonSchema | undefined): SchemaObject {
  const written = isObject(own) ? own : {};
  // Made up ones are to differ from each other, if the schema lets them.
  const isAnyText = kind === "string" && !narrows(withoutKeywords(written, "type"));
  return { ...idSchemas[kind], ...(isAnyText && { "x-faker": "string.uuid" }), ...written, type: "string" };
}

/** The check of items whose ids are texts. */
export const withIdCheck =
  (kind: TextIdKind, check: CompiledSchema): CompiledSchema =>
  (item) => {
    const problems = check(item);
    if (!isObject(item) || item["id"] === undefined || isId(kind, item["id"])) return problems;
    return [{ path: ["id"], message: mustBeId(kind) }, ...problems.filter(({ path }) => path[0] !== "id")];
  };
