/**
 * Generates a value from a schema. The value is likely, not certain, to be valid: generate-rows.ts checks it and
 * retries.
 */
import { message } from "../../../contract/messages/message.ts";
import type { Faker } from "@faker-js/faker";
import { isObject } from "../../../contract/is-object.ts";
import { typesOf, type JsonSchema, type SchemaObject } from "../../../json-schema/json-schema.ts";
import { mergeSchemas } from "../../../json-schema/merge-schemas.ts";
import { schemaReferences } from "../../../json-schema/schema-references.ts";
import { fitted, generateTextValue } from "./generate-text.ts";
import { SchemaError } from "../schema/schema-error.ts";

/** Schemas may be recursive: below this depth only required members are generated, unless told otherwise. */
const usualOptionalDepth = 4;
const maxDepth = 24;
/** The most items of a list beyond those that it must have, whatever its schema allows. */
const mostMore = 50;
/** The most values in one item, at any depth, and parts of schemas that are merged for them. */
const mostValues = 10_000;

interface Limits {
  readonly minimum?: number;
  readonly maximum?: number;
  readonly exclusiveMinimum?: number;
  readonly exclusiveMaximum?: number;
  readonly multipleOf?: number;
}

/** Generates items of a schema. */
export class ValueGenerator {
  readonly #root: SchemaObject;
  readonly #faker: Faker;
  readonly #references: ReturnType<typeof schemaReferences>;
  readonly #optionalDepth: number;
  /** Counts the values of the current item. */
  #values = 0;

  /** @param optionalDepth below it only required members are generated */
  constructor(root: SchemaObject, faker: Faker, optionalDepth = usualOptionalDepth) {
    this.#root = root;
    this.#faker = faker;
    this.#optionalDepth = optionalDepth;
    this.#references = schemaReferences(root);
  }

  /**
   * Generates an item.
   * @param sparse leaves out some optional members, after a full item turned out to be invalid
   * @param schema within the root
   * @throws SchemaError for one that would be too large
   */
  generate(sparse: boolean, schema: JsonSchema = this.#root): unknown {
    this.#values = 0;
    return this.#value(schema, 0, sparse);
  }

  /** @throws SchemaError when the item becomes too large */
  #count(more: number): void {
    this.#values += more;
    if (this.#values > mostValues)
      throw new SchemaError(message("made.large", { most: mostValues }), ["x-hearth", "generate"]);
  }

