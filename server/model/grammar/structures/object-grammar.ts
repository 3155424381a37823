/** Objects of a schema: declared members in their order, and others wherever they are let in. */
import { literal } from "../grammar-rules.ts";
import { mostRepetitions } from "../grammar-size.ts";
import { spaceRule } from "../json-rules.ts";
import { isAllowedName, namedSources, otherMembers } from "./object-keys.ts";
import { leastOf, mostOf, pathOfKeyword, schemasIn, type Conjunction } from "../schema-parts.ts";
import { orderedMembers, type Member } from "./ordered-members.ts";
import { inside, type RuleOf, type SchemaPlace, type Source } from "../schema-place.ts";
import { namesOf, objectOf } from "../schema-values.ts";
import { NoValueError, unenforceable } from "../unenforceable.ts";

interface Members {
  /** In their order. */
  readonly declared: readonly Member[];
  /** The rule for one more member, undefined where none is let in. */
  readonly other: string | undefined;
  readonly min: number;
  readonly max: number | undefined;
}

/** Places in an object, and counts at each. */
const mostPlaces = 20_000;

/**
 * A rule for each place: what may follow once some members stand there. Others may repeat a name, so that only the first of
 * them counts as one more.
 */
function countedMembers({ declared, other, min, max }: Members, { rules, path }: SchemaPlace): string {
  const ws = spaceRule(rules);
  const known = new Map<string, string>();
  const required = declared.map(({ isRequired }) => isRequired);
  /** Members that must or can still come, from each place on. */
  const mustFrom = required.map((_, at) => required.slice(at).filter(Boolean).length);

  interface Place {
    readonly at: number;
    /** Members so far, and those of them that are surely different ones. */
    readonly count: number;
    readonly different: number;
    readonly hasOther: boolean;
    /** Whether the member before this place was left out: others stand before it, or not at all. */
    readonly isSkipped: boolean;
  }
  function canEnd({ at, count, different, hasOther, isSkipped }: Place): boolean {
    const left = declared.length - at;
    const isOtherLeft = other !== undefined && !hasOther && (!isSkipped || left > 0);
    const missing = Math.max(mustFrom[at] ?? 0, min - different);
    return different + left + (isOtherLeft ? 1 : 0) >= min && count + missing <= (max ?? Infinity);
  }

  function nameOf(place: Place): string | undefined {
    const { at, count, different, hasOther, isSkipped } = place;
    if (!canEnd(place)) return undefined;
    const counts = max === undefined ? Math.min(count, 1) : count;
    const key = [at, counts, Math.min(different, min), hasOther && min > 0, isSkipped].join();
    const name = known.get(key);
    if (name !== undefined) return name;
    if (known.size >= mostPlaces)
      throw unenforceable(max === undefined ? "minProperties" : "maxProperties", path, "it counts too many members");
    const made = rules.reserve("more");
    known.set(key, made);
    rules.fill(made, bodyOf(place));
    return made;
  }

  function bodyOf(place: Place): string {
    const { at, count, different, hasOther, isSkipped } = place;
    const member = declared[at];
    const before = count === 0 ? "" : `${ws} "," ${ws} `;
    const bodies: string[] = [];
    if (member !== undefined) {
      const next = nameOf({ ...place, at: at + 1, count: count + 1, different: different + 1, isSkipped: false });
      if (next !== undefined) bodies.push(`${before}${literal(member.name)} ${ws} ":" ${ws} ${member.value} ${next}`);
      const skipped = member.isRequired ? undefined : nameOf({ ...place, at: at + 1, isSkipped: true });
      if (skipped !== undefined) bodies.push(skipped);
    } else if (different >= min) bodies.push('""');
    if (other !== undefined && !isSkipped) {
      const more = { ...place, count: count + 1, different: different + (hasOther ? 0 : 1), hasOther: true };
      const next = nameOf(more);
      if (next !== undefined) bodies.push(`${before}${other} ${next}`);
    }
    return bodies.join(" | ");
  }
  const root = nameOf({ at: 0, count: 0, different: 0, hasOther: false, isSkipped: false });
  if (root === undefined)
    throw new NoValueError(max === undefined ? "minProperties" : "maxProperties", path, "no number of members is left");
  return `"{" ${ws} ${root} ${ws} "}"`;
}

