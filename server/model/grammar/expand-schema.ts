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

/** The engine is slow with a grammar of more alternatives. */
const mostAlternatives = 2000;

/** Each schema of a `oneOf` is compared with every other one. */
const mostOneOf = 500;

/** Each schema is read anew wherever it is referred to. */
const stepsOfSchema = 10;

interface Step extends Source {
  /** Schemas whose values are those of this one: none of them can be a part of itself. */
  readonly same: ReadonlySet<unknown>;
  readonly isDerived: boolean;
}

type Alternatives = readonly Conjunction[];

/** One alternative without a condition: every value satisfies it. */
const anyValue: Alternatives = [[]];

/** The combining keywords that the expansion reads itself, in this order. */
const expanded = [
  ...referring,
  ...(["allOf", "anyOf", "oneOf", "not", "if", "dependencies", "dependentRequired", "dependentSchemas"] as const),
];

const combining: readonly string[] = [...expanded, "then", "else", "unevaluatedProperties", "unevaluatedItems"];
const hasAssertions = (schema: SchemaObject) => Object.keys(schema).some((keyword) => !annotations.has(keyword));

/** The schemas of `anyOf` or `oneOf`. */
function schemasOf(schema: SchemaObject, keyword: string, path: string): readonly unknown[] {
  const list = listOf(schema, keyword, path) ?? [];
  if (list.length === 0) throw unenforceable(keyword, path, "it must be a list of schemas");
  return list;
}

/** One expansion. It remembers negations, and the first schema that no value satisfies. */
class SchemaExpansion {
  readonly #references: SchemaReferences;
  readonly #negated = new WeakMap<SchemaObject, ReturnType<typeof negationsOf>>();
  /** The reason when no alternative is left. */
  #unsatisfiable: NoValueError | undefined;

  constructor(references: SchemaReferences) {
    this.#references = references;
  }

  expandAll(sources: readonly Source[]): Alternatives {
    const found = this.#allOf(sources.map((source) => ({ ...source, same: new Set(), isDerived: false })));
    if (found.length > 0) return found;
    throw this.#unsatisfiable ?? new NoValueError("anyOf", sources[0]?.path ?? "#", "no value is left");
  }

