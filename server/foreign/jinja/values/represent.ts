/** The texts of values, as `str()` and `repr()` write them. */
import { CharacterCount } from "../../too-large-error.ts";
import { floatText } from "./numbers.ts";
import { valueError } from "./python-error.ts";
import { typeNameOf } from "./type-name.ts";
import {
  Dict,
  DictView,
  isList,
  Markup,
  PythonFunction,
  PythonObject,
  Range,
  Tuple,
  Undefined,
  type Value,
} from "./value.ts";

const escapes: Readonly<Record<string, string>> = { "\n": "\\n", "\r": "\\r", "\t": "\\t", "\\": "\\\\" };

/** A character that Python does not print. */
function escaped(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  const hex = (digits: number) => code.toString(16).padStart(digits, "0");
  return escapes[character] ?? (code < 0x100 ? `\\x${hex(2)}` : code < 0x10000 ? `\\u${hex(4)}` : `\\U${hex(8)}`);
}

export function quoted(text: string): string {
  const quote = text.includes("'") && !text.includes('"') ? '"' : "'";
  const body = text.replace(/[\\\p{C}\p{Z}]/gu, (found) => (found === " " ? found : escaped(found)));
  return quote + (quote === "'" ? body.replaceAll("'", "\\'") : body) + quote;
}

/** The most digits that Python writes of an integer. */
const mostDigits = 4300;
export function integerText(value: bigint): string {
  const text = String(value);
  if (text.length > mostDigits)
    throw valueError(`Exceeds the limit (${mostDigits} digits) for integer string conversion`);
  return text;
}

function scalarText(value: Value): string {
  if (value === null) return "None";
  if (typeof value === "boolean") return value ? "True" : "False";
  if (typeof value === "bigint") return integerText(value);
  if (typeof value === "number") return floatText(value);
  if (value instanceof Range) {
    const step = value.step === 1n ? "" : `, ${value.step}`;
    return `range(${value.start}, ${value.stop}${step})`;
  }
  if (value instanceof Undefined) return "Undefined";
  if (value instanceof PythonFunction) return `<function ${value.name}>`;
  return `<${typeNameOf(value)} object>`;
}

class Representation {
  readonly #count: CharacterCount;
  constructor(most: number) {
    this.#count = new CharacterCount(most);
  }
  of(value: Value): string {
    if (typeof value === "string") return this.#count.add(quoted(value));
    if (isList(value)) return this.#listed("[", value, "]");
    if (value instanceof Dict) return this.#paired(value);
    if (value instanceof Tuple) return this.#listed("(", value.items, value.items.length === 1 ? ",)" : ")");
    if (value instanceof DictView) return this.#listed(`dict_${value.part}([`, [...value], "])");
    if (value instanceof Markup) return `Markup(${this.of(value.text)})`;
    if (value instanceof PythonObject && value.describe !== undefined) return value.describe((each) => this.of(each));
    return this.#count.add(scalarText(value));
  }
  #listed(opening: string, items: readonly Value[], closing: string): string {
    return this.#count.add(opening) + items.map((item) => this.of(item)).join(", ") + closing;
  }
  #paired(dict: Dict): string {
    const pairs = [...dict.entries()].map(([key, value]) => `${this.of(key)}: ${this.of(value)}`);
    return `${this.#count.add("{")}${pairs.join(", ")}}`;
  }
}

/** @throws TooLargeError for more than `most` characters */
export const reprOf = (value: Value, most: number): string => new Representation(most).of(value);

/** @throws TooLargeError for more than `most` characters */
export function pythonText(value: Value, most: number): string {
  if (typeof value === "string") return value;
  if (value instanceof Markup) return value.text;
  return value instanceof Undefined ? "" : reprOf(value, most);
}
