/** Generates items from a schema. Imported only when a schema asks for them, because faker's data is large. */
import { message, type Message, type Text } from "../../../contract/messages/message.ts";
import { setImmediate } from "node:timers/promises";
import type { Faker } from "@faker-js/faker";
import { faker as english } from "@faker-js/faker/locale/en";
import { ownMember } from "../../../json-schema/own-member.ts";
import { visitSchemas, type SchemaObject } from "../../../json-schema/json-schema.ts";
import type { CompiledSchema } from "../schema/compile-schema.ts";
import { callOf, ValueGenerator } from "./generate-value.ts";
import { SchemaError } from "../schema/schema-error.ts";

const triesPerItem = 200;
/** Generating thousands takes seconds, so it yields to requests. */
const turnMs = 20;

interface Wanted {
  readonly count: number;
  /** The same seed gives the same items. */
  readonly seed: number;
  /** Fields whose value no two items may share, including the given items. */
  readonly unique: readonly string[];
  readonly existing: readonly Readonly<Record<string, unknown>>[];
  /** A field that is false in every item, because items without an owner cannot be private. */
  readonly privateField: string | undefined;
}

/**
 * A separate instance of faker, because the library's shared one has a shared seed. Only the main entry exports the
 * class; it contains all languages.
 */
export function createFaker(seed: number): Faker {
  const FakerOfEnglish = english.constructor as typeof Faker;
  const faker = new FakerOfEnglish({ locale: english.rawDefinitions, seed });
  faker.setDefaultRefDate("2026-01-01T00:00:00.000Z");
  return faker;
}

/**
 * Items that are all valid.
 * @throws SchemaError when faker lacks a function, an item would be too large, or too many attempts in a row are
 * invalid
 */
export async function generateRows(
  schema: SchemaObject,
  check: CompiledSchema,
  { count, seed, unique, existing, privateField }: Wanted,
): Promise<Record<string, unknown>[]> {
  const faker = createFaker(seed);
  visitSchemas(schema, ({ "x-faker": name }, path) => {
    if (name === undefined) return;
    if (typeof name !== "string") throw new SchemaError(message("schema.fakerName"), [...path, "x-faker"]);
    try {
      callOf(faker, name);
    } catch (error) {
      throw error instanceof SchemaError ? new SchemaError(error.text, [...path, "x-faker"]) : error;
    }
  });
  const values = new ValueGenerator(schema, faker);
  const used = unique.map((field) => new Set(existing.map((item) => ownMember(item, field))));

  /** The problem of an item, in words; undefined for a valid one. */
  function problemOf(item: Record<string, unknown>): Message | undefined {
    const [problem] = check(item);
    if (problem) return message("made.problem", { field: problem.path.join("."), problem: problem.message });
    const taken = unique.find((field, index) => Object.hasOwn(item, field) && used[index]?.has(item[field]) === true);
    return taken === undefined ? undefined : message("made.unique", { field: taken });
  }

  let turnBegan = performance.now();
  async function letOthersRun(): Promise<void> {
    if (performance.now() - turnBegan < turnMs) return;
    await setImmediate();
    turnBegan = performance.now();
  }

  async function next(): Promise<Record<string, unknown>> {
    let reason: Text = "";
    for (let tries = 0; tries < triesPerItem; tries++) {
      await letOthersRun();
      const item = values.generate(tries % 4 === 3) as Record<string, unknown>;
      if (privateField !== undefined) item[privateField] = false;
      const wrong = problemOf(item);
      if (wrong === undefined) {
        unique.forEach((field, index) => used[index]?.add(ownMember(item, field)));
        return item;
      }
      reason = wrong;
    }
    throw new SchemaError(message("made.none", { reason }), ["x-hearth", "generate"]);
  }

  const items: Record<string, unknown>[] = [];
  while (items.length < count) items.push(await next());
  return items;
}