  #none(keyword: string, path: string, why: string): [] {
    this.#unsatisfiable ??= new NoValueError(keyword, path, why);
    return [];
  }

  #both(some: Alternatives, others: Alternatives, path: string): Alternatives {
    if (some.length === 1 && some[0]?.length === 0) return others;
    if (others.length === 1 && others[0]?.length === 0) return some;
    const most = some.length * others.length;
    if (most > mostAlternatives && some.length > 1 && others.length > 1)
      throw unenforceable("anyOf", path, `its parts can be combined in more than ${String(mostAlternatives)} ways`);
    spend(10 * most);
    const pairs = some.flatMap((one) => others.map((other) => [...one, ...other]));
    const possible = pairs.filter((parts) => typesOfParts(parts).length > 0);
    return possible.length === 0 && most > 0 ? this.#none("type", path, "no value has all of these types") : possible;
  }

  #allOf(steps: readonly Step[]): Alternatives {
    return steps.reduce((found, step) => this.#both(found, this.#expand(step), step.path), anyValue);
  }

  #expand(step: Step): Alternatives {
    const { schema, path, same } = step;
    if (schema === true) return anyValue;
    if (schema === false) return this.#none("false", path, "no value satisfies it");
    if (!isObject(schema)) throw unenforceable(path.slice(path.lastIndexOf("/") + 1), path, "it is no schema");
    spend(stepsOfSchema + same.size);
    if (same.has(schema)) throw unenforceable("$ref", path, "it refers to itself");
    if (schema["$recursiveRef"] !== undefined) throw unenforceable("$recursiveRef", path);
    const within = { ...step, same: new Set([...same, schema]) };
    const plain = withoutKeywords(schema, ...combining);
    let found = anyValue;
    if (hasAssertions(plain)) {
      found = [[{ schema: plain, path, ...(step.isDerived && { isDerived: true }) }]];
      if (typesOfParts(found[0] ?? []).length === 0) return this.#none("type", path, "no value is left");
    }
    for (const keyword of expanded)
      if (schema[keyword] !== undefined) found = this.#both(found, this.#expandKeyword(keyword, schema, within), path);
    return closeUnevaluated(found, schema, path);
  }

  #expandKeyword(keyword: (typeof expanded)[number], schema: SchemaObject, step: Step): Alternatives {
    const { path } = step;
    const stepTo = (one: unknown, at: number): Step => ({
      ...step,
      schema: one,
      path: `${path}/${keyword}/${String(at)}`,
    });
    switch (keyword) {
      case "$ref":
      case "$dynamicRef": {
        const target = referenceTarget(this.#references, schema, path, keyword);
        return this.#expand({ ...step, schema: target, path: String(schema[keyword]) });
      }
      case "allOf":
        return this.#allOf((listOf(schema, keyword, path) ?? []).map(stepTo));
      case "anyOf":
        return schemasOf(schema, keyword, path).flatMap((one, at) => this.#expand(stepTo(one, at)));
      case "oneOf":
        return this.#exactlyOne(schemasOf(schema, keyword, path), step);
      case "not":
        return this.#negate(schema["not"], { ...step, path: `${path}/not` });
      case "if":
        return this.#conditional(schema, step);
      case "dependencies":
      case "dependentRequired":
      case "dependentSchemas":
        return this.#dependent(objectOf(schema, keyword, path) ?? {}, keyword, step);
    }
  }

  #exactlyOne(schemas: readonly unknown[], step: Step): Alternatives {
    if (schemas.length > mostOneOf)
      throw unenforceable("oneOf", step.path, `it has more than ${String(mostOneOf)} schemas; use anyOf`);
    const targets = schemas.map((one) =>
      isObject(one) && one["$ref"] !== undefined ? referenceTarget(this.#references, one, step.path) : one,
    );
    return schemas.flatMap((one, at) => {
      const apart = targets.map((other, place) =>
        place === at ? "always" : areDisjoint(targets[at], other, this.#references),
      );
      const path = (index: number) => `${step.path}/oneOf/${String(index)}`;
      const derived = (schema: unknown, index: number): Step[] => [
        { ...step, schema, path: path(index), isDerived: true },
      ];
      return this.#allOf([
        { ...step, schema: one, path: path(at) },
        ...(apart.includes("objects") ? derived({ type: "object" }, at) : []),
        ...targets.flatMap((other, index) => (apart[index] === "no" ? derived({ not: other }, index) : [])),
      ]);
    });
  }

  /** The values that do not satisfy the schema. */
  #negate(schema: unknown, step: Step): Alternatives {
    const { path } = step;
    if (schema === false) return anyValue;
    if (schema === true) return this.#none("not", path, "it excludes every value");
    if (!isObject(schema)) throw unenforceable("not", path, "it is no schema");
    const derived: Step = { ...step, isDerived: true };
    const rest = withoutKeywords(schema, "$ref");
    const target = schema["$ref"] === undefined ? [] : this.#negateTarget(schema, derived);
    const { alternatives, undecided } = this.#negated.get(schema) ?? negationsOf(rest);
    this.#negated.set(schema, { alternatives, undecided });
    const negations = alternatives.flatMap((one) => this.#expandNegation(one, derived));
    // Values that are listed can be judged, whatever they must not be.
    if (negations.length === 0 && target.length === 0 && undecided[0] !== undefined)
      return [[{ schema: {}, excludes: rest, undecided: undecided[0], path, isDerived: true }]];
    if (target.length + negations.length > 0) return [...target, ...negations];
    return this.#none("not", path, "it excludes every value");
  }

  /** The values that do not satisfy the target of the schema's reference. */
  #negateTarget(schema: SchemaObject, step: Step): Alternatives {
    const target = referenceTarget(this.#references, schema, step.path);
    if (step.same.has(schema)) throw unenforceable("$ref", step.path, "it refers to itself");
    return this.#negate(target, { ...step, same: new Set([...step.same, schema]) });
  }

  #expandNegation({ schema, excludes }: Negation, step: Step): Alternatives {
    if (excludes === undefined) return this.#expand({ ...step, schema });
    return [[{ schema, excludes, path: step.path, isDerived: true }]];
  }

  #conditional({ if: condition, then: holds = true, else: fails = true }: SchemaObject, step: Step): Alternatives {
    const part = (name: string, one: unknown): Step => ({ ...step, schema: one, path: `${step.path}/${name}` });
    if (holds === true && fails === true) return anyValue;
    return [
      ...this.#allOf([part("if", condition), part("then", holds)]),
      ...this.#allOf([{ ...part("if", { not: condition }), isDerived: true }, part("else", fails)]),
    ];
  }

  /** For each member that others depend on: it is absent, or they hold. */
  #dependent(members: SchemaObject, keyword: string, step: Step): Alternatives {
    return Object.entries(members).reduce((found, [name, needed]) => {
      const path = `${step.path}/${keyword}/${name}`;
      const needs = Array.isArray(needed) ? { required: namesOf({ [name]: needed }, name, path) } : needed;
      const absent = { properties: { [name]: false } };
      const alternatives = [
        ...this.#expand({ ...step, schema: absent, path, isDerived: true }),
        ...this.#allOf([
          { ...step, schema: { type: "object", required: [name] }, path, isDerived: true },
          { ...step, schema: needs, path, isDerived: Array.isArray(needed) },
        ]),
      ];
      return this.#both(found, alternatives, path);
    }, anyValue);
  }
}

/** @throws NoValueError where no value satisfies all of the sources; OllamaError 400 */
export const expandSchema = (sources: readonly Source[], references: SchemaReferences): readonly Conjunction[] =>
  new SchemaExpansion(references).expandAll(sources);
