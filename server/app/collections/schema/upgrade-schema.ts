/** Turns schemas of drafts 4, 6, 7 and 2019-09 into such of draft 2020-12 that mean the same. */
import { isObject } from "../../../contract/is-object.ts";
import {
  mapSchemas,
  narrows,
  ofValues,
  resolvePointer,
  type JsonSchema,
  type SchemaObject,
} from "../../../json-schema/json-schema.ts";

/** The year or number of a draft, by which they are in order; undefined for one that is not known. */
export function draftOf({ $schema }: SchemaObject): number | undefined {
  if ($schema === undefined) return 2020;
  if (typeof $schema !== "string") return undefined;
  if (/json-schema\.org\/schema#?$/.test($schema)) return 2020;
  const [, draft] = /(?:draft-?0?|draft\/)(4|6|7|2019|2020)\b/i.exec($schema) ?? [];
  return draft === undefined ? undefined : Number(draft);
}

/** Keywords beside a `$ref` that drafts up to 7 do not ignore, or that change nothing. */
const besideReferences = new Set(["$ref", "$schema", "$defs", "definitions", "title", "description", "$comment"]);

/** The schema of a document, with the place of lists of items in pointers to them. */
export function upgradeSchema(root: SchemaObject): SchemaObject {
  const draft = draftOf(root) ?? 2020;
  return upgraded(root, root, root, draft) as SchemaObject;
}

function upgraded(schema: JsonSchema, resource: SchemaObject, root: SchemaObject, draft: number): JsonSchema {
  if (!isObject(schema)) return schema;
  const isOld = draft <= 7;
  const written =
    isOld && typeof schema["$ref"] === "string"
      ? Object.fromEntries(
          Object.entries(schema).filter(([word]) => besideReferences.has(word) || word.startsWith("x-")),
        )
      : schema;
  const within = typeof written[draft === 4 ? "id" : "$id"] === "string" ? schema : resource;
  const { $schema, $ref, items, additionalItems, $recursiveRef, $recursiveAnchor, ...rest } = written;
  void $schema;
  const inner = { ...withItems(items, additionalItems), ...withBounds(withIds(rest, draft)) };
  const placed: SchemaObject = {
    ...inner,
    ...(typeof $ref === "string" && { $ref: rewritten($ref, root) }),
    ...($recursiveRef !== undefined &&
      (within["$recursiveAnchor"] === true ? { $dynamicRef: "#recursive" } : { $ref: "#" })),
    ...($recursiveAnchor === true && { $dynamicAnchor: "recursive" }),
  };
  const mapped = mapSchemas(placed, (one) => upgraded(one, within, root, draft));
  return Object.fromEntries(
    Object.entries(mapped).map(([word, value]) => [word, elsewhere(word, value, within, root, draft)]),
  );
}

const known = new Set(["x-hearth", "enum", "required", "type"]);
/** A reference may lead to a schema in a place that is no keyword's. */
function elsewhere(word: string, value: unknown, resource: SchemaObject, root: SchemaObject, draft: number): unknown {
  if (ofValues.has(word) || known.has(word) || !isObject(value) || isKeyword(word)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, one]) => [name, isObject(one) ? upgraded(one, resource, root, draft) : one]),
  );
}
const isKeyword = (word: string) =>
  mapSchemas({ [word]: {} }, () => true)[word] === true ||
  /^(?:properties|patternProperties|dependentSchemas|dependencies|[$]defs|definitions)$/.test(word);

function withIds(schema: SchemaObject, draft: number): SchemaObject {
  const { id, $id = draft === 4 ? id : undefined, ...rest } = schema;
  const kept = draft === 4 ? rest : { ...rest, ...(id !== undefined && { id }) };
  if (typeof $id !== "string") return kept;
  const [address = "", anchor] = $id.split("#");
  if (anchor === undefined || anchor === "") return { ...kept, ...(address !== "" && { $id: address }) };
  return {
    ...kept,
    ...(address !== "" && { $id: address }),
    ...(/^[A-Za-z_][-\w.]*$/.test(anchor) && { $anchor: anchor }),
  };
}

/** Draft 4 has booleans beside the bounds, and writers of later drafts, too. */
function withBounds(schema: SchemaObject): SchemaObject {
  const { exclusiveMinimum: above, exclusiveMaximum: below, minimum, maximum, ...rest } = schema;
  return {
    ...rest,
    ...(minimum !== undefined && (above === true ? { exclusiveMinimum: minimum } : { minimum })),
    ...(maximum !== undefined && (below === true ? { exclusiveMaximum: maximum } : { maximum })),
    ...(above !== undefined && typeof above !== "boolean" && { exclusiveMinimum: above }),
    ...(below !== undefined && typeof below !== "boolean" && { exclusiveMaximum: below }),
  };
}

function withItems(items: unknown, additionalItems: unknown): SchemaObject {
  if (!Array.isArray(items)) return items === undefined ? {} : { items };
  return {
    ...(items.length > 0 && { prefixItems: items as unknown[] }),
    ...(additionalItems !== undefined && { items: additionalItems }),
  };
}

/** A pointer through a list of items leads through `prefixItems`, and through `additionalItems` to `items`. */
function rewritten(reference: string, root: SchemaObject): string {
  if (!/^#.*\/(?:items\/\d|additionalItems)/.test(reference) || resolvePointer(root, reference) === undefined)
    return reference;
  return reference.replace(/\/items(?=\/\d+(?:\/|$))/g, "/prefixItems").replaceAll("/additionalItems", "/items");
}

/** A root that only refers to a schema of the file is that schema. */
export function withoutRootReference(root: SchemaObject): SchemaObject {
  const seen = new Set<unknown>();
  let schema = root;
  for (;;) {
    const { $ref, ...beside } = schema;
    const target = typeof $ref === "string" ? resolvePointer(root, $ref) : undefined;
    const { type, "x-hearth": options, ...rest } = beside;
    void [type, options];
    if (!isObject(target) || seen.has(target) || target["$id"] !== undefined || narrows(rest)) return schema;
    seen.add(target);
    schema = { ...target, ...beside };
  }
}
