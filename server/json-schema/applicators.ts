/** Keywords that apply schemas: to members and items of a value, or to the value itself. */
import { isObject } from "../contract/is-object.ts";
import { message } from "../contract/messages/message.ts";
import type { TextChecks } from "./assertions.ts";
import type { JsonSchema, SchemaObject } from "./json-schema.ts";
import { addProblem, fail, isRight, take, takeIfValid, type SchemaOutcome } from "./outcome.ts";
import { fitsNone, isNotGiven, isUnknown, mustHave, wrongName } from "./predicates.ts";

/** Judges a value by a schema. */
export type Apply = (value: unknown, schema: JsonSchema) => SchemaOutcome;
/** Adds the outcome of a keyword for a value. */
export type SchemaStep = (value: unknown, outcome: SchemaOutcome, apply: Apply) => void;
type Applicator = (argument: never, schema: SchemaObject, checks: TextChecks) => SchemaStep;
type Schemas = Readonly<Record<string, JsonSchema>>;

const ofMembers =
  (step: (members: Readonly<Record<string, unknown>>, outcome: SchemaOutcome, apply: Apply) => void): SchemaStep =>
  (value, outcome, apply) => {
    if (isObject(value)) step(value, outcome, apply);
  };
const ofItems =
  (step: (items: readonly unknown[], outcome: SchemaOutcome, apply: Apply) => void): SchemaStep =>
  (value, outcome, apply) => {
    if (Array.isArray(value)) step(value, outcome, apply);
  };

/** Judges a member or an item. */
function judge(outcome: SchemaOutcome, at: string | number, inner: SchemaOutcome): void {
  outcome.evaluated?.add(at);
  for (const problem of inner.problems) addProblem(outcome, problem, String(at));
}

const unknownField = { path: [], message: isUnknown };

/** Members without a schema by name or pattern. */
function others(
  outcome: SchemaOutcome,
  names: readonly string[],
  schema: JsonSchema,
  one: (name: string) => SchemaOutcome,
): void {
  for (const name of names) {
    if (schema === false) addProblem(outcome, unknownField, name);
    else judge(outcome, name, one(name));
  }
}

const itemsFrom =
  (schema: JsonSchema, isOther: (at: number, outcome: SchemaOutcome) => boolean): SchemaStep =>
  (value, outcome, apply) => {
    if (!Array.isArray(value)) return;
    const rest = [...value.keys()].filter((at) => isOther(at, outcome));
    if (schema === false && rest[0] !== undefined) fail(outcome, mustHave("most", rest[0], "item"));
    else for (const at of rest) judge(outcome, at, apply(value[at], schema));
  };

function containing(schema: JsonSchema, { minContains = 1, maxContains }: SchemaObject): SchemaStep {
  const [least, most] = [minContains as number, maxContains as number | undefined];
  return ofItems((items, outcome, apply) => {
    const found = items.flatMap((item, at) => (isRight(apply(item, schema)) ? [at] : []));
    for (const at of found) outcome.evaluated?.add(at);
    if (found.length >= least && found.length <= (most ?? Infinity)) return;
    fail(outcome, fitsNone);
  });
}

/** Requirements for other members, if a member is present. */
const dependent = (dependencies: Readonly<Record<string, JsonSchema | readonly string[]>>): SchemaStep =>
  ofMembers((members, outcome, apply) => {
    for (const [name, needed] of Object.entries(dependencies)) {
      if (!Object.hasOwn(members, name)) continue;
      if (!Array.isArray(needed)) take(outcome, apply(members, needed as JsonSchema));
      else if (!needed.every((other: string) => Object.hasOwn(members, other)))
        fail(outcome, message("is.dependent", { needed: needed as string[], name }));
    }
  });

const conditional =
  (condition: JsonSchema, { then: holds = true, else: fails = true }: SchemaObject): SchemaStep =>
  (value, outcome, apply) => {
    const judged = apply(value, condition);
    takeIfValid(outcome, judged);
    const inner = apply(value, (isRight(judged) ? holds : fails) as JsonSchema);
    take(outcome, inner);
    if (!isRight(inner)) fail(outcome, fitsNone);
  };

