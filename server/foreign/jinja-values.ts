/** The values of templates, as the library's interpreter represents them, and their texts, as Python writes them. */
import { Environment } from "@huggingface/jinja";
import { tooManyCharacters } from "./too-large-error.ts";

/** `value` holds a JavaScript value; in lists and mappings those of `Value`. */
export interface Value {
  readonly type: string;
  readonly value: unknown;
}

/** The used parts of the library's types, which do not resolve. */
export interface Scope {
  set(name: string, value: unknown): Value;
}
export const newScope = () => new (Environment as new () => Scope)();

/** The library does not export its classes of values, but converts values into them. */
const classOf = <T>(sample: T) =>
  newScope().set("sample", sample).constructor as new (value: unknown) => Value & { readonly value: T };

const TextValue = classOf("");
const ListValue = classOf<readonly Value[]>([]);
const ObjectValue = classOf<object>({}) as new (value: Map<string, Value>) => Value & {
  readonly value: ReadonlyMap<string, Value>;
  keys(): Value;
  items(): Value;
};

export const isList = (value: Value) => value instanceof ListValue;
export const isTextValue = (value: Value) => value instanceof TextValue;
export const isMapping = (value: Value): value is InstanceType<typeof ObjectValue> => value instanceof ObjectValue;
export const undefinedValue = newScope().set("nothing", undefined);
export const textValue = (text: string): Value => new TextValue(text);
export const listValue = (items: readonly Value[]): Value => new ListValue(items);
export const booleanValue = (value: boolean) => newScope().set("value", value);

/** A mapping that also allows other keys than texts, unlike the library's. */
export class MappingValue extends ObjectValue {
  readonly #keys: readonly Value[];
  constructor(entries: readonly (readonly [key: Value, value: Value])[]) {
    const byText = new Map(entries.map((entry) => [keyText(entry[0]), entry] as const));
    super(new Map([...byText].map(([text, [, value]]) => [text, value])));
    this.#keys = [...byText.values()].map(([key]) => key);
  }
  override keys(): Value {
    return listValue(this.#keys);
  }
  override items(): Value {
    return listValue(this.#keys.map((key) => listValue([key, this.value.get(keyText(key)) ?? undefinedValue])));
  }
}

/** Keys and values of a mapping. */
const pairsOf = (mapping: InstanceType<typeof ObjectValue>) =>
  (mapping.items().value as readonly Value[]).map(({ value: pair }) => pair as readonly Value[]);

/** The name of a key in the library's mappings. */
export const keyText = ({ value }: Value) => String(value);

const escapes: Readonly<Record<string, string>> = { "\n": "\\n", "\r": "\\r", "\t": "\\t", "\\": "\\\\" };

/** A character that Python does not print. */
function escaped(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  const hex = (digits: number) => code.toString(16).padStart(digits, "0");
  return escapes[character] ?? (code < 0x100 ? `\\x${hex(2)}` : code < 0x10000 ? `\\u${hex(4)}` : `\\U${hex(8)}`);
}

function quoted(text: string): string {
  const quote = text.includes("'") && !text.includes('"') ? '"' : "'";
  const body = text.replace(/[\\\p{C}\p{Z}]/gu, (found) => (found === " " ? found : escaped(found)));
  return quote + (quote === "'" ? body.replaceAll("'", "\\'") : body) + quote;
}

/** The result of `str()`. @throws TooLargeError for more than `most` characters */
export function pythonText(value: Value, most: number): string {
  if (isTextValue(value)) return value.value as string;
  if (value.type === "UndefinedValue") return "";
  let length = 0;
  const bounded = (text: string) => {
    length += text.length;
    if (length > most) throw tooManyCharacters(most);
    return text;
  };
  const listed = (items: readonly Value[]) => items.map(represented).join(", ");
  function represented(inner: Value): string {
    if (isTextValue(inner)) return bounded(quoted(inner.value as string));
    if (inner.type === "TupleValue") return bounded("(") + listed(inner.value as readonly Value[]) + ")";
    if (isList(inner)) return bounded("[") + listed(inner.value as readonly Value[]) + "]";
    if (isMapping(inner)) return bounded("{") + pairsOf(inner).map(paired).join(", ") + "}";
    return bounded(scalarText(inner));
  }
  const paired = (pair: readonly Value[]) => pair.map(represented).join(": ");
  return represented(value);
}

function scalarText(value: Value): string {
  if (value.type === "UndefinedValue") return "Undefined";
  if (value.type === "NullValue") return "None";
  if (value.type === "BooleanValue") return value.value === true ? "True" : "False";
  // eslint-disable-next-line @typescript-eslint/no-base-to-string -- the library's values have a text of their own
  return String(value);
}
