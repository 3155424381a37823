import { Dict, DictView, Generator, isList, PythonObject, Range, Tuple, type Value } from "./value.ts";

const names = {
  boolean: "bool",
  bigint: "int",
  number: "float",
  string: "str",
} as Readonly<Record<string, string>>;

/** Python's name of the value's type. */
export function typeNameOf(value: Value): string {
  if (value === null) return "NoneType";
  const scalar = names[typeof value];
  if (scalar !== undefined) return scalar;
  if (isList(value)) return "list";
  if (value instanceof Dict) return "dict";
  if (value instanceof Tuple) return "tuple";
  if (value instanceof PythonObject) return value.typeName;
  if (value instanceof DictView) return `dict_${value.part}`;
  if (value instanceof Range) return "range";
  return value instanceof Generator ? "generator" : "Undefined";
}
