/** Generates one value of a schema within a document. Imported only where one is needed, because faker's data is large. */
import type { JsonSchema, SchemaObject } from "../../../json-schema/json-schema.ts";
import { SchemaError } from "../schema/schema-error.ts";
import { createFaker } from "./generate-rows.ts";
import { ValueGenerator } from "./generate-value.ts";

/** How deep optional members are generated. A value that is too large, or invalid, is tried with fewer. */
const optionalDepths = [3, 2, 1, 0];
const triesPerDepth = 25;

/** The same value for the same schema; undefined where no valid one was found. */
export function generateExample(
  document: SchemaObject,
  schema: JsonSchema,
  isValid: (value: unknown) => boolean,
): { readonly value: unknown } | undefined {
  const faker = createFaker(1);
  for (const depth of optionalDepths) {
    const values = new ValueGenerator(document, faker, depth);
    for (let tries = 0; tries < triesPerDepth; tries++)
      try {
        const value = values.generate(tries % 4 === 3, schema);
        if (isValid(value)) return { value };
      } catch (error) {
        if (!(error instanceof SchemaError)) throw error;
        break;
      }
  }
  return undefined;
}
