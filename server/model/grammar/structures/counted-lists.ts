/** Lists that count more than their length: values that come at most once, items of which some must be of a kind. */
import { oneOfTexts } from "../grammar-rules.ts";
import { spaceRule } from "../json-rules.ts";
import type { SchemaPlace } from "../schema-place.ts";
import { NoValueError, unenforceable } from "../unenforceable.ts";

/** Several values, each at most once: in any order where they are few, else in the order of the list. */
const mostInAnyOrder = 7;

/** Values at most once each, between `min` and `max` of them. */
export function onceEach(
  values: readonly unknown[],
  [min, max]: readonly [number, number],
  { rules }: SchemaPlace,
): string {
  const ws = spaceRule(rules);
  const texts = values.map((value) => JSON.stringify(value));
  const isAnyOrder = texts.length <= mostInAnyOrder;
  const known = new Map<string, string>();
  /** The rule for the rest of a list: `left` are still missing, and `count` items are there. */
  function more(left: readonly string[], count: number): string {
    const end = count >= min ? ['""'] : [];
    if (count >= max || left.length === 0) return end[0] ?? "";
    const key = `${String(count)} ${left.map((text) => texts.indexOf(text)).join()}`;
    const name = known.get(key) ?? rules.reserve("once");
    if (known.has(key)) return name;
    known.set(key, name);
    const bodies = left.flatMap((text, at) => {
      const others = isAnyOrder ? left.filter((other) => other !== text) : left.slice(at + 1);
      if (count + 1 + others.length < min) return [];
      return [`${count > 0 ? `${ws} "," ${ws} ` : ""}${oneOfTexts([text])} ${more(others, count + 1)}`];
    });
    rules.fill(name, [...end, ...bodies].join(" | "));
    return name;
  }
  return `"[" ${ws} ${more(texts, 0)} ${ws} "]"`;
}

/** Lengths and counts that are told apart. */
const mostCounts = 4000;

/** Items of a kind, of which a list has `least` to `most`. */
interface Wanted {
  readonly least: number;
  readonly most: number | undefined;
}
/** Items that count for some of the kinds, by their numbers; all of them are items of the list. */
interface Kind {
  readonly rule: string;
  readonly countsFor: readonly number[];
}

/**
 * A list of `min` to `max` items, with so many of each kind that is wanted.
 * @throws OllamaError 400
 */
export function containing(
  wanted: readonly Wanted[],
  kinds: readonly Kind[],
  { min, max }: { min: number; max: number | undefined },
  { rules, path }: SchemaPlace,
): string {
  const ws = spaceRule(rules);
  const lengths = max ?? Math.max(min, 1);
  const counts = wanted.reduce((product, { least, most }) => product * ((most ?? least) + 1), lengths + 1);
  if (counts * kinds.length > mostCounts * 2) throw unenforceable("contains", path, "it counts too many items");

  interface Place {
    readonly length: number;
    readonly found: readonly number[];
  }
  const keyOf = ({ length, found }: Place) => [length, ...found].join();
  const isEnd = ({ length, found }: Place) =>
    length >= min && wanted.every(({ least }, at) => (found[at] ?? 0) >= least);

  /** The place after one more item; undefined when that is one too many. */
  function next({ length, found }: Place, { countsFor }: Kind): Place | undefined {
    if (max !== undefined && length >= max) return undefined;
    const counted = found.map((count, at) => (countsFor.includes(at) ? count + 1 : count));
    if (wanted.some(({ most }, at) => (counted[at] ?? 0) > (most ?? Infinity))) return undefined;
    return {
      length: Math.min(length + 1, lengths),
      found: counted.map((count, at) => Math.min(count, wanted[at]?.most ?? wanted[at]?.least ?? 0)),
    };
  }
  const possible = new Map<string, boolean>();
  /** Whether a list can end from here on. */
  function canEnd(place: Place): boolean {
    const key = keyOf(place);
    const known = possible.get(key);
    if (known !== undefined) return known;
    // One that leads back here has nothing more to say.
    possible.set(key, isEnd(place));
    const can =
      isEnd(place) ||
      kinds.some((kind) => {
        const then = next(place, kind);
        return then !== undefined && canEnd(then);
      });
    possible.set(key, can);
    return can;
  }
  const named = new Map<string, string>();
  function more(place: Place): string {
    const key = keyOf(place);
    const known = named.get(key);
    if (known !== undefined) return known;
    const name = rules.reserve("items");
    named.set(key, name);
    const before = place.length === 0 ? "" : `${ws} "," ${ws} `;
    const bodies = kinds.flatMap((kind) => {
      const then = next(place, kind);
      return then === undefined || !canEnd(then) ? [] : [`${before}${kind.rule} ${more(then)}`];
    });
    rules.fill(name, [...(isEnd(place) ? ['""'] : []), ...bodies].join(" | "));
    return name;
  }
  const start = { length: 0, found: wanted.map(() => 0) };
  if (!canEnd(start)) throw new NoValueError("contains", path, "no list is left");
  return `"[" ${ws} ${more(start)} ${ws} "]"`;
}