/** Keywords that let in members without a name of their own. */
const opening = ["additionalProperties", "patternProperties", "propertyNames"];

/** The body of a rule for the objects of these parts. */
export function objectBody(parts: Conjunction, place: SchemaPlace, ruleOf: RuleOf): string {
  const { rules, path } = place;
  const required = new Set(parts.flatMap(({ schema, path: there }) => namesOf(schema, "required", there)));
  const written = parts.filter(({ isDerived }) => isDerived !== true);
  for (const { schema, path: there } of parts) {
    objectOf(schema, "properties", there);
    objectOf(schema, "patternProperties", there);
  }
  const offered = new Set(written.flatMap(({ schema }) => Object.keys(schemasIn(schema, "properties"))));
  const mentionsOthers = written.some(({ schema }) => opening.some((keyword) => schema[keyword] !== undefined));
  const isFree =
    !written.some(({ schema }) => schema["properties"] !== undefined) &&
    ![...required].some((name) => !isDerivedName(name));
  const isOpen = place.isOpen || mentionsOthers || isFree;
  const mentioned = parts.flatMap(({ schema }) => Object.keys(schemasIn(schema, "properties")));
  const listed = [...new Set([...offered, ...required, ...mentioned])];
  const names = listed.filter((name) => isOpen || required.has(name) || offered.has(name));

  const declared = names.flatMap((name): Member[] => {
    const isRequired = required.has(name);
    const there = inside(place, "properties", name);
    if (!isAllowedName(parts, name, place)) return absent(isRequired, "propertyNames", name);
    const value = valueRule(namedSources(parts, name), there, isRequired);
    if (value === undefined) return [];
    return [{ name: JSON.stringify(name), value, isRequired }];
  });
  const allowsAny =
    place.isOpen || isFree || written.some(({ schema }) => schema["additionalProperties"] !== undefined);
  const others = isOpen ? otherMembers(parts, { listed, isOpen: allowsAny }, place) : [];
  const ws = spaceRule(rules);
  const pairs = others.flatMap(({ key, sources }) => {
    const value = valueRule(sources, inside(place, "additionalProperties"), false);
    return value === undefined ? [] : [`${key} ${ws} ":" ${ws} ${value}`];
  });
  const [min, asked] = [leastOf(parts, "minProperties"), mostOf(parts, "maxProperties")];
  const max = asked === undefined || asked >= names.length + mostRepetitions ? undefined : asked;
  const other = pairs.length === 0 ? undefined : rules.add("other", pairs.join(" | "));
  if (min > (max ?? min))
    throw new NoValueError("minProperties", pathOfKeyword(parts, "minProperties"), "no number is left");
  const most = declared.length + (other === undefined ? 0 : 1);
  if (min > most && other !== undefined && min <= (max ?? min))
    throw unenforceable(
      "minProperties",
      pathOfKeyword(parts, "minProperties"),
      "members that are not declared may repeat a name",
    );
  if (min > 0 || max !== undefined) return countedMembers({ declared, other, min, max }, place);
  return `"{" ${ws} ${orderedMembers(declared, other, place)} ${ws} "}"`;

  function isDerivedName(name: string): boolean {
    return !written.some(({ schema, path: there }) => namesOf(schema, "required", there).includes(name));
  }
  function absent(isRequired: boolean, keyword: string, name: string): [] {
    if (isRequired) throw new NoValueError(keyword, path, `it forbids ${JSON.stringify(name)}, which is required`);
    return [];
  }
  function valueRule(sources: readonly Source[], there: SchemaPlace, isRequired: boolean): string | undefined {
    try {
      return ruleOf(sources, there);
    } catch (error) {
      if (error instanceof NoValueError && !isRequired) return undefined;
      throw error;
    }
  }
}
