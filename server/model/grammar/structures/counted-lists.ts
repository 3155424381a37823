/** Lists that count more than their length: values that come at most once, items of which some must be of a kind. */
import { oneOfTexts } from "../grammar-rules.ts";
import { spaceRule } from "../json-rules.ts";
import type { SchemaPlace } from "../schema-place.ts";
import { unenforceable } from "../unenforceable.ts";

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
  /** What may follow when these are left and so many stand there. */
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

interface Counts {
  readonly min: number;
  readonly max: number | undefined;
  /** Of the wanted ones. */
  readonly least: number;
  readonly most: number | undefined;
}

/** A list of `min` to `max` items, of which `least` to `most` are wanted ones. @throws OllamaError 400 */
export function containing(
  { wanted, other }: { wanted: string; other: string },
  { min, max, least, most }: Counts,
  { rules, path }: SchemaPlace,
): string {
  const ws = spaceRule(rules);
  const [lengths, founds] = [max ?? Math.max(min, 1), most ?? least];
  if ((lengths + 1) * (founds + 1) > mostCounts) throw unenforceable("contains", path, "it counts too many items");
  const known = new Map<string, string>();
  /** What may follow so many items, of which so many were wanted. */
  function more(length: number, found: number): string {
    const key = [length, found].join();
    const name = known.get(key) ?? rules.reserve("items");
    if (known.has(key)) return name;
    known.set(key, name);
    const isFull = max !== undefined && length >= max;
    const next = max === undefined ? Math.min(length + 1, lengths) : length + 1;
    const counted = most === undefined ? Math.min(found + 1, founds) : found + 1;
    const mayBeOther = max === undefined || max - length > least - found;
    const before = length === 0 ? "" : `${ws} "," ${ws} `;
    const bodies = [
      ...(length >= min && found >= least ? ['""'] : []),
      ...(isFull || counted > founds ? [] : [`${before}${wanted} ${more(next, counted)}`]),
      ...(isFull || !mayBeOther ? [] : [`${before}${other} ${more(next, found)}`]),
    ];
    rules.fill(name, bodies.join(" | "));
    return name;
  }
  return `"[" ${ws} ${more(0, 0)} ${ws} "]"`;
}
