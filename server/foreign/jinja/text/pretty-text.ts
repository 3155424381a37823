import { sortedBy } from "../values/compare.ts";
import { reprOf } from "../values/represent.ts";
import { Dict, isList, Tuple, type Rendering, type Value } from "../values/value.ts";

/** The longest line, as Python's `pprint` has it. */
const longest = 80;

/** The value as Python's `pprint` writes it: with sorted keys, and over several lines if one is too long. */
export const prettyText = (value: Value, run: Rendering): string => pretty(sorted(value), 0, 0, run);

/** The value with the keys of its mappings in order, where they have one. */
function sorted(value: Value): Value {
  if (isList(value)) return value.map(sorted);
  if (value instanceof Tuple) return new Tuple(value.items.map(sorted));
  if (!(value instanceof Dict)) return value;
  const entries = [...value.entries()].map(([key, each]) => new Tuple([key, sorted(each)]));
  return new Dict(
    sortedBy(entries, (pair) => (pair as Tuple).items[0] as Value).map(
      (pair) => (pair as Tuple).items as readonly [Value, Value],
    ),
  );
}

/** `indent`: the column of the opening bracket. `behind`: how many brackets follow on the last line. */
function pretty(value: Value, indent: number, behind: number, run: Rendering): string {
  const line = reprOf(value, run.mostCharacters);
  if (line.length <= longest - indent - behind) return line;
  const listed = (opening: string, items: readonly Value[], closing: string) => {
    const texts = items.map((item, at) => pretty(item, indent + 1, at === items.length - 1 ? behind + 1 : 1, run));
    return opening + texts.join(`,\n${" ".repeat(indent + 1)}`) + closing;
  };
  if (isList(value)) return listed("[", value, "]");
  if (value instanceof Tuple) return listed("(", value.items, value.items.length === 1 ? ",)" : ")");
  if (!(value instanceof Dict)) return line;
  const entries = [...value.entries()];
  const texts = entries.map(([key, each], at) => {
    const name = `${reprOf(key, run.mostCharacters)}: `;
    return name + pretty(each, indent + 1 + name.length, at === entries.length - 1 ? behind + 1 : 1, run);
  });
  return `{${texts.join(`,\n${" ".repeat(indent + 1)}`)}}`;
}
