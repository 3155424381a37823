/**
 * Alternatives of a schema: every way in which its combining keywords (`allOf`, `anyOf`, `oneOf`, `not`, `if`, references,
 * dependencies) can be satisfied, each as parts that hold together.
 */
import { isObject } from "../../contract/is-object.ts";
import { annotations, withoutKeywords, type SchemaObject } from "../../json-schema/json-schema.ts";
import type { SchemaReferences } from "../../json-schema/schema-references.ts";
import { areDisjoint } from "./disjoint-schemas.ts";
import { negationsOf, type Negation } from "./negate-schema.ts";
import { referenceTarget, referring } from "./reference-target.ts";
import type { Source } from "./schema-place.ts";
import { typesOfParts, type Conjunction } from "./schema-parts.ts";
import { listOf, namesOf, objectOf } from "./schema-values.ts";
import { closeUnevaluated } from "./unevaluated.ts";
import { NoValueError, unenforceable } from "./unenforceable.ts";
import { spend } from "./work-budget.ts";

/** More make a grammar that the engine is slow with. */
const mostAlternatives = 2000;

/** Each is compared with every other one. */
const mostOneOf = 500;

/** Each is read anew wherever it is referred to. */
const stepsOfSchema = 10;

interface Step extends Source {
  /** Schemas whose values are those of this one: none of them can be a part of itself. */
  readonly same: ReadonlySet<unknown>;
  readonly isDerived: boolean;
}

const combining: ReadonlySet<string> = new Set([
  ...["$ref", "$dynamicRef", "allOf", "anyOf", "oneOf", "not", "if", "then", "else"],
  ...["dependencies", "dependentRequired", "dependentSchemas", "unevaluatedProperties", "unevaluatedItems"],
]);
const says = (schema: SchemaObject) => Object.keys(schema).some((keyword) => !annotations.has(keyword));

