import { isObject } from "../../../contract/is-object.ts";
import type { JsonSchema, SchemaObject } from "../../../json-schema/json-schema.ts";
import type { Validate } from "../../../json-schema/schema-validator.ts";
import type { SchemaReferences } from "../../../json-schema/schema-references.ts";

/**
 * Inserts the defaults of a schema into a value, at any depth, but for those that their own schema forbids. Schemas that
 * may not apply (`anyOf`, `oneOf`, `not`) have none. Returns what takes them out again; undefined where there were none.
 */
export function fillDefaults(
  value: unknown,
  root: SchemaObject,
  { references, validate }: { references: SchemaReferences; validate: Validate },
): (() => void) | undefined {
  const undo: (() => void)[] = [];

  function insert(members: Record<string, unknown>, name: string, held: unknown): void {
    // Not an assignment: a name may be __proto__.
    Object.defineProperty(members, name, { value: held, enumerable: true, configurable: true, writable: true });
    undo.push(() => void Reflect.deleteProperty(members, name));
  }

  /** `same`: schemas that were applied to the same value: one that leads back to itself has nothing more to say. */
  function fill(held: unknown, schema: unknown, same: ReadonlySet<unknown> = new Set()): void {
    if (!isObject(schema) || same.has(schema)) return;
    const { $ref, allOf, if: condition, properties, prefixItems, items } = schema;
    const beside = new Set([...same, schema]);
    if (typeof $ref === "string") fill(held, references.target(schema, $ref), beside);
    if (Array.isArray(allOf)) for (const one of allOf) fill(held, one, beside);
    if (condition !== undefined)
      fill(held, schema[validate(held, condition as JsonSchema).length === 0 ? "then" : "else"], beside);
    if (isObject(held))
      for (const [name, member] of Object.entries(isObject(properties) ? properties : {})) {
        if (!Object.hasOwn(held, name) && isObject(member) && "default" in member)
          if (validate(member["default"], member).length === 0) insert(held, name, structuredClone(member["default"]));
        if (Object.hasOwn(held, name)) fill(held[name], member);
      }
    if (Array.isArray(held))
      for (const [at, item] of held.entries())
        fill(item, Array.isArray(prefixItems) && at < prefixItems.length ? prefixItems[at] : items);
  }

  fill(value, root);
  if (undo.length === 0) return undefined;
  return () => {
    for (const one of undo.toReversed()) one();
  };
}
