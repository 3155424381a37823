import { isObject } from "../../../contract/is-object.ts";
import { schemasOfMember } from "../../../json-schema/applicable-schemas.ts";
import type { TextChecks } from "../../../json-schema/assertions.ts";
import type { JsonSchema, SchemaObject } from "../../../json-schema/json-schema.ts";
import type { Validate } from "../../../json-schema/schema-validator.ts";
import type { SchemaReferences } from "../../../json-schema/schema-references.ts";

export interface DefaultTools extends Pick<TextChecks, "matches"> {
  readonly references: SchemaReferences;
  readonly validate: Validate;
}

/** The way to a schema. */
interface Way {
  /** Schemas that were applied to the same value: one that leads back to itself has nothing more to say. */
  readonly same: ReadonlySet<unknown>;
  /** Addresses of the documents that were entered, the outermost first. */
  readonly scope: readonly string[];
}

const membersOf = (value: unknown) => Object.entries(isObject(value) ? value : {});

/**
 * Inserts the defaults of a schema into a value, at any depth, but for those that their own schema forbids. Schemas that
 * may not apply (`anyOf`, `oneOf`, `not`, `contains`, `unevaluated…`) have none. Returns what takes them out again;
 * undefined where there were none.
 */
export function fillDefaults(
  value: unknown,
  root: SchemaObject,
  { references, validate, matches }: DefaultTools,
): (() => void) | undefined {
  const undo: (() => void)[] = [];

  function insert(members: Record<string, unknown>, name: string, held: unknown): void {
    // Not an assignment: a name may be __proto__.
    Object.defineProperty(members, name, { value: held, enumerable: true, configurable: true, writable: true });
    undo.push(() => void Reflect.deleteProperty(members, name));
  }

  /** The schemas of a member that the value has. */
  function schemasOf(name: string, schema: SchemaObject): readonly unknown[] {
    const { named, patterned } = schemasOfMember(schema, name);
    const found = [...named, ...patterned.flatMap(([pattern, one]) => (matches(pattern, name) ? [one] : []))];
    return found.length > 0 ? found : [schema["additionalProperties"]];
  }

  function fill(held: unknown, schema: unknown, { same, scope }: Way): void {
    if (!isObject(schema) || same.has(schema)) return;
    const address = references.addressOf(schema);
    const within = scope.at(-1) === address ? scope : [...scope, address];
    const beside = (other: unknown) => fill(held, other, { same: new Set([...same, schema]), scope: within });
    const inside = (inner: unknown, other: unknown) => fill(inner, other, { same: new Set(), scope: within });

    const { $ref, $dynamicRef, allOf, if: condition, properties, prefixItems, items } = schema;
    if (typeof $ref === "string") beside(references.target(schema, $ref));
    if (typeof $dynamicRef === "string") beside(references.dynamicTarget(schema, $dynamicRef, within));
    if (Array.isArray(allOf)) for (const one of allOf) beside(one);
    if (condition !== undefined) beside(schema[validate(held, condition as JsonSchema).length === 0 ? "then" : "else"]);
    if (isObject(held)) {
      for (const [name, member] of membersOf(properties))
        if (!Object.hasOwn(held, name) && isObject(member) && "default" in member)
          if (validate(member["default"], member).length === 0) insert(held, name, structuredClone(member["default"]));
      for (const [name, member] of membersOf(held)) for (const one of schemasOf(name, schema)) inside(member, one);
      for (const [name, needed] of [...membersOf(schema["dependentSchemas"]), ...membersOf(schema["dependencies"])])
        if (Object.hasOwn(held, name)) beside(needed);
    }
    if (Array.isArray(held))
      for (const [at, item] of held.entries())
        inside(item, Array.isArray(prefixItems) && at < prefixItems.length ? prefixItems[at] : items);
  }

  fill(value, root, { same: new Set(), scope: [] });
  if (undo.length === 0) return undefined;
  return () => {
    for (const one of undo.toReversed()) one();
  };
}
