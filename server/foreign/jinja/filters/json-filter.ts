/** The filter `tojson` with the parameters that Hugging Face gives it, which are those of Python's `json.dumps`. */
import { CharacterCount } from "../../too-large-error.ts";
import { integerArgument, textArgument, type BoundArguments } from "../values/arguments.ts";
import { sortedBy } from "../values/compare.ts";
import { isTrue, itemList } from "../values/iterate.ts";
import { integerText } from "../values/represent.ts";
import { floatText } from "../values/numbers.ts";
import { typeError, valueError } from "../values/python-error.ts";
import { typeNameOf } from "../values/type-name.ts";
import { Dict, isList, isText, Tuple, type Rendering, type Value } from "../values/value.ts";

interface JsonForm {
  readonly isAscii: boolean;
  /** Undefined for one line. */
  readonly indent: string | undefined;
  readonly itemSeparator: string;
  readonly keySeparator: string;
  readonly isSorted: boolean;
}

function indentOf(value: Value): string | undefined {
  if (value === null) return undefined;
  return isText(value) ? textArgument(value) : " ".repeat(Math.min(1000, Math.max(0, integerArgument(value))));
}

function formOf([isAscii = false, indent = null, separators = null, isSorted = false]: BoundArguments): JsonForm {
  const spaces = indentOf(indent);
  const parts =
    separators === null ? [spaces === undefined ? ", " : ",", ": "] : itemList(separators).map(textArgument);
  const [itemSeparator, keySeparator] = parts;
  if (itemSeparator === undefined || keySeparator === undefined || parts.length > 2)
    throw valueError("separators are two texts");
  return { isAscii: isTrue(isAscii), indent: spaces, itemSeparator, keySeparator, isSorted: isTrue(isSorted) };
}

class JsonWriter {
  readonly #form: JsonForm;
  readonly #count: CharacterCount;
  constructor(form: JsonForm, most: number) {
    this.#form = form;
    this.#count = new CharacterCount(most);
  }

  write(value: Value, depth = 0): string {
    if (isList(value)) return this.#items("[", value, "]", depth);
    if (value instanceof Tuple) return this.#items("[", value.items, "]", depth);
    if (value instanceof Dict) return this.#dict(value, depth);
    return this.#count.add(isText(value) ? this.#text(textArgument(value)) : scalarText(value));
  }

  #text(text: string): string {
    const quoted = JSON.stringify(text);
    if (!this.#form.isAscii) return quoted;
    return quoted.replace(/[^ -~]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);
  }

  #items(opening: string, items: readonly Value[], closing: string, depth: number): string {
    return this.#enclosed(opening, items, closing, depth, (item) => this.write(item, depth + 1));
  }

  #dict(dict: Dict, depth: number): string {
    const entries = [...dict.entries()].map((pair) => new Tuple(pair));
    const sorted = this.#form.isSorted ? sortedBy(entries, (pair) => (pair as Tuple).items[0] as Value) : entries;
    return this.#enclosed("{", sorted, "}", depth, (pair) => {
      const [key, value] = (pair as Tuple).items as readonly [Value, Value];
      return this.#count.add(this.#text(keyText(key))) + this.#form.keySeparator + this.write(value, depth + 1);
    });
  }

  #enclosed(
    opening: string,
    items: readonly Value[],
    closing: string,
    depth: number,
    write: (item: Value) => string,
  ): string {
    if (items.length === 0) return this.#count.add(opening + closing);
    const { indent, itemSeparator } = this.#form;
    const lineAt = (level: number) => (indent === undefined ? "" : `\n${indent.repeat(level)}`);
    const before = lineAt(depth + 1);
    const texts = items.map((item) => this.#count.add(before) + write(item));
    return opening + texts.join(this.#count.add(itemSeparator)) + lineAt(depth) + closing;
  }
}

function floatJson(value: number): string {
  if (Number.isFinite(value)) return floatText(value);
  return Number.isNaN(value) ? "NaN" : value > 0 ? "Infinity" : "-Infinity";
}

function scalarText(value: Value): string {
  if (value === null) return "null";
  if (typeof value === "boolean") return String(value);
  if (typeof value === "bigint") return integerText(value);
  if (typeof value === "number") return floatJson(value);
  throw typeError(`Object of type ${typeNameOf(value)} is not JSON serializable`);
}

function keyText(key: Value): string {
  if (isText(key)) return textArgument(key);
  if (key === null || ["boolean", "bigint", "number"].includes(typeof key)) return scalarText(key);
  throw typeError(`keys must be str, int, float, bool or None, not ${typeNameOf(key)}`);
}

/** @throws PythonError for a value that JSON does not have; TooLargeError */
export const toJson = (value: Value, args: BoundArguments, run: Rendering): string =>
  new JsonWriter(formOf(args), run.mostCharacters).write(value);
