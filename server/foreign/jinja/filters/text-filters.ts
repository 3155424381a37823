import { integerArgument, operations, textArgument, type BoundArguments } from "../values/arguments.ts";
import { characterCount, isTrue, lengthOf } from "../values/iterate.ts";
import { PythonError, typeError } from "../values/python-error.ts";
import { pythonText } from "../values/represent.ts";
import { typeNameOf } from "../values/type-name.ts";
import { Dict, isText, Markup, Tuple, Undefined, type Arguments, type Rendering, type Value } from "../values/value.ts";
import { capitalize } from "../text/case.ts";
import { escapeMarkup } from "../text/escape-markup.ts";
import { joinTexts, replaceText } from "../text/join-texts.ts";
import { formatPercent } from "../text/percent-format.ts";
import { repeatText } from "../text/repeat-text.ts";
import { splitPythonLines, strip } from "../text/strip.ts";
import { centered } from "../text/text-methods.ts";
import { wrapLine } from "../text/wrap-line.ts";
import { prettyText } from "../text/pretty-text.ts";

/** Filters of the value's text. */
const textual =
  (body: (text: string, args: BoundArguments, run: Rendering) => Value) =>
  (value: Value, args: BoundArguments, run: Rendering): Value =>
    body(pythonText(value, run.mostCharacters), args, run);

/** Each word begins in upper case; words are behind blanks, hyphens and opening brackets. */
const titled = (text: string) =>
  text
    .split(/([-\s({[<]+)/)
    .map((part) => {
      const [first = ""] = part;
      return first.toUpperCase() + part.slice(first.length).toLowerCase();
    })
    .join("");

function indented(value: Value, [width = 4n, first = false, blank = false]: BoundArguments, run: Rendering): string {
  if (value instanceof Undefined) value.fail();
  if (!isText(value)) throw typeError(`unsupported operand type(s) for +=: '${typeNameOf(value)}' and 'str'`);
  const margin = isText(width) ? textArgument(width) : repeatText(" ", Math.max(0, integerArgument(width)), run);
  const [head = "", ...lines] = splitPythonLines(`${textArgument(value)}\n`);
  const shown = lines.map((line) => (line !== "" || isTrue(blank) ? margin + line : line));
  return (isTrue(first) ? margin : "") + joinTexts("\n", [head, ...shown], run.mostCharacters);
}

function replaced(value: Value, [old, replacement, most]: BoundArguments, run: Rendering): string {
  const write = (each: Value | undefined) => pythonText(each as Value, run.mostCharacters);
  const count = most === undefined || most === null ? -1 : integerArgument(most);
  const limit = count < 0 ? Infinity : count;
  return replaceText(write(value), write(old), write(replacement), limit, run.mostCharacters);
}

function formatted(value: Value, { positional, named }: Arguments, run: Rendering): string {
  if (positional.length > 0 && named.size > 0)
    throw new PythonError("FilterArgumentError", "can't handle positional and keyword arguments at the same time");
  const values = named.size > 0 ? new Dict(named) : new Tuple(positional);
  return formatPercent(pythonText(value, run.mostCharacters), values, run);
}

function truncated(value: Value, [length = 255n, killsWords = false, end = "...", leeway]: BoundArguments): Value {
  const [most, suffix] = [integerArgument(length), textArgument(end)];
  const slack = leeway === undefined || leeway === null ? 5 : integerArgument(leeway);
  const room = most - characterCount(suffix);
  if (room < 0) throw new PythonError("AssertionError", `expected length >= ${characterCount(suffix)}, got ${most}`);
  if (lengthOf(value) <= most + slack) return value;
  const cut = [...textArgument(value)].slice(0, room).join("");
  const blankAt = isTrue(killsWords) ? -1 : cut.lastIndexOf(" ");
  return (blankAt < 0 ? cut : cut.slice(0, blankAt)) + suffix;
}

function wrapped(
  value: Value,
  [width = 79n, breaksWords = true, separator, breaksHyphens = true]: BoundArguments,
  run: Rendering,
): string {
  const by = separator === undefined || separator === null ? "\n" : textArgument(separator);
  const form = {
    width: integerArgument(width),
    breaksWords: isTrue(breaksWords),
    breaksHyphens: isTrue(breaksHyphens),
  };
  const lines = splitPythonLines(textArgument(value)).map((line) =>
    joinTexts(by, wrapLine(line, form), run.mostCharacters),
  );
  return joinTexts(by, lines, run.mostCharacters);
}

const named = operations<Value>({
  "capitalize()": textual(capitalize),
  "center(width?)": textual((text, [width = 80n], run) => centered(text, width, run)),
  "escape|e()": (value, _args, run) =>
    escapeMarkup(value instanceof Markup ? value : pythonText(value, run.mostCharacters)),
  "forceescape()": textual(escapeMarkup),
  "indent(width?, first?, blank?)": indented,
  "lower()": textual((text) => text.toLowerCase()),
  "pprint()": (value, _args, run) => prettyText(value, run),
  "replace(old, new, count?)": replaced,
  "safe()": textual((text) => new Markup(text)),
  "string()": (value, _args, run) => (value instanceof Markup ? value : pythonText(value, run.mostCharacters)),
  "striptags()": textual((text) => new Markup(withoutTags(text))),
  "title()": textual(titled),
  "trim(chars?)": textual((text, [characters = null]) =>
    strip(text, characters === null ? undefined : textArgument(characters)),
  ),
  "truncate(length?, killwords?, end?, leeway?)": truncated,
  "upper()": textual((text) => text.toUpperCase()),
  "wordcount()": textual((text) => BigInt(text.match(/[\p{L}\p{N}_]+/gu)?.length ?? 0)),
  "wordwrap(width?, break_long_words?, wrapstring?, break_on_hyphens?)": wrapped,
});

/** Without comments and tags, and with single blanks. */
function withoutTags(text: string): string {
  let rest = text;
  for (const [opening, closing] of [
    ["<!--", "-->"],
    ["<", ">"],
  ] as const)
    rest = withoutParts(rest, opening, closing);
  return unescapeReferences(rest.split(/\s+/).filter(Boolean).join(" "));
}

function withoutParts(text: string, opening: string, closing: string): string {
  let [kept, at] = ["", 0];
  for (;;) {
    const from = text.indexOf(opening, at);
    const to = from < 0 ? -1 : text.indexOf(closing, from);
    if (to < 0) return kept + text.slice(at);
    kept += text.slice(at, from);
    at = to + closing.length;
  }
}

const references: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', "#34": '"', "#39": "'" };
const unescapeReferences = (text: string) =>
  text.replace(/&(amp|lt|gt|quot|#34|#39);/g, (all, name: string) => references[name] ?? all);

export const textFilters: typeof named = new Map([...named, ["format", formatted]]);
