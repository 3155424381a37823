/** The functions of text/template. */
import { isLess, equalsOneOf } from "./compare-values.ts";
import { isPrintable } from "./format-numbers.ts";
import { sprint, sprintln } from "./format-values.ts";
import {
  byteAt,
  byteLength,
  bytesBetween,
  GoByte,
  GoError,
  GoMap,
  GoPointer,
  GoSlice,
  indirect,
  isTruthy,
  goTypeName,
  type GoValue,
} from "./go-values.ts";
import { sprintf } from "./sprintf.ts";

/** The last parameter may take any number of arguments. */
export interface GoFunction {
  /** Types of the parameters: any value, or a text. */
  readonly parameters: readonly ("any" | "text")[];
  readonly isVariadic: boolean;
  /** `mostCharacters`: the limit of texts, for functions that make long ones of short ones. */
  call(args: readonly GoValue[], mostCharacters: number): GoValue;
}

/**
 * Functions by their signatures, such as `printf(text, any...)`: the types of the parameters, of which the last may take any
 * number of arguments.
 */
export const goFunctionsOf = (bodies: Readonly<Record<string, GoFunction["call"]>>): ReadonlyMap<string, GoFunction> =>
  new Map(
    Object.entries(bodies).map(([signature, call]) => {
      const [name = "", types = ""] = signature.slice(0, -1).split("(");
      const parameters = types.split(", ").map((type) => (type.startsWith("text") ? "text" : "any"));
      return [name, { parameters, isVariadic: types.endsWith("..."), call }];
    }),
  );

/** @throws GoError unless it is a whole number from 0 to `most` */
function indexOf(value: GoValue, most: number): number {
  const index = value instanceof GoByte ? BigInt(value.value) : value;
  if (typeof index !== "bigint") throw new GoError(`cannot index slice/array with ${goTypeName(value)}`);
  if (index < 0n || index > BigInt(most)) throw new GoError(`index out of range: ${String(index)}`);
  return Number(index);
}

function indexed(item: GoValue, index: GoValue): GoValue {
  const { value, isNil } = indirect(item);
  if (isNil) throw new GoError("index of nil pointer");
  if (value instanceof GoMap) {
    if (typeof index !== "string") throw new GoError(`value has type ${goTypeName(index)}; should be string`);
    return value.entries.has(index) ? value.entries.get(index) : value.type.zero;
  }
  const length = lengthOf(value, "can't index item of type");
  const at = indexOf(index, length);
  if (at === length) throw new GoError(`index out of range [${String(at)}] with length ${String(length)}`);
  return typeof value === "string" ? byteAt(value, at) : (value as GoSlice).items[at];
}

function index([item, ...indexes]: readonly GoValue[]): GoValue {
  if (item === undefined || item === null) throw new GoError("index of untyped nil");
  return indexes.reduce(indexed, item);
}

function slice([item, ...indexes]: readonly GoValue[]): GoValue {
  if (item === undefined || item === null) throw new GoError("slice of untyped nil");
  if (indexes.length > (typeof item === "string" ? 2 : 3)) throw new GoError("too many slice indexes");
  if (item instanceof GoMap) throw new GoError(`can't slice item of type ${goTypeName(item)}`);
  const length = lengthOf(item, "can't slice item of type");
  const [from = 0, to = length, capacity = to] = indexes.map((one) => indexOf(one, length));
  if (from > to || to > capacity) throw new GoError(`invalid slice index: ${String(from)} > ${String(to)}`);
  if (typeof item === "string") return bytesBetween(item, from, to);
  const { type, items } = item as GoSlice;
  return new GoSlice(type, items.slice(from, to));
}

function lengthOf(value: GoValue, problem: string): number {
  if (typeof value === "string") return byteLength(value);
  if (value instanceof GoSlice) return value.items.length;
  if (value instanceof GoMap) return value.entries.size;
  throw new GoError(`${problem} ${goTypeName(value)}`);
}

function length(item: GoValue): GoValue {
  const { value, isNil } = indirect(item);
  if (isNil) throw new GoError("len of nil pointer");
  return BigInt(lengthOf(value, "len of type"));
}

/** The arguments as one text, as an action would print them. */
const argumentText = (args: readonly GoValue[]) =>
  sprint(
    args.map((arg) => {
      const { value } = arg instanceof GoPointer ? indirect(arg) : { value: arg };
      return value ?? "<no value>";
    }),
  );

const htmlEscapes: Readonly<Record<string, string>> = {
  "\0": "\ufffd",
  '"': "&#34;",
  "'": "&#39;",
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
};
const html = (text: string) => text.replace(/[\0"'&<>]/g, (character) => htmlEscapes[character] ?? character);

const hex = (code: number) => code.toString(16).toUpperCase().padStart(4, "0");
const js = (text: string) =>
  text.replace(/[\\'"<>&=]|[^\x20-\x7f]/gu, (character) => {
    if (`\\'"`.includes(character)) return `\\${character}`;
    const code = character.codePointAt(0) ?? 0;
    return code > 0x7f && isPrintable(character) ? character : `\\u${hex(code)}`;
  });

const urlquery = (text: string) =>
  encodeURIComponent(text.toWellFormed())
    .replace(/[!'()*]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`)
    .replaceAll("%20", "+");

/** `and` and `or` are not among them: these do not evaluate all of their arguments. */
export const goFunctions = goFunctionsOf({
  "call(any, any...)": ([value]) => {
    throw new GoError(`non-function of type ${goTypeName(value)}`);
  },
  "eq(any, any...)": equalsOneOf,
  "ge(any, any)": ([one, other]) => !isLess(one, other),
  "gt(any, any)": ([one, other]) => !isLess(one, other) && !equalsOneOf([one, other]),
  "html(any...)": (args) => html(argumentText(args)),
  "index(any, any...)": index,
  "js(any...)": (args) => js(argumentText(args)),
  "le(any, any)": ([one, other]) => isLess(one, other) || equalsOneOf([one, other]),
  "len(any)": ([value]) => length(value),
  "lt(any, any)": ([one, other]) => isLess(one, other),
  "ne(any, any)": ([one, other]) => !equalsOneOf([one, other]),
  "not(any)": ([value]) => !isTruthy(value),
  "print(any...)": sprint,
  "printf(text, any...)": ([format, ...values], most) => sprintf(format as string, values, most),
  "println(any...)": sprintln,
  "slice(any, any...)": slice,
  "urlquery(any...)": (args) => urlquery(argumentText(args)),
});
