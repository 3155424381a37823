/** The methods of texts. Positions count characters, as in Python, and not the units of the language. */
import { operations, integerArgument, textArgument, type BoundArguments } from "../values/arguments.ts";
import { characterCount, hasPairs, iterate } from "../values/iterate.ts";
import { typeError, valueError } from "../values/python-error.ts";
import { typeNameOf } from "../values/type-name.ts";
import { isText, Tuple, type Rendering, type Value } from "../values/value.ts";
import { capitalize, characterTests, isLower, isTitle, isUpper, swapCase, titleCase } from "./case.ts";
import { joinTexts, replaceText } from "./join-texts.ts";
import { repeatText } from "./repeat-text.ts";
import { splitBlanks, splitPythonLines, strip } from "./strip.ts";

const optionalText = (value: Value | undefined) =>
  value === undefined || value === null ? undefined : textArgument(value);

/** The part between two positions, and how many characters are before it; undefined for a start behind the end. */
function partOf(
  text: string,
  start: Value | undefined,
  end: Value | undefined,
): readonly [part: string | undefined, before: number] {
  if ((start ?? null) === null && (end ?? null) === null) return [text, 0];
  const length = characterCount(text);
  const position = (value: Value | undefined, other: number) => {
    if (value === undefined || value === null) return other;
    const at = integerArgument(value);
    return Math.min(length, at < 0 ? Math.max(0, at + length) : at);
  };
  const [from, to] = [position(start, 0), position(end, length)];
  if (start !== undefined && start !== null && integerArgument(start) > length) return [undefined, from];
  const part = hasPairs(text) ? [...text].slice(from, to).join("") : text.slice(from, Math.max(from, to));
  return [part, from];
}

/** The position of a part, from the left or right; -1 for none. */
function find(text: string, [part, start, end]: BoundArguments, fromRight = false): bigint {
  const [searched, before] = partOf(text, start, end);
  const wanted = textArgument(part);
  if (searched === undefined) return -1n;
  const at = fromRight ? searched.lastIndexOf(wanted) : searched.indexOf(wanted);
  return at < 0 ? -1n : BigInt(before + characterCount(searched.slice(0, at)));
}

function index(text: string, args: BoundArguments, fromRight = false): bigint {
  const at = find(text, args, fromRight);
  if (at < 0n) throw valueError("substring not found");
  return at;
}

function count(text: string, [part, start, end]: BoundArguments): bigint {
  const [searched] = partOf(text, start, end);
  const wanted = textArgument(part);
  if (searched === undefined) return 0n;
  return BigInt(wanted === "" ? characterCount(searched) + 1 : searched.split(wanted).length - 1);
}

function hasEdge(text: string, [edge, start, end]: BoundArguments, name: "startsWith" | "endsWith"): boolean {
  const [searched] = partOf(text, start, end);
  const edges = edge instanceof Tuple ? edge.items : [edge];
  return edges.some((each) => {
    if (isText(each)) return searched?.[name](textArgument(each)) === true;
    throw typeError(`${name.toLowerCase()} first arg must be str or a tuple of str, not ${typeNameOf(each ?? null)}`);
  });
}

/** A negative limit means none. */
const limitOf = (value: Value | undefined) => {
  const most = value === undefined ? -1 : integerArgument(value);
  return most < 0 ? Infinity : most;
};

function split(text: string, [separator, most]: BoundArguments): readonly string[] {
  const limit = limitOf(most);
  const by = optionalText(separator);
  if (by === undefined) return splitBlanks(text, limit);
  if (by === "") throw valueError("empty separator");
  const parts = text.split(by);
  return parts.length - 1 <= limit ? parts : [...parts.slice(0, limit), parts.slice(limit).join(by)];
}

/** Unit by unit, so that twice is the same text again. */
const flipped = (text: string) => text.split("").reverse().join("");

function splitFromRight(text: string, [separator, most]: BoundArguments): Value {
  const by = optionalText(separator);
  const parts = split(flipped(text), [by === undefined ? null : flipped(by), most]);
  return parts.map(flipped).reverse();
}

function partition(text: string, separator: Value | undefined, fromRight: boolean): Tuple {
  const by = textArgument(separator);
  if (by === "") throw valueError("empty separator");
  const at = fromRight ? text.lastIndexOf(by) : text.indexOf(by);
  if (at < 0) return new Tuple(fromRight ? ["", "", text] : [text, "", ""]);
  return new Tuple([text.slice(0, at), by, text.slice(at + by.length)]);
}