/** One or more of the schemas, or exactly one. */
const someOf =
  (keyword: "anyOf" | "oneOf") =>
  (schemas: readonly JsonSchema[]): SchemaStep =>
  (value, outcome, apply) => {
    const judged = schemas.map((schema) => apply(value, schema));
    const right = judged.filter(isRight);
    for (const one of right) takeIfValid(outcome, one);
    if (keyword === "anyOf" ? right.length > 0 : right.length === 1) return;
    for (const one of judged) take(outcome, one);
    fail(outcome, fitsNone);
  };

/** In the order in which they are applied. */
export const applicators: ReadonlyMap<string, Applicator> = new Map<string, Applicator>(
  Object.entries({
    required: (names: readonly string[]): SchemaStep =>
      ofMembers((members, outcome) => {
        for (const name of names)
          if (!Object.hasOwn(members, name)) addProblem(outcome, { path: [], message: isNotGiven }, name);
      }),
    properties: (schemas: Schemas): SchemaStep =>
      ofMembers((members, outcome, apply) => {
        for (const [name, schema] of Object.entries(schemas))
          if (Object.hasOwn(members, name)) judge(outcome, name, apply(members[name], schema));
      }),
    patternProperties: (schemas: Schemas, _schema: SchemaObject, { matches }: TextChecks): SchemaStep =>
      ofMembers((members, outcome, apply) => {
        for (const [pattern, schema] of Object.entries(schemas))
          for (const [name, member] of Object.entries(members))
            if (matches(pattern, name)) judge(outcome, name, apply(member, schema));
      }),
    additionalProperties: (
      schema: JsonSchema,
      { properties, patternProperties }: SchemaObject,
      { matches }: TextChecks,
    ): SchemaStep => {
      const named = new Set(Object.keys(properties ?? {}));
      const patterns = Object.keys(patternProperties ?? {});
      return ofMembers((members, outcome, apply) => {
        const names = Object.keys(members).filter(
          (name) => !named.has(name) && !patterns.some((pattern) => matches(pattern, name)),
        );
        others(outcome, names, schema, (name) => apply(members[name], schema));
      });
    },
    propertyNames: (schema: JsonSchema): SchemaStep =>
      ofMembers((members, outcome, apply) => {
        for (const name of Object.keys(members)) {
          const inner = apply(name, schema);
          for (const problem of inner.problems) addProblem(outcome, problem);
          if (!isRight(inner)) fail(outcome, wrongName);
        }
      }),
    dependentRequired: dependent,
    dependentSchemas: dependent,
    dependencies: dependent,
    prefixItems: (schemas: readonly JsonSchema[]): SchemaStep =>
      ofItems((items, outcome, apply) => {
        for (const [at, schema] of schemas.slice(0, items.length).entries())
          judge(outcome, at, apply(items[at], schema));
      }),
    items: (schema: JsonSchema, { prefixItems = [] }: SchemaObject): SchemaStep =>
      itemsFrom(schema, (at) => at >= (prefixItems as readonly unknown[]).length),
    contains: containing,
    allOf:
      (schemas: readonly JsonSchema[]): SchemaStep =>
      (value, outcome, apply) => {
        for (const schema of schemas) take(outcome, apply(value, schema));
      },
    anyOf: someOf("anyOf"),
    oneOf: someOf("oneOf"),
    not:
      (schema: JsonSchema): SchemaStep =>
      (value, outcome, apply) => {
        if (isRight(apply(value, schema))) fail(outcome, fitsNone);
      },
    if: conditional,
    unevaluatedProperties: (schema: JsonSchema): SchemaStep =>
      ofMembers((members, outcome, apply) => {
        const names = Object.keys(members).filter((name) => outcome.evaluated?.has(name) !== true);
        others(outcome, names, schema, (name) => apply(members[name], schema));
      }),
    unevaluatedItems: (schema: JsonSchema): SchemaStep =>
      itemsFrom(schema, (at, { evaluated }) => evaluated?.has(at) !== true),
  } satisfies Record<string, Applicator>),
);
