/** Judges values by JSON Schema, draft 2020-12. */
import { applicators, type Apply, type SchemaStep } from "./applicators.ts";
import { assertions, type TextChecks } from "./assertions.ts";
import type { JsonSchema, SchemaObject } from "./json-schema.ts";
import { fail, take, type SchemaOutcome, type Problem } from "./outcome.ts";
import { isNotAllowed } from "./predicates.ts";
import type { SchemaReferences } from "./schema-references.ts";

/** Addresses of the documents that were entered, the outermost first. */
type Scope = readonly string[];
type ScopedStep = (value: unknown, outcome: SchemaOutcome, scope: Scope) => void;

/** Returns the problems of a value; none if it satisfies the schema. Default: the root schema. */
export type Validate = (value: unknown, schema?: JsonSchema) => readonly Problem[];

/**
 * All references must lead to a schema. @throws RangeError for a schema that refers to itself endlessly for the same
 * value
 */
export function schemaValidator(root: JsonSchema, references: SchemaReferences, checks: TextChecks): Validate {
  const read = new WeakMap<SchemaObject, readonly ScopedStep[]>();
  const written = JSON.stringify(root);
  const isNoted = written.includes('"unevaluated');
  /**
   * Recursive branches would judge the content of a value again, twice as often at each level, so outcomes are cached.
   * The target of a dynamic reference depends on the path, so those are not.
   */
  const isKept = written.includes('"$ref"') && !written.includes('"$dynamicRef"');
  let kept = new WeakMap<object, Map<JsonSchema, SchemaOutcome>>();

  const applyIn =
    (scope: Scope): Apply =>
    (value, schema) =>
      evaluate(value, schema, scope);
  const scoped =
    (step: SchemaStep): ScopedStep =>
    (value, outcome, scope) =>
      step(value, outcome, applyIn(scope));

  function stepsOf(schema: SchemaObject): readonly ScopedStep[] {
    const read = <Read>(readers: ReadonlyMap<string, Read>) =>
      [...readers].flatMap(([keyword, reader]) =>
        Object.hasOwn(schema, keyword) ? [{ reader, argument: schema[keyword] as never }] : [],
      );
    const { $ref, $dynamicRef } = schema;
    return [
      ...(typeof $ref === "string"
        ? [scoped((value, outcome, apply) => take(outcome, apply(value, leadTo($ref))))]
        : []),
      ...(typeof $dynamicRef === "string"
        ? [
            (value: unknown, outcome: SchemaOutcome, scope: Scope) =>
              take(outcome, evaluate(value, references.dynamicTarget(schema, $dynamicRef, scope) as JsonSchema, scope)),
          ]
        : []),
      ...read(assertions).map(({ reader, argument }): ScopedStep => {
        const problemOf = reader(argument, schema, checks);
        return (value, outcome) => {
          const message = problemOf(value);
          if (message !== undefined) fail(outcome, message);
        };
      }),
      ...read(applicators).map(({ reader, argument }) => scoped(reader(argument, schema, checks))),
    ];

    function leadTo(reference: string): JsonSchema {
      return references.target(schema, reference) as JsonSchema;
    }
  }

  function evaluate(value: unknown, schema: JsonSchema, scope: Scope): SchemaOutcome {
    if (!isKept || typeof value !== "object" || value === null) return judged(value, schema, scope);
    const bySchema = kept.get(value) ?? new Map<JsonSchema, SchemaOutcome>();
    kept.set(value, bySchema);
    const outcome = bySchema.get(schema) ?? judged(value, schema, scope);
    bySchema.set(schema, outcome);
    return outcome;
  }
  function judged(value: unknown, schema: JsonSchema, scope: Scope): SchemaOutcome {
    const outcome: SchemaOutcome = { problems: [], evaluated: isNoted ? new Set() : undefined };
    if (schema === true) return outcome;
    if (schema === false) {
      fail(outcome, isNotAllowed);
      return outcome;
    }
    const address = references.addressOf(schema);
    const within = scope.at(-1) === address ? scope : [...scope, address];
    let steps = read.get(schema);
    if (steps === undefined) read.set(schema, (steps = stepsOf(schema)));
    for (const step of steps) step(value, outcome, within);
    return outcome;
  }
  return (value, schema = root) => {
    kept = new WeakMap();
    return evaluate(value, schema, []).problems;
  };
}