/** Padded on both sides, left or right to a width. */
function pad(text: string, [width, fill]: BoundArguments, side: "center" | "left" | "right", run: Rendering): string {
  const filler = fill === undefined ? " " : textArgument(fill);
  if (characterCount(filler) !== 1) throw typeError("The fill character must be exactly one character long");
  const columns = integerArgument(width);
  const missing = columns - characterCount(text);
  if (missing <= 0) return text;
  const half = Math.floor(missing / 2) + (missing % 2 === 1 && columns % 2 === 1 ? 1 : 0);
  const left = side === "left" ? 0 : side === "right" ? missing : half;
  return repeatText(filler, left, run) + text + repeatText(filler, missing - left, run);
}

/** Centred in a field of blanks. */
export const centered = (text: string, width: Value, run: Rendering): string => pad(text, [width], "center", run);

function zeroFilled(text: string, width: Value | undefined, run: Rendering): string {
  const missing = Math.max(0, integerArgument(width) - characterCount(text));
  const sign = /^[-+]/.exec(text)?.[0] ?? "";
  return sign + repeatText("0", missing, run) + text.slice(sign.length);
}

function expandTabs(text: string, size: number, run: Rendering): string {
  let [result, column] = ["", 0];
  for (const character of text) {
    if (character !== "\t") {
      result += character;
      column = character === "\n" || character === "\r" ? 0 : column + 1;
      continue;
    }
    const blanks = size > 0 ? size - (column % size) : 0;
    result += repeatText(" ", blanks, run);
    column += blanks;
  }
  return result;
}

const withoutPrefix = (text: string, prefix: string) => (text.startsWith(prefix) ? text.slice(prefix.length) : text);
const withoutSuffix = (text: string, suffix: string) =>
  suffix !== "" && text.endsWith(suffix) ? text.slice(0, -suffix.length) : text;

const classMethods = Object.fromEntries(
  Object.entries(characterTests).map(([name, pattern]) => [`${name}()`, (text: string) => pattern.test(text)]),
);

export const textMethods = operations<string>({
  ...classMethods,
  "capitalize()": capitalize,
  "casefold()": (text) => text.toUpperCase().toLowerCase(),
  "center(width, fillchar?, /)": (text, args, run) => pad(text, args, "center", run),
  "count(sub, start?, end?, /)": count,
  "endswith(suffix, start?, end?, /)": (text, args) => hasEdge(text, args, "endsWith"),
  "expandtabs(tabsize?)": (text, [size = 8n], run) => expandTabs(text, integerArgument(size), run),
  "find(sub, start?, end?, /)": (text, args) => find(text, args),
  "index(sub, start?, end?, /)": (text, args) => index(text, args),
  "islower()": isLower,
  "istitle()": isTitle,
  "isupper()": isUpper,
  "join(iterable, /)": (text, [items], run) =>
    joinTexts(text, Array.from(iterate(items as Value), textArgument), run.mostCharacters),
  "ljust(width, fillchar?, /)": (text, args, run) => pad(text, args, "left", run),
  "lower()": (text) => text.toLowerCase(),
  "lstrip(chars?, /)": (text, [characters]) => strip(text, optionalText(characters), "left"),
  "partition(sep, /)": (text, [separator]) => partition(text, separator, false),
  "removeprefix(prefix, /)": (text, [prefix]) => withoutPrefix(text, textArgument(prefix)),
  "removesuffix(suffix, /)": (text, [suffix]) => withoutSuffix(text, textArgument(suffix)),
  "replace(old, new, count?, /)": (text, [old, replacement, most], run) =>
    replaceText(text, textArgument(old), textArgument(replacement), limitOf(most), run.mostCharacters),
  "rfind(sub, start?, end?, /)": (text, args) => find(text, args, true),
  "rindex(sub, start?, end?, /)": (text, args) => index(text, args, true),
  "rjust(width, fillchar?, /)": (text, args, run) => pad(text, args, "right", run),
  "rpartition(sep, /)": (text, [separator]) => partition(text, separator, true),
  "rsplit(sep?, maxsplit?)": splitFromRight,
  "rstrip(chars?, /)": (text, [characters]) => strip(text, optionalText(characters), "right"),
  "split(sep?, maxsplit?)": split,
  "splitlines(keepends?)": (text, [keepsEnds = false]) => splitPythonLines(text, keepsEnds === true),
  "startswith(prefix, start?, end?, /)": (text, args) => hasEdge(text, args, "startsWith"),
  "strip(chars?, /)": (text, [characters]) => strip(text, optionalText(characters)),
  "swapcase()": swapCase,
  "title()": titleCase,
  "upper()": (text) => text.toUpperCase(),
  "zfill(width, /)": (text, [width], run) => zeroFilled(text, width, run),
});
