/** Arrays of a schema: places of their own, the items behind them, and what must be among those. */
import { canonical } from "../../../json-schema/assertions.ts";
import { containing, onceEach } from "./counted-lists.ts";
import { expandSchema } from "../expand-schema.ts";
import { times } from "../grammar-rules.ts";
import { mostRepetitions } from "../grammar-size.ts";
import { listBody, spaceRule } from "../json-rules.ts";
import { listedIn } from "../listed-values.ts";
import {
  leastOf,
  mostOf,
  pathOfKeyword,
  typesOfParts,
  valuesOf,
  type Conjunction,
  type SchemaPart,
} from "../schema-parts.ts";
import { inside, type RuleOf, type SchemaPlace, type Source } from "../schema-place.ts";
import { listOf } from "../schema-values.ts";
import { NoValueError, unenforceable } from "../unenforceable.ts";

/** Places with schemas of their own, and what follows them; undefined where the schema does not say. */
interface Items {
  readonly first: readonly unknown[];
  readonly rest: unknown;
  readonly path: string;
}

function itemsOf({ schema, path }: SchemaPart): Items {
  const { items, additionalItems } = schema;
  const prefix = listOf(schema, "prefixItems", path);
  if (prefix !== undefined) return { first: prefix, rest: items, path: `${path}/prefixItems` };
  // Old drafts: a list of schemas, and another one for the rest.
  if (Array.isArray(items)) return { first: items as unknown[], rest: additionalItems, path: `${path}/items` };
  return { first: [], rest: items, path };
}

const itemAt = (all: readonly Items[], at: number): Source[] =>
  all.flatMap(({ first, rest, path }) =>
    at < first.length
      ? [{ schema: first[at], path: `${path}/${String(at)}` }]
      : rest === undefined
        ? []
        : [{ schema: rest, path: first.length > 0 ? path : `${path}/items` }],
  );

/** The values of items that can be listed; undefined where there are too many to say. */
function valuesIn(sources: readonly Source[], { references }: SchemaPlace): readonly unknown[] | undefined {
  const lists = expandSchema(sources, references).map((parts) => {
    const listed = listedIn(parts, references);
    if (listed !== undefined) return listed;
    const types = typesOfParts(parts);
    if (parts.some(({ excludes }) => excludes !== undefined)) return undefined;
    if (parts.length === 0 || types.some((type) => type !== "boolean" && type !== "null")) return undefined;
    return types.flatMap((type) => (type === "null" ? [null] : [true, false]));
  });
  if (lists.some((list) => list === undefined)) return undefined;
  return [...new Map(lists.flatMap((list) => list ?? []).map((value) => [canonical(value), value])).values()];
}

/** Items with one of another kind among them. */
interface Wanted {
  readonly schema: unknown;
  readonly least: number;
  readonly most: number | undefined;
  readonly path: string;
}

/** More make too many kinds of items. */
const mostWanted = 3;

function wantedIn(parts: Conjunction): Wanted[] {
  const all = valuesOf(parts, "contains").map(({ value, part: { schema, path } }) => {
    const [least, most] = [schema["minContains"] ?? 1, schema["maxContains"]];
    if (!Number.isInteger(least) || (most !== undefined && !Number.isInteger(most)))
      throw unenforceable("contains", path, "its counts must be whole numbers");
    return { schema: value, least: least as number, most: most as number | undefined, path: `${path}/contains` };
  });
  const asking = all.filter(({ least, most }) => least > 0 || most !== undefined);
  const last = asking[mostWanted];
  if (last !== undefined)
    throw unenforceable("contains", last.path, `only ${String(mostWanted)} times for the same array`);
  return asking;
}

/** The rule for items, or undefined where no value satisfies their schemas. */
function ruleIfAny(sources: readonly Source[], place: SchemaPlace, ruleOf: RuleOf): string | undefined {
  try {
    return ruleOf(sources, place);
  } catch (error) {
    if (error instanceof NoValueError) return undefined;
    throw error;
  }
}

