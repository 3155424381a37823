/** Whether a value satisfies a schema: which of the values that a schema lists are left by what stands beside them. */
import { isObject } from "../../contract/is-object.ts";
import { canonical, typeOf } from "../../json-schema/assertions.ts";
import type { SchemaObject } from "../../json-schema/json-schema.ts";
import type { SchemaReferences } from "../../json-schema/schema-references.ts";
import { isMultiple } from "./numbers/decimal.ts";
import { referenceTarget, referring } from "./reference-target.ts";
import { listedTexts, schemasIn } from "./schema-parts.ts";
import { takes } from "./text/automaton.ts";
import { formatAutomaton, patternOf } from "./text/known-automata.ts";
import { enforced, unenforceable } from "./unenforceable.ts";
import { spend } from "./work-budget.ts";

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
const isSet = (value: unknown): value is number => typeof value === "number";

type Judge = (value: unknown, schema: unknown) => boolean;
type Check<Value> = (value: Value, schema: SchemaObject, judge: Judge) => boolean;

const isOfType: Check<unknown> = (value, { type }) =>
  type === undefined ||
  [type].flat().some((one) => one === typeOf(value) || (one === "integer" && Number.isInteger(value)));

const checkNumber: Check<number> = (value, schema) => {
  const { minimum, maximum, exclusiveMinimum: above, exclusiveMaximum: below, multipleOf } = schema;
  return (
    !(isSet(minimum) && (value < minimum || (above === true && value === minimum))) &&
    !(isSet(maximum) && (value > maximum || (below === true && value === maximum))) &&
    !(isSet(above) && value <= above) &&
    !(isSet(below) && value >= below) &&
    !(isSet(multipleOf) && !isMultiple(value, multipleOf))
  );
};

const isCounted = (count: number, least: unknown, most: unknown) =>
  !(isSet(least) && count < least) && !(isSet(most) && count > most);

const checkText: Check<string> = (text, { minLength, maxLength, pattern, format }) => {
  const known = formatAutomaton(format);
  return (
    isCounted(Array.from(text).length, minLength, maxLength) &&
    (typeof pattern !== "string" || takes(patternOf(pattern), text)) &&
    (known === undefined || takes(known, text))
  );
};

const checkList: Check<readonly unknown[]> = (list, schema, judge) => {
  const { items, prefixItems, additionalItems, contains, minContains = 1, maxContains, minItems, maxItems } = schema;
  const first = listOf(prefixItems ?? items);
  const rest = prefixItems === undefined && Array.isArray(items) ? additionalItems : items;
  const found = contains === undefined ? 1 : list.filter((item) => judge(item, contains)).length;
  return (
    isCounted(list.length, minItems, maxItems) &&
    list.every((item, at) => judge(item, at < first.length ? first[at] : (rest ?? true))) &&
    (contains === undefined || isCounted(found, minContains, maxContains)) &&
    (schema["uniqueItems"] !== true || new Set(list.map(canonical)).size === list.length)
  );
};

const checkMembers: Check<SchemaObject> = (members, schema, judge) => {
  const names = Object.keys(members);
  const declared = schemasIn(schema, "properties");
  const patterns = Object.entries(schemasIn(schema, "patternProperties"));
  const { additionalProperties: others = true, propertyNames = true } = schema;
  return (
    isCounted(names.length, schema["minProperties"], schema["maxProperties"]) &&
    listOf(schema["required"]).every((name) => Object.hasOwn(members, String(name))) &&
    names.every((name) => {
      const matching = patterns.filter(([pattern]) => takes(patternOf(pattern), name)).map(([, one]) => one);
      const asked = [...(Object.hasOwn(declared, name) ? [declared[name]] : []), ...matching];
      return (
        judge(name, propertyNames) && (asked.length > 0 ? asked : [others]).every((one) => judge(members[name], one))
      );
    })
  );
};

function checkDependencies(members: SchemaObject, schema: SchemaObject, judge: Judge): boolean {
  const all = ["dependencies", "dependentRequired", "dependentSchemas"].flatMap((keyword) =>
    Object.entries(schemasIn(schema, keyword)),
  );
  return all.every(
    ([name, needed]) =>
      !Object.hasOwn(members, name) || judge(members, Array.isArray(needed) ? { required: needed } : needed),
  );
}

const combining: Check<unknown> = (value, schema, judge) => {
  const { allOf, anyOf, oneOf, not = false, if: condition, then: holds = true, else: fails = true } = schema;
  return (
    listOf(allOf).every((one) => judge(value, one)) &&
    (anyOf === undefined || listOf(anyOf).some((one) => judge(value, one))) &&
    (oneOf === undefined || listOf(oneOf).filter((one) => judge(value, one)).length === 1) &&
    !judge(value, not) &&
    (condition === undefined || judge(value, judge(value, condition) ? holds : fails))
  );
};

/** References within one value; deeper ones lead in a circle. */
const deepest = 500;

/** How many things a list or an object holds. */
const widthOf = (value: unknown) =>
  Array.isArray(value) ? value.length : isObject(value) ? Object.keys(value).length : 0;
/** Steps to look at a value, apart from what is in it. Listed values are looked up. */
const costOf = (value: unknown, schema: SchemaObject) =>
  Object.entries(schema).reduce(
    (sum, [keyword, argument]) => sum + (keyword === "enum" ? 1 : 1 + widthOf(argument)),
    2 + widthOf(value) * (1 + widthOf(schema["patternProperties"])),
  );

/** @throws OllamaError 400 for a schema that cannot be enforced */
export function satisfies(value: unknown, schema: unknown, references: SchemaReferences, path: string): boolean {
  let depth = 0;
  function judge(inner: unknown, asked: unknown): boolean {
    if (typeof asked === "boolean") return asked;
    if (!isObject(asked)) throw unenforceable("enum", path, "a keyword next to it is not a schema");
    if (asked["unevaluatedProperties"] !== undefined || asked["unevaluatedItems"] !== undefined)
      throw unenforceable("enum", path, "together with unevaluated members or items");
    if (depth >= deepest) throw unenforceable("$ref", path, "it refers to itself");
    spend(costOf(inner, asked));
    depth++;
    const isRight =
      isOfType(inner, asked, judge) &&
      (listedTexts(asked)?.has(canonical(inner)) ?? true) &&
      (typeof inner !== "number" || checkNumber(inner, asked, judge)) &&
      (typeof inner !== "string" || checkText(inner, asked, judge)) &&
      (!Array.isArray(inner) || checkList(inner as unknown[], asked, judge)) &&
      (!isObject(inner) || (checkMembers(inner, asked, judge) && checkDependencies(inner, asked, judge))) &&
      combining(inner, asked, judge) &&
      referring.every(
        (keyword) => asked[keyword] === undefined || judge(inner, referenceTarget(references, asked, path, keyword)),
      );
    depth--;
    return isRight;
  }
  return enforced("pattern", path, () => judge(value, schema));
}
