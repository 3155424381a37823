/** `unevaluatedProperties` and `unevaluatedItems`: what the parts beside them do not name. */
import type { SchemaObject } from "../../json-schema/json-schema.ts";
import { schemasIn, type Conjunction, type SchemaPart } from "./schema-parts.ts";
import { unenforceable } from "./unenforceable.ts";

const named = (names: Iterable<string>) => Object.fromEntries([...names].map((name) => [name, true]));

/** Undefined where the parts name every member. */
function restOfMembers(parts: readonly SchemaPart[], rest: unknown): SchemaObject | undefined {
  if (parts.some(({ schema }) => schema["additionalProperties"] !== undefined)) return undefined;
  return {
    properties: named(parts.flatMap(({ schema }) => Object.keys(schemasIn(schema, "properties")))),
    patternProperties: named(parts.flatMap(({ schema }) => Object.keys(schemasIn(schema, "patternProperties")))),
    additionalProperties: rest,
  };
}

function restOfItems(parts: readonly SchemaPart[], rest: unknown, path: string): SchemaObject | undefined {
  if (parts.some(({ schema }) => schema["contains"] !== undefined))
    throw unenforceable("unevaluatedItems", path, "together with contains");
  if (
    parts.some(
      ({ schema: { items, additionalItems } }) =>
        additionalItems !== undefined || (items !== undefined && !Array.isArray(items)),
    )
  )
    return undefined;
  const counts = parts.map(({ schema: { prefixItems, items } }) => {
    const first = prefixItems ?? items;
    return Array.isArray(first) ? first.length : 0;
  });
  return { prefixItems: Array.from({ length: Math.max(0, ...counts) }, () => true), items: rest };
}

/** The alternatives of a schema, each with what its unevaluated keywords add. @throws OllamaError 400 */
export function closeUnevaluated(
  found: readonly Conjunction[],
  schema: SchemaObject,
  path: string,
): readonly Conjunction[] {
  const { unevaluatedProperties: members = true, unevaluatedItems: items = true } = schema;
  if (members === true && items === true) return found;
  return found.map((parts) => {
    // Parts that a value must not satisfy name no members.
    const naming = parts.filter(({ isDerived }) => isDerived !== true);
    const rests = [
      members === true ? undefined : restOfMembers(naming, members),
      items === true ? undefined : restOfItems(naming, items, path),
    ].filter((rest) => rest !== undefined);
    return [...parts, ...rests.map((rest) => ({ schema: rest, path }))];
  });
}
