/** The comparisons of Go templates. */
import { compareTexts } from "../compare-texts.ts";
import { GoByte, GoError, GoStruct, isComposite, isNil, goTypeName, type GoValue } from "./go-values.ts";

type Basic = "bool" | "int" | "float" | "text" | undefined;

function basicKind(value: GoValue): Basic {
  if (typeof value === "boolean") return "bool";
  if (typeof value === "bigint" || value instanceof GoByte) return "int";
  if (typeof value === "number") return "float";
  return typeof value === "string" ? "text" : undefined;
}

const integerOf = (value: GoValue) => (value instanceof GoByte ? BigInt(value.value) : value);
const isAbsent = (value: GoValue) => value === undefined || value === null;

function isSame(one: GoValue, other: GoValue): boolean {
  const kind = basicKind(one);
  if (kind !== basicKind(other)) {
    if (isAbsent(one) || isAbsent(other)) return false;
    throw new GoError("incompatible types for comparison");
  }
  if (kind !== undefined) return integerOf(one) === integerOf(other);
  const isKnown =
    isAbsent(one) || isAbsent(other) || (isComposite(one) && isComposite(other) && one.type.kind === other.type.kind);
  if (!isKnown) throw new GoError(`non-comparable types ${goTypeName(one)} and ${goTypeName(other)}`);
  if (isNil(one) || isNil(other)) return isNil(one) && isNil(other);
  if (other instanceof GoStruct || (isComposite(other) && other.type.kind !== "pointer"))
    throw new GoError(`non-comparable type ${goTypeName(other)}`);
  return one === other;
}

/** Whether the first value is one of the others. Those behind it are not looked at. @throws GoError */
export function equalsOneOf([first, ...others]: readonly GoValue[]): boolean {
  if (others.length === 0) throw new GoError("missing argument for comparison");
  return others.some((other) => isSame(first, other));
}

/** @throws GoError */
export function isLess(one: GoValue, other: GoValue): boolean {
  const kind = basicKind(one);
  if (kind === undefined || basicKind(other) === undefined) throw new GoError("invalid type for comparison");
  if (kind !== basicKind(other)) throw new GoError("incompatible types for comparison");
  if (kind === "bool") throw new GoError("invalid type for comparison");
  if (typeof one === "string") return compareTexts(one, other as string) < 0;
  return (integerOf(one) as bigint) < (integerOf(other) as bigint);
}
