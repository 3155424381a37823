/**
 * Makes up text that a regular expression matches: literals, classes, groups, alternatives and repetition, which is what
 * patterns of schemas are made of. What it does not know (look-around, back-references) makes it give up.
 */

/** A whole number from `min` to `max`, both included. */
export type Random = (min: number, max: number) => number;

const repeatsAtMost = 8;
/** More repetitions than these would take longer than anybody waits. */
const mostRepeats = 20_000;
const range = (from: string, to: string) =>
  Array.from({ length: to.charCodeAt(0) - from.charCodeAt(0) + 1 }, (_, i) =>
    String.fromCharCode(from.charCodeAt(0) + i),
  );
const digits = range("0", "9");
const word = [...range("a", "z"), ...range("A", "Z"), ...digits, "_"];
const printable = range(" ", "~");
const not = (characters: readonly string[]) => printable.filter((one) => !characters.includes(one));
const classes: Readonly<Record<string, readonly string[]>> = {
  d: digits,
  D: not(digits),
  w: word,
  W: not(word),
  s: [" "],
  S: not([" "]),
};
const escapes: Readonly<Record<string, string>> = { n: "\n", r: "\r", t: "\t", f: "\f", v: "\v", 0: "\0" };
const letters: Readonly<Record<string, readonly string[]>> = {
  "p{L}": [...range("a", "z"), ...range("A", "Z")],
  "p{Lu}": range("A", "Z"),
  "p{Ll}": range("a", "z"),
  "p{N}": digits,
  "p{Nd}": digits,
};

/** Text that `pattern` should match; undefined when the pattern is beyond it. The caller checks. */
export function textOfPattern(pattern: string, random: Random): string | undefined {
  let at = 0;
  let repeats = 0;
  const pick = (characters: readonly string[]) => characters[random(0, characters.length - 1)] ?? "";
  const give = (): never => {
    throw new RangeError(`beyond the known at ${String(at)}`);
  };

  /** All alternatives are read, one is taken. */
  function alternatives(): () => string {
    const all = [sequence()];
    while (pattern[at] === "|") {
      at++;
      all.push(sequence());
    }
    return () => (all[random(0, all.length - 1)] ?? (() => ""))();
  }
  function sequence(): () => string {
    const parts: (() => string)[] = [];
    while (at < pattern.length && pattern[at] !== "|" && pattern[at] !== ")") parts.push(repeated(atom()));
    return () => parts.map((part) => part()).join("");
  }
  function atom(): () => string {
    const character = pattern[at++] ?? "";
    if (character === "^" || character === "$") return () => "";
    if (character === ".") return () => pick(word);
    if (character === "[") return classOf(bracketed());
    if (character === "(") return group();
    if (character === "\\") return classOf(escaped());
    return () => character;
  }
  const classOf = (characters: readonly string[]) => () => pick(characters);

  function group(): () => string {
    if (pattern.startsWith("?:", at)) at += 2;
    else if (pattern.startsWith("?<", at) && /^\?<\w+>/.test(pattern.slice(at))) at = pattern.indexOf(">", at) + 1;
    else if (pattern[at] === "?") give();
    const inside = alternatives();
    at++; // the closing parenthesis: the pattern is a valid one
    return inside;
  }
  function escaped(): readonly string[] {
    const property = /^[pP]\{[^}]*\}/.exec(pattern.slice(at))?.[0];
    if (property !== undefined) {
      at += property.length;
      return letters[property] ?? give();
    }
    const code = /^(?:u([0-9a-fA-F]{4})|x([0-9a-fA-F]{2}))/.exec(pattern.slice(at));
    if (code) {
      at += code[0].length;
      return [String.fromCharCode(Number.parseInt(code[1] ?? code[2] ?? "", 16))];
    }
    const character = pattern[at++] ?? "";
    if (character === "b") return [""];
    if (/[1-9kBc]/.test(character)) give();
    return classes[character] ?? [escapes[character] ?? character];
  }
  function bracketed(): readonly string[] {
    const negated = pattern[at] === "^";
    if (negated) at++;
    const characters: string[] = [];
    while (at < pattern.length && pattern[at] !== "]") {
      const from = pattern[at] === "\\" ? (at++, escaped()) : [pattern[at++] ?? ""];
      if (from.length === 1 && pattern[at] === "-" && pattern[at + 1] !== "]") {
        at++;
        const to = pattern[at] === "\\" ? (at++, escaped()) : [pattern[at++] ?? ""];
        characters.push(...range(from[0] ?? "", to[0] ?? ""));
      } else characters.push(...from);
    }
    at++;
    const left = negated ? not(characters) : characters;
    return left.length === 0 ? give() : left;
  }
  function repeated(part: () => string): () => string {
    const [all, sign, least, comma, most] = /^(?:([?*+])|\{(\d+)(?:(,)(\d+)?)?\})\??/.exec(pattern.slice(at)) ?? [];
    if (all === undefined) return part;
    at += all.length;
    const min = sign === undefined ? Number(least) : sign === "+" ? 1 : 0;
    const open = min + repeatsAtMost;
    const max =
      sign === "?"
        ? 1
        : sign !== undefined
          ? open
          : most !== undefined
            ? Number(most)
            : comma === undefined
              ? min
              : open;
    return () => {
      const length = random(min, Math.min(max, Math.max(open, min)));
      repeats += length;
      if (repeats > mostRepeats) give();
      return Array.from({ length }, part).join("");
    };
  }

  try {
    const make = alternatives();
    return at < pattern.length ? undefined : make();
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}
