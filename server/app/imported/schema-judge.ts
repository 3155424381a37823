/** Judges values by the schemas of a document. */
import { isObject } from "../../contract/is-object.ts";
import { foreignDeadlineMs } from "../../foreign/foreign-limits.ts";
import { OutOfTimeError, withinDeadline } from "../../foreign/within-deadline.ts";
import { hasFormat } from "../../json-schema/formats.ts";
import { ownTypesOf, type JsonSchema, type SchemaObject } from "../../json-schema/json-schema.ts";
import type { Problem } from "../../json-schema/outcome.ts";
import { isInvalid } from "../../json-schema/predicates.ts";
import { schemaReferences } from "../../json-schema/schema-references.ts";
import { schemaValidator } from "../../json-schema/schema-validator.ts";
import { partOf } from "./read-document.ts";

const maxSteps = 12;

export type SchemaJudge = ReturnType<typeof createJudge>;

/** A pattern that JavaScript cannot read refuses nothing. */
function createMatches() {
  const compiled = new Map<string, RegExp | undefined>();
  return (source: string, text: string): boolean => {
    if (!compiled.has(source)) compiled.set(source, readPattern(source));
    return compiled.get(source)?.test(text) ?? true;
  };
}

function readPattern(source: string): RegExp | undefined {
  for (const flags of ["u", ""])
    try {
      return new RegExp(source, flags);
    } catch {
      continue;
    }
  return undefined;
}

/** @param document with modern schemas */
export function createJudge(document: SchemaObject) {
  const references = schemaReferences(document);
  const validate = schemaValidator(document, references, { matches: createMatches(), hasFormat });

  function problemsOf(value: unknown, schema: JsonSchema): readonly Problem[] {
    try {
      return withinDeadline(foreignDeadlineMs, () => validate(value, schema));
    } catch (error) {
      if (error instanceof OutOfTimeError || error instanceof RangeError) return [{ path: [], message: isInvalid }];
      throw error;
    }
  }

  /** All schemas that may say something about a value: through references, and in all branches. */
  function branches(schema: unknown, steps = 0): SchemaObject[] {
    const found = partOf(document, schema);
    if (steps > maxSteps) return [found];
    const inner = [found["allOf"], found["anyOf"], found["oneOf"]].flatMap((list) =>
      Array.isArray(list) ? (list as unknown[]) : [],
    );
    return [found, ...inner.flatMap((one) => branches(one, steps + 1))];
  }

  return {
    document,
    problemsOf,
    typesOf: (schema: unknown) => branches(schema).flatMap(ownTypesOf),
    itemsOf: (schema: unknown): unknown => branches(schema).find(({ items }) => items !== undefined)?.["items"] ?? {},
    memberOf(schema: unknown, name: string): unknown {
      const all = branches(schema);
      const holder = all.find(({ properties }) => isObject(properties) && Object.hasOwn(properties, name));
      if (holder) return (holder["properties"] as SchemaObject)[name];
      return all.find(({ additionalProperties }) => isObject(additionalProperties))?.["additionalProperties"] ?? {};
    },
  };
}
