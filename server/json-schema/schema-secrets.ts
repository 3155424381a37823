/**
 * Removes the members that a schema marks `"writeOnly": true`, at any depth and in any branch of the schema, and
 * restores them in items that are sent back without them. In doubt it removes too much (spec: Generic REST conventions
 * 2).
 */
import { isObject } from "../contract/is-object.ts";
import { createForeignPattern } from "../foreign/foreign-pattern.ts";
import { OutOfTimeError } from "../foreign/within-deadline.ts";
import { applicable, schemasOfItem, schemasOfMember } from "./applicable-schemas.ts";
import { propertiesOf, visitSchemas, type SchemaObject } from "./json-schema.ts";
import { schemaReferences, type SchemaReferences } from "./schema-references.ts";

/** Known names were tested with the same patterns, within the deadline. */
const patternDeadlineMs = 50;

/** A name counts as matching when the pattern exceeds its time. */
function hasName(pattern: string, name: string): boolean {
  try {
    return createForeignPattern(pattern, "u").test(name, patternDeadlineMs);
  } catch (error) {
    if (error instanceof OutOfTimeError) return true;
    throw error;
  }
}

function ofMember(schema: SchemaObject, name: string): unknown[] {
  const { named, patterned, others } = schemasOfMember(schema, name);
  return [...named, ...patterned.flatMap(([pattern, one]) => (hasName(pattern, name) ? [one] : [])), ...others];
}
function ofItem(schema: SchemaObject): unknown[] {
  const { first, others } = schemasOfItem(schema);
  return [...first, ...others];
}

const isSecret = (schemas: readonly SchemaObject[]) => schemas.some(({ writeOnly }) => writeOnly === true);

function hidden(references: SchemaReferences, value: unknown, schemas: readonly SchemaObject[]): unknown {
  if (Array.isArray(value)) {
    const inside = applicable(references, schemas.flatMap(ofItem));
    return isSecret(inside) ? [] : value.map((item) => hidden(references, item, inside));
  }
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, member]) => {
      const inside = applicable(
        references,
        schemas.flatMap((schema) => ofMember(schema, name)),
      );
      return isSecret(inside) ? [] : [[name, hidden(references, member, inside)]];
    }),
  );
}

/**
 * The index of the stored item for each item of a list: the item with the same text, or, in a list of the same length,
 * the item at the same place.
 */
function counterparts(shownBefore: readonly unknown[], after: readonly unknown[]): (number | undefined)[] {
  const places = Map.groupBy(shownBefore.keys(), (index) => JSON.stringify(shownBefore[index]));
  const same = after.map((item) => places.get(JSON.stringify(item))?.shift());
  const taken = new Set(same);
  const isMove = shownBefore.length !== after.length;
  return same.map((index, place) => index ?? (isMove || taken.has(place) ? undefined : place));
}

/** `after` with the secrets of `before` that it lacks. */
function restored(
  references: SchemaReferences,
  before: unknown,
  after: unknown,
  schemas: readonly SchemaObject[],
): unknown {
  if (Array.isArray(before) && Array.isArray(after)) {
    const inside = applicable(references, schemas.flatMap(ofItem));
    if (isSecret(inside)) return after.length === 0 ? before : after;
    const pairs = counterparts(hidden(references, before, schemas) as unknown[], after);
    return after.map((item, place): unknown => {
      const index = pairs[place];
      return index === undefined ? item : restored(references, before[index], item, inside);
    });
  }
  if (!isObject(before) || !isObject(after)) return after;
  const result: Record<string, unknown> = { ...after };
  for (const [name, member] of Object.entries(before)) {
    const inside = applicable(
      references,
      schemas.flatMap((schema) => ofMember(schema, name)),
    );
    if (Object.hasOwn(after, name)) result[name] = restored(references, member, after[name], inside);
    else if (isSecret(inside)) result[name] = member;
  }
  return result;
}

type Fields = Readonly<Record<string, unknown>>;

export interface Secrets {
  /** Names of secret members, at any depth, and of members that contain secrets with unknown names. */
  readonly names: readonly string[];
  /** Whether the item itself has secrets with unknown names. */
  readonly hasUnnamed: boolean;
  /** The item without its secrets. */
  readonly hide: (item: Fields) => Fields;
  /** The item with copies of those secrets of its older form that it lacks. */
  readonly putBack: (before: Fields, item: Fields) => Fields;
}

/** The names of the members that are or contain secrets; undefined means the item itself. */
function holdersOf(references: SchemaReferences, root: SchemaObject): ReadonlySet<string | undefined> {
  const found = new Set<string | undefined>();
  const seen = new Map<SchemaObject, Set<string | undefined>>();
  const open: [schema: unknown, holder: string | undefined][] = [[root, undefined]];
  for (const [inner, holder] of open)
    for (const schema of applicable(references, [inner])) {
      const holders = seen.get(schema) ?? new Set();
      if (holders.has(holder)) continue;
      seen.set(schema, holders.add(holder));
      if (isSecret([schema])) found.add(holder);
      for (const [name, one] of Object.entries(propertiesOf(schema))) open.push([one, name]);
      const { patterned, others } = schemasOfMember(schema, "");
      for (const one of [...patterned.map(([, one]) => one), ...others, ...ofItem(schema)]) open.push([one, holder]);
    }
  return found;
}

/** The secrets of items of this schema; undefined when it has none. */
export function secretsOf(root: SchemaObject): Secrets | undefined {
  let any = false;
  visitSchemas(root, ({ writeOnly }) => (any ||= writeOnly === true));
  if (!any) return undefined;
  const references = schemaReferences(root);
  const schemas = applicable(references, [root]);
  const holders = holdersOf(references, root);
  return {
    names: [...holders].filter((name) => name !== undefined),
    hasUnnamed: holders.has(undefined),
    hide: (item) => hidden(references, item, schemas) as Fields,
    putBack: (before, item) => restored(references, structuredClone(before), item, schemas) as Fields,
  };
}

/** Names of the item's own secret members. */
export function secretMembers(root: SchemaObject, names: readonly string[]): string[] {
  const references = schemaReferences(root);
  const schemas = applicable(references, [root]);
  return names.filter((name) =>
    isSecret(
      applicable(
        references,
        schemas.flatMap((schema) => ofMember(schema, name)),
      ),
    ),
  );
}