  /** Merges the schema's reference, its parts and one of its alternatives into it. @throws SchemaError as `count` */
  #resolved(schema: SchemaObject, depth: number): SchemaObject {
    const { $ref, $dynamicRef, allOf, anyOf, oneOf, ...own } = schema;
    const alternatives = (anyOf ?? oneOf) as JsonSchema[] | undefined;
    const refersToOthers = [$ref, $dynamicRef, allOf, alternatives].some((one) => one !== undefined);
    if (!refersToOthers || depth > maxDepth) return own;
    const parts = [
      ...(typeof $ref === "string" ? [this.#references.target(schema, $ref)] : []),
      ...(typeof $dynamicRef === "string"
        ? [this.#references.dynamicTarget(schema, $dynamicRef, [this.#references.addressOf(this.#root)])]
        : []),
      ...((allOf as JsonSchema[] | undefined) ?? []),
      ...(alternatives ? [this.#faker.helpers.arrayElement(alternatives)] : []),
    ];
    // Several parts that refer to themselves, or on to others, multiply at each depth.
    this.#count(Math.max(parts.length - 1, 0));
    const all = [...parts.filter(isObject).map((part) => this.#resolved(part, depth + 1)), own];
    // Combined as far as possible: the result is checked.
    return all.reduce((one, other) => mergeSchemas(one, other, (_keyword, _one, last) => last));
  }

  #value(unresolved: JsonSchema, depth: number, sparse: boolean): unknown {
    this.#count(1);
    if (!isObject(unresolved)) return this.#faker.lorem.word();
    const schema = this.#resolved(unresolved, depth);
    if ("const" in schema) return structuredClone(schema["const"]);
    if (Array.isArray(schema["enum"]) && schema["enum"].length > 0)
      return structuredClone(this.#faker.helpers.arrayElement(schema["enum"] as unknown[]));
    const type = this.#typeOf(schema);
    if (typeof schema["x-faker"] === "string" && type !== "null") return byName(schema["x-faker"], schema, this.#faker);
    if (type === "null") return null;
    if (type === "boolean") return this.#faker.datatype.boolean();
    if (type === "integer") return integer(schema, this.#faker);
    if (type === "number") return number(schema, this.#faker);
    if (type === "array") return this.#list(schema, depth, sparse);
    if (type === "object") return this.#object(schema, depth, sparse);
    return generateTextValue(schema, this.#faker);
  }

  #object(schema: SchemaObject, depth: number, sparse: boolean): Record<string, unknown> {
    const properties = (schema["properties"] ?? {}) as Record<string, JsonSchema>;
    const required = new Set((schema["required"] ?? []) as string[]);
    const members: [string, unknown][] = [];
    for (const [name, inner] of Object.entries(properties)) {
      const wanted =
        required.has(name) || (inner !== false && depth < this.#optionalDepth && (!sparse || this.#chance(0.6)));
      if (wanted && depth < maxDepth) members.push([name, this.#value(inner, depth + 1, sparse)]);
    }
    const more = (schema["additionalProperties"] ?? true) as JsonSchema;
    for (const name of required)
      if (!Object.hasOwn(properties, name)) members.push([name, this.#value(more, depth + 1, sparse)]);
    const least = (schema["minProperties"] ?? 0) as number;
    while (members.length < least && more !== false)
      members.push([`${this.#faker.lorem.word()}${String(members.length)}`, this.#value(more, depth + 1, sparse)]);
    return Object.fromEntries(members);
  }

  #list(schema: SchemaObject, depth: number, sparse: boolean): unknown[] {
    const {
      prefixItems = [],
      items = true,
      contains,
      minItems,
      maxItems,
      uniqueItems,
      minContains,
    } = schema as {
      prefixItems?: JsonSchema[];
      items?: JsonSchema;
      contains?: JsonSchema;
      minItems?: number;
      maxItems?: number;
      uniqueItems?: boolean;
      minContains?: number;
    };
    const least = minItems ?? (depth < this.#optionalDepth ? 1 : 0);
    if (least > mostValues) this.#count(least);
    const most = Math.max(
      least,
      Math.min(maxItems ?? least + 3, least + mostMore, items === false ? prefixItems.length : Infinity),
    );
    const wanted = Math.min(this.#faker.number.int({ min: least, max: most }), maxItems ?? Infinity);
    const held = contains === undefined ? 0 : (minContains ?? 1);
    const made: unknown[] = [];
    const known = new Set<string>();
    // A repeated item is generated again, a limited number of times; the check decides in the end.
    for (let tries = 0; made.length < Math.max(wanted, held) && tries < wanted * 10 + 10; tries++) {
      const place = prefixItems[made.length] ?? items;
      const schemaOfItem = contains !== undefined && made.length < held ? { allOf: [place, contains] } : place;
      const item = this.#value(schemaOfItem, depth + 1, sparse);
      const written = uniqueItems === true ? JSON.stringify(item) : "";
      if (uniqueItems !== true || !known.has(written)) made.push(item);
      known.add(written);
    }
    return made;
  }

  #chance(share: number): boolean {
    return this.#faker.number.float() < share;
  }

  #typeOf(schema: SchemaObject): string {
    const types = typesOf(schema);
    const something = types.filter((type) => type !== "null");
    if (types.length > something.length && (something.length === 0 || this.#chance(0.1))) return "null";
    if (something.length > 0) return this.#faker.helpers.arrayElement(something);
    if ("properties" in schema || "required" in schema) return "object";
    if ("items" in schema || "prefixItems" in schema) return "array";
    return "minimum" in schema || "maximum" in schema || "multipleOf" in schema ? "number" : "string";
  }
}

function integer(schema: SchemaObject, faker: Faker): number {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf = 1 } = schema as Limits;
  const least = Math.max(Math.ceil(minimum ?? -Infinity), Math.floor((exclusiveMinimum ?? -Infinity) + 1));
  const most = Math.min(Math.floor(maximum ?? Infinity), Math.ceil((exclusiveMaximum ?? Infinity) - 1));
  return multiple(least, most, Math.max(1, multipleOf), faker);
}

function number(schema: SchemaObject, faker: Faker): number {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf } = schema as Limits;
  const least = Math.max(minimum ?? -Infinity, exclusiveMinimum ?? -Infinity);
  const most = Math.min(maximum ?? Infinity, exclusiveMaximum ?? Infinity);
  // Two decimals as in prices, more when the limits are closer together.
  const span = most - least;
  const step = multipleOf ?? (Number.isFinite(span) && span < 1 ? span / 128 : 0.01);
  return multiple(least, most, step, faker);
}

/** A multiple of `step` within the limits. Where one limit is missing, within 1000 steps, or 1000, of the other, or of 0. */
function multiple(least: number, most: number, step: number, faker: Faker): number {
  const reach = 1000 * Math.max(1, step);
  const [from, to] = Number.isFinite(least)
    ? [least, Number.isFinite(most) ? most : least + reach]
    : Number.isFinite(most)
      ? [Math.min(0, most - reach), most]
      : [0, reach];
  const [first, last] = [Math.ceil(from / step), Math.floor(to / step)];
  const times = faker.number.int({ min: Math.min(first, last), max: Math.max(first, last) });
  return Number((times * step).toPrecision(15));
}

/** The result of a faker function such as `person.fullName`, converted to the schema's type. */
function byName(name: string, schema: SchemaObject, faker: Faker): unknown {
  const made = callOf(faker, name)();
  if (made instanceof Date) return schema["format"] === "date" ? made.toISOString().slice(0, 10) : made.toISOString();
  if (typeof made === "bigint") return Number(made);
  if (!typesOf(schema).includes("string")) return made;
  const { minLength = 0, maxLength = Number.MAX_SAFE_INTEGER } = schema as { minLength?: number; maxLength?: number };
  return fitted(String(made), minLength, maxLength, faker);
}

/** @throws Error when faker has no such function */
export function callOf(faker: Faker, name: string): () => unknown {
  const [group = "", method = "", ...rest] = name.split(".");
  const module = Object.hasOwn(faker, group) ? (faker as unknown as Record<string, unknown>)[group] : undefined;
  const call =
    rest.length === 0 &&
    typeof module === "object" &&
    module !== null &&
    /^[a-z]\w*$/.test(method) &&
    method !== "constructor"
      ? (module as Record<string, unknown>)[method]
      : undefined;
  if (typeof call !== "function") throw new SchemaError(message("schema.noFaker", { name }), []);
  return () => (call as () => unknown).call(module);
}