/** Items with places of their own, from the first on; then any number of the rest. */
function tupleBody(
  first: readonly string[],
  { rest, min, max }: { rest: string | undefined; min: number; max: number | undefined },
  { rules }: SchemaPlace,
): string {
  const ws = spaceRule(rules);
  const most = Math.max(0, (max ?? mostRepetitions) - first.length);
  let follows = "";
  if (rest !== undefined && most > 0) {
    const next = rules.add("next", `${ws} "," ${ws} ${rest}`);
    follows = ` ${rules.add("more", times(next, Math.max(0, min - first.length), max === undefined ? undefined : most))}`;
  }
  for (const [at, item] of [...first.entries()].toReversed()) {
    const one = `${at === 0 ? "" : `${ws} "," ${ws} `}${item}${follows}`;
    follows = ` ${rules.add("item", at < min ? one : `(${one})?`)}`;
  }
  return `"["  ${ws}${follows} ${ws} "]"`;
}

/** The body of a rule for the arrays of these parts. */
export function arrayBody(parts: Conjunction, place: SchemaPlace, ruleOf: RuleOf): string {
  const { rules, path } = place;
  const all = parts.map(itemsOf);
  const wanted = wantedIn(parts);
  const length = Math.max(...all.map(({ first }) => first.length));
  const allowsMore = length === 0 || place.isOpen || all.some(({ rest }) => rest !== undefined);
  const asked = mostOf(parts, "maxItems");
  const hasLeast = parts.some(({ schema }) => schema["minItems"] !== undefined);
  const asking = leastOf(parts, "minItems");
  if (asking > mostRepetitions)
    throw unenforceable(
      "minItems",
      pathOfKeyword(parts, "minItems"),
      `at most ${String(mostRepetitions)} items can be counted`,
    );
  let most = asked === undefined ? undefined : Math.min(asked, mostRepetitions);

  const first: string[] = [];
  for (let at = 0; at < Math.min(length, most ?? length); at++) {
    const rule = ruleIfAny(itemAt(all, at), inside(place, "prefixItems", at), ruleOf);
    if (rule === undefined) break;
    first.push(rule);
  }
  // Small models stop early: a tuple is whole, unless the schema says otherwise.
  const least = hasLeast || place.isOpen ? asking : first.length;
  const isWhole = first.length === Math.min(length, most ?? length);
  const items = itemAt(all, length);
  const there = inside(place, "items");
  const rest = isWhole && allowsMore && most !== length ? ruleIfAny(items, there, ruleOf) : undefined;
  if (rest === undefined) most = Math.min(first.length, most ?? first.length);
  if (least > (most ?? least))
    throw new NoValueError(
      asked === undefined ? "minItems" : "maxItems",
      pathOfKeyword(parts, "minItems"),
      "no list is left",
    );

  if (valuesOf(parts, "uniqueItems").some(({ value }) => value === true) && (most ?? 2) > 1) {
    const values = first.length > 0 ? undefined : valuesIn(items, there);
    if (values === undefined || wanted.length > 0)
      throw unenforceable(
        "uniqueItems",
        pathOfKeyword(parts, "uniqueItems"),
        "uniqueness requires items that can be listed",
      );
    if (values.length < least) throw new NoValueError("uniqueItems", path, "there are too few values");
    return onceEach(values, [least, Math.min(values.length, most ?? values.length)], place);
  }
  const [one] = wanted;
  if (one === undefined)
    return first.length === 0 && rest !== undefined
      ? `"[" ${listBody(rules, rest, least, most)} "]"`
      : tupleBody(first, { rest, min: least, max: most }, place);
  if (length > 0) throw unenforceable("contains", one.path, "together with items at fixed positions");
  return wantedBody(wanted, { items, least, most }, there, ruleOf);
}

function wantedBody(
  wanted: readonly Wanted[],
  { items, least, most }: { items: readonly Source[]; least: number; most: number | undefined },
  place: SchemaPlace,
  ruleOf: RuleOf,
): string {
  /** Items that satisfy those schemas; none of the others that are counted to their most. */
  function kindFor(countsFor: readonly number[]) {
    const asked = wanted.flatMap(({ schema, path, most: limit }, at): Source[] => {
      if (countsFor.includes(at)) return [{ schema, path }];
      return limit === undefined ? [] : [{ schema: { not: schema }, path }];
    });
    const rule = ruleIfAny([...items, ...asked], place, ruleOf);
    return rule === undefined ? [] : [{ rule, countsFor }];
  }
  const kinds = subsetsOf(wanted.length).flatMap(kindFor);
  return containing(wanted, kinds, { min: least, max: most }, place);
}

/** All subsets of the numbers below `count`. */
const subsetsOf = (count: number): number[][] =>
  Array.from({ length: count }, (_, at) => at).reduce<number[][]>(
    (subsets, at) => [...subsets, ...subsets.map((subset) => [...subset, at])],
    [[]],
  );
