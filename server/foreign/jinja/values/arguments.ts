/** The arguments of a call, and how functions written here name their parameters. */
import { typeNameOf } from "./type-name.ts";
import { typeError } from "./python-error.ts";
import { isText, numericValue, plainText, Undefined, type Arguments, type Rendering, type Value } from "./value.ts";

/** The values of parameters in order; undefined for an optional one that was left out. */
export type BoundArguments = readonly (Value | undefined)[];

interface Signature {
  readonly names: readonly string[];
  readonly parameters: readonly string[];
  readonly required: number;
  /** Whether arguments may have names. */
  readonly isNamed: boolean;
}

/**
 * Parses a signature such as `replace(old, new, count?, /)` or, of a function with several names, `d|default(other?)`.
 * Arguments before a slash have no names, as in Python.
 */
function parseSignature(text: string): Signature {
  const [names = "", list = ""] = text.slice(0, -1).split("(");
  const isNamed = !list.endsWith(", /");
  const parameters = list === "" ? [] : list.replace(", /", "").split(", ");
  const required = parameters.filter((parameter) => !parameter.endsWith("?")).length;
  return {
    names: names.split("|"),
    parameters: parameters.map((parameter) => parameter.replace("?", "")),
    required,
    isNamed,
  };
}

function bind(
  { names: [name = ""], parameters, required, isNamed }: Signature,
  { positional, named }: Arguments,
): BoundArguments {
  if (positional.length > parameters.length)
    throw typeError(`${name}() takes at most ${parameters.length} arguments (${positional.length} given)`);
  if (!isNamed && named.size > 0) throw typeError(`${name}() takes no keyword arguments`);
  const bound: (Value | undefined)[] = [...positional];
  for (const [key, value] of named) {
    const at = parameters.indexOf(key);
    if (at < 0) throw typeError(`${name}() got an unexpected keyword argument '${key}'`);
    if (bound[at] !== undefined) throw typeError(`${name}() got multiple values for argument '${key}'`);
    bound[at] = value;
  }
  for (let at = 0; at < required; at++)
    if (bound[at] === undefined) throw typeError(`${name}() missing required argument: '${parameters[at] ?? ""}'`);
  return bound;
}

/** A function of a value: its method, filter or test. */
export type ValueOperation<Self> = (self: Self, args: Arguments, run: Rendering) => Value;

/** Operations by name, from their signatures: a parameter whose name ends with `?` may be left out. */
export function operations<Self>(
  bodies: Readonly<Record<string, (self: Self, args: BoundArguments, run: Rendering) => Value>>,
): ReadonlyMap<string, ValueOperation<Self>> {
  return new Map(
    Object.entries(bodies).flatMap(([text, body]) => {
      const signature = parseSignature(text);
      const operation: ValueOperation<Self> = (self, args, run) => body(self, bind(signature, args), run);
      return signature.names.map((name) => [name, operation] as const);
    }),
  );
}

/** @throws PythonError for a value that is no text */
export function textArgument(value: Value | undefined): string {
  if (!isText(value)) throw typeError(`must be str, not ${typeNameOf(value ?? null)}`);
  return plainText(value);
}

/** The number that a value counts as. @throws PythonError with the words of `refusal` for its type */
export function numberArgument(value: Value, refusal: (type: string) => string): bigint | number {
  if (value instanceof Undefined) value.fail();
  const number = numericValue(value);
  if (number === undefined) throw typeError(refusal(typeNameOf(value)));
  return number;
}

/** @throws PythonError for a value that is no integer */
export function integerArgument(value: Value | undefined): number {
  const number = numericValue(value);
  if (typeof number === "bigint") return Number(number);
  if (value instanceof Undefined) value.fail();
  throw typeError(`'${typeNameOf(value ?? null)}' object cannot be interpreted as an integer`);
}
