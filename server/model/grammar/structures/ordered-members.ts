/** Members of an object in their order, of which nothing is counted: each at most once, others wherever they are let in. */
import { oneOf, oneOfTexts } from "../grammar-rules.ts";
import { spaceRule } from "../json-rules.ts";
import type { SchemaPlace } from "../schema-place.ts";

/** A declared member: its name as JSON writes it, and the rule for its value. */
export interface Member {
  readonly name: string;
  readonly value: string;
  readonly isRequired: boolean;
}

/**
 * The rules between the braces. The engine tries all that may come next, for every token: the members of a range stand
 * in one rule, where what their names begin with stands once, and every range is put together from a few of such rules
 * (those of 2, 4, 8 … members).
 */
export function orderedMembers(declared: readonly Member[], other: string | undefined, { rules }: SchemaPlace): string {
  const ws = spaceRule(rules);
  const comma = `${ws} "," ${ws} `;
  /** The rule at each place once an earlier member has come: the next one needs a comma. */
  const more: string[] = Array.from({ length: declared.length + 1 }, () => rules.reserve("more"));
  const afterName = new Map(
    declared.map(({ name, value }, at) => [
      name,
      rules.add("member", `${ws} ":" ${ws} ${value} ${more[at + 1] ?? ""}`),
    ]),
  );
  const ranges = new Map<string, string>();

  function rangeRule(from: number, length: number): string {
    const key = `${String(from)} ${String(length)}`;
    const known = ranges.get(key);
    if (known !== undefined) return known;
    const names = declared.slice(from, from + length).map(({ name }) => name);
    const made = rules.add(
      "one",
      oneOfTexts(names, (name) => afterName.get(name) ?? ""),
    );
    ranges.set(key, made);
    return made;
  }
  /** Rules for one of the members of a range: each of a power of two of them that begins at a multiple of that. */
  function inRange(from: number, to: number): string[] {
    const found: string[] = [];
    for (let at = from; at < to;) {
      let length = 1;
      while (at % (2 * length) === 0 && at + 2 * length <= to) length *= 2;
      found.push(rangeRule(at, length));
      at += length;
    }
    return found;
  }
  /** The rule from this place on, up to the required member at `stop`, if there is one. */
  function body(at: number, stop: number, before: string): string {
    const next = inRange(at, Math.min(stop + 1, declared.length));
    if (other !== undefined) next.push(`${other} ${more[at] ?? ""}`);
    const end = stop === declared.length ? ['""'] : [];
    return [...end, ...(next.length === 0 ? [] : [`${before}${oneOf(next)}`])].join(" | ");
  }
  let stop = declared.length;
  for (const [at, name] of [...more.entries()].toReversed()) {
    if (declared[at]?.isRequired === true) stop = at;
    rules.fill(name, body(at, stop, comma));
  }
  return rules.add("members", body(0, stop, ""));
}