export function expandSchema(sources: readonly Source[], references: SchemaReferences): readonly Conjunction[] {
  /** The first schema that no value satisfies: why nothing may be left. */
  let empty: NoValueError | undefined;
  const negated = new WeakMap<SchemaObject, ReturnType<typeof negationsOf>>();

  function none(keyword: string, path: string, why: string): [] {
    empty ??= new NoValueError(keyword, path, why);
    return [];
  }
  function both(some: readonly Conjunction[], others: readonly Conjunction[], path: string): readonly Conjunction[] {
    if (some.length === 1 && some[0]?.length === 0) return others;
    if (others.length === 1 && others[0]?.length === 0) return some;
    const most = some.length * others.length;
    if (most > mostAlternatives && some.length > 1 && others.length > 1)
      throw unenforceable("anyOf", path, `its parts can be combined in more than ${String(mostAlternatives)} ways`);
    spend(10 * most);
    const pairs = some.flatMap((one) => others.map((other) => [...one, ...other]));
    const possible = pairs.filter((parts) => typesOfParts(parts).length > 0);
    return possible.length === 0 && most > 0 ? none("type", path, "no value has all of these types") : possible;
  }
  const allOf = (steps: readonly Step[]) =>
    steps.reduce<readonly Conjunction[]>((found, step) => both(found, expand(step), step.path), [[]]);

  function expand(step: Step): readonly Conjunction[] {
    const { schema, path, same } = step;
    if (schema === true) return [[]];
    if (schema === false) return none("false", path, "no value satisfies it");
    if (!isObject(schema)) throw unenforceable(path.slice(path.lastIndexOf("/") + 1), path, "it is no schema");
    spend(stepsOfSchema + same.size);
    if (same.has(schema)) throw unenforceable("$ref", path, "it refers to itself");
    if (schema["$recursiveRef"] !== undefined) throw unenforceable("$recursiveRef", path);
    const within = { ...step, same: new Set([...same, schema]) };
    const plain = withoutKeywords(schema, ...combining);
    let found: readonly Conjunction[] = [[]];
    if (says(plain)) {
      found = [[{ schema: plain, path, ...(step.isDerived && { isDerived: true }) }]];
      if (typesOfParts(found[0] ?? []).length === 0) return none("type", path, "no value is left");
    }
    for (const [keyword, read] of readers)
      if (schema[keyword] !== undefined) found = both(found, read(schema, within), path);
    return closeUnevaluated(found, schema, path);
  }

  function exactlyOne(schemas: readonly unknown[], step: Step): readonly Conjunction[] {
    if (schemas.length > mostOneOf)
      throw unenforceable("oneOf", step.path, `it has more than ${String(mostOneOf)} schemas; use anyOf`);
    const targets = schemas.map((one) =>
      isObject(one) && one["$ref"] !== undefined ? referenceTarget(references, one, step.path) : one,
    );
    return schemas.flatMap((one, at) => {
      const apart = targets.map((other, place) =>
        place === at ? "always" : areDisjoint(targets[at], other, references),
      );
      const path = (index: number) => `${step.path}/oneOf/${String(index)}`;
      const derived = (schema: unknown, index: number): Step[] => [
        { ...step, schema, path: path(index), isDerived: true },
      ];
      return allOf([
        { ...step, schema: one, path: path(at) },
        ...(apart.includes("objects") ? derived({ type: "object" }, at) : []),
        ...targets.flatMap((other, index) => (apart[index] === "no" ? derived({ not: other }, index) : [])),
      ]);
    });
  }

  function notThis(schema: unknown, step: Step): readonly Conjunction[] {
    const { path } = step;
    if (schema === false) return [[]];
    if (schema === true) return none("not", path, "it excludes every value");
    if (!isObject(schema)) throw unenforceable("not", path, "it is no schema");
    const derived: Step = { ...step, isDerived: true };
    const rest = withoutKeywords(schema, "$ref");
    const target =
      schema["$ref"] === undefined
        ? []
        : notTarget(referenceTarget(references, schema, path), { ...derived, path }, schema);
    const { alternatives, untold } = negated.get(schema) ?? negationsOf(rest);
    negated.set(schema, { alternatives, untold });
    const told = alternatives.flatMap((one) => notEither(one, derived));
    // Values that are listed can be judged, whatever they must not be.
    if (told.length === 0 && target.length === 0 && untold[0] !== undefined)
      return [[{ schema: {}, excludes: rest, untold: untold[0], path, isDerived: true }]];
    return target.length + told.length === 0 ? none("not", path, "it excludes every value") : [...target, ...told];
  }
  function notTarget(target: unknown, step: Step, from: SchemaObject): readonly Conjunction[] {
    if (step.same.has(from)) throw unenforceable("$ref", step.path, "it refers to itself");
    return notThis(target, { ...step, same: new Set([...step.same, from]) });
  }
  function notEither({ schema, excludes }: Negation, step: Step): readonly Conjunction[] {
    if (excludes === undefined) return expand({ ...step, schema });
    return [[{ schema, excludes, path: step.path, isDerived: true }]];
  }

  /** For each member that others depend on: it is not there, or they hold. */
  function dependent(members: SchemaObject, keyword: string, step: Step): readonly Conjunction[] {
    return Object.entries(members).reduce<readonly Conjunction[]>(
      (found, [name, needed]) => {
        const path = `${step.path}/${keyword}/${name}`;
        const needs = Array.isArray(needed) ? { required: namesOf({ [name]: needed }, name, path) } : needed;
        const absent = { properties: { [name]: false } };
        return both(
          found,
          [
            ...expand({ ...step, schema: absent, path, isDerived: true }),
            ...allOf([
              { ...step, schema: { type: "object", required: [name] }, path, isDerived: true },
              { ...step, schema: needs, path, isDerived: Array.isArray(needed) },
            ]),
          ],
          path,
        );
      },
      [[]],
    );
  }

  type Reader = (schema: SchemaObject, step: Step) => readonly Conjunction[];
  const dependencies =
    (keyword: string): Reader =>
    (schema, step) =>
      dependent(objectOf(schema, keyword, step.path) ?? {}, keyword, step);
  const schemasOf = (schema: SchemaObject, keyword: string, path: string) => {
    const list = listOf(schema, keyword, path) ?? [];
    if (list.length === 0) throw unenforceable(keyword, path, "it must be a list of schemas");
    return list;
  };
  const readers = new Map<string, Reader>([
    ...referring.map((keyword): [string, Reader] => [
      keyword,
      (schema, step) =>
        expand({
          ...step,
          schema: referenceTarget(references, schema, step.path, keyword),
          path: String(schema[keyword]),
        }),
    ]),
    [
      "allOf",
      (schema, step) =>
        allOf(
          (listOf(schema, "allOf", step.path) ?? []).map((one, at) => ({
            ...step,
            schema: one,
            path: `${step.path}/allOf/${String(at)}`,
          })),
        ),
    ],
    [
      "anyOf",
      (schema, step) =>
        schemasOf(schema, "anyOf", step.path).flatMap((one, at) =>
          expand({ ...step, schema: one, path: `${step.path}/anyOf/${String(at)}` }),
        ),
    ],
    ["oneOf", (schema, step) => exactlyOne(schemasOf(schema, "oneOf", step.path), step)],
    ["not", (schema, step) => notThis(schema["not"], { ...step, path: `${step.path}/not` })],
    [
      "if",
      (schema, step) => {
        const { if: condition, then: holds = true, else: fails = true } = schema;
        const part = (name: string, one: unknown): Step => ({ ...step, schema: one, path: `${step.path}/${name}` });
        if (holds === true && fails === true) return [[]];
        return [
          ...allOf([part("if", condition), part("then", holds)]),
          ...allOf([{ ...part("if", { not: condition }), isDerived: true }, part("else", fails)]),
        ];
      },
    ],
    ["dependencies", dependencies("dependencies")],
    ["dependentRequired", dependencies("dependentRequired")],
    ["dependentSchemas", dependencies("dependentSchemas")],
  ]);

  const found = allOf(sources.map((source) => ({ ...source, same: new Set(), isDerived: false })));
  if (found.length === 0) throw empty ?? new NoValueError("anyOf", sources[0]?.path ?? "#", "no value is left");
  return found;
}
