import { operations, textArgument, type ValueOperation } from "./values/arguments.ts";
import { areEqual, isContained, isOrdered } from "./values/compare.ts";
import { iterableItems, knownLength } from "./values/iterate.ts";
import { operate } from "./values/operators.ts";
import { pythonText } from "./values/represent.ts";
import { Dict, DictView, isText, Markup, PythonObject, Undefined, type Rendering, type Value } from "./values/value.ts";
import { isLower, isUpper } from "./text/case.ts";
import { filters } from "./filters/filters.ts";

const remainder = (value: Value, by: Value, run: Rendering) => operate(value, "%", by, run);

const equal = (value: Value, [other]: readonly (Value | undefined)[]) => areEqual(value, other as Value);
const ordered =
  (operator: "<" | "<=" | ">" | ">=") =>
  (value: Value, [other]: readonly (Value | undefined)[]) =>
    isOrdered(value, operator, other as Value);

/** Jinja2's tests, by name. */
export const tests: ReadonlyMap<string, ValueOperation<Value>> = operations<Value>({
  "boolean()": (value) => typeof value === "boolean",
  "callable()": (value) => value instanceof Undefined || (value instanceof PythonObject && value.call !== undefined),
  "defined()": (value) => !(value instanceof Undefined),
  "divisibleby(num)": (value, [by], run) => areEqual(remainder(value, by as Value, run), 0n),
  "eq|equalto|==(other)": equal,
  "escaped()": (value) => value instanceof Markup,
  "even()": (value, _args, run) => areEqual(remainder(value, 2n, run), 0n),
  "false()": (value) => value === false,
  "filter()": (value) => filters.has(textArgument(value)),
  "float()": (value) => typeof value === "number",
  "ge|>=(other)": ordered(">="),
  "gt|greaterthan|>(other)": ordered(">"),
  "in(seq)": (value, [container]) => isContained(value, container as Value),
  "integer()": (value) => typeof value === "bigint",
  "iterable()": (value) => iterableItems(value) !== undefined,
  "le|<=(other)": ordered("<="),
  "lower()": (value, _args, run) => isLower(pythonText(value, run.mostCharacters)),
  "lt|lessthan|<(other)": ordered("<"),
  "mapping()": (value) => value instanceof Dict,
  "ne|!=(other)": (value, args) => !equal(value, args),
  "none()": (value) => value === null,
  "number()": (value) => typeof value === "bigint" || typeof value === "number" || typeof value === "boolean",
  "odd()": (value, _args, run) => areEqual(remainder(value, 2n, run), 1n),
  "sameas(other)": (value, [other]) => value === other,
  "sequence()": (value) => knownLength(value) !== undefined && !(value instanceof DictView),
  "string()": (value) => isText(value),
  "test()": (value): boolean => tests.has(textArgument(value)),
  "true()": (value) => value === true,
  "undefined()": (value) => value instanceof Undefined,
  "upper()": (value, _args, run) => isUpper(pythonText(value, run.mostCharacters)),
});
