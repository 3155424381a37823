/**
 * Values of Go as templates see them. Texts and booleans are those of JavaScript, an `int` is a bigint, a `float64` is a
 * number, null is a nil interface, and undefined is no value at all.
 */
import { compareTexts } from "../compare-texts.ts";

/** The name is that of `%T`. */
export interface GoType {
  readonly name: string;
  readonly kind: "slice" | "map" | "struct" | "pointer";
  /** The value of a missing key of a map. */
  readonly zero?: GoValue;
  /** Its method String, by which it is printed. */
  readonly text?: (value: GoValue) => string;
  readonly methods?: ReadonlyMap<string, GoMethod>;
  /** JSON names of a struct's fields; fields without one have their own name. */
  readonly jsonNames?: ReadonlyMap<string, JsonName>;
  /** Whether the entries of a map keep their order in JSON. */
  readonly isOrdered?: true;
  /** Replaces the JSON of the kind, where it returns a value. */
  readonly json?: (value: GoValue) => GoValue;
}

export interface JsonName {
  readonly name: string;
  readonly omitsEmpty: boolean;
}

/** A method without parameters. */
export type GoMethod = (receiver: GoValue) => GoValue;

/** A slice; nil where it has no items at all. */
export class GoSlice {
  readonly type: GoType;
  readonly items: readonly GoValue[];
  readonly isNil: boolean;
  constructor(type: GoType, items?: readonly GoValue[]) {
    this.type = type;
    this.items = items ?? [];
    this.isNil = items === undefined;
  }
}

/** A map with keys of type string; nil where it has no entries at all. */
export class GoMap {
  readonly type: GoType;
  readonly entries: ReadonlyMap<string, GoValue>;
  readonly isNil: boolean;
  constructor(type: GoType, entries?: ReadonlyMap<string, GoValue>) {
    this.type = type;
    this.entries = entries ?? new Map<string, GoValue>();
    this.isNil = entries === undefined;
  }
}

export class GoStruct {
  readonly type: GoType;
  readonly fields: ReadonlyMap<string, GoValue>;
  constructor(type: GoType, fields: Readonly<Record<string, GoValue>>) {
    this.type = type;
    this.fields = new Map(Object.entries(fields));
  }
}

/** A pointer; nil without a target. */
export class GoPointer {
  readonly type: GoType;
  readonly target: GoValue;
  constructor(type: GoType, target?: GoValue) {
    this.type = type;
    this.target = target;
  }
}

/** A byte of a text. */
export class GoByte {
  readonly value: number;
  constructor(value: number) {
    this.value = value;
  }
}

export type GoComposite = GoSlice | GoMap | GoStruct | GoPointer;
export type GoValue = undefined | null | string | boolean | bigint | number | GoByte | GoComposite;

/** The template asked for something that Go refuses. */
export class GoError extends Error {
  override readonly name = "GoError";
}

export const isComposite = (value: GoValue): value is GoComposite =>
  value instanceof GoSlice || value instanceof GoMap || value instanceof GoStruct || value instanceof GoPointer;

export function goTypeName(value: GoValue): string {
  if (value === undefined || value === null) return "<nil>";
  if (isComposite(value)) return value.type.name;
  if (value instanceof GoByte) return "uint8";
  if (typeof value === "bigint") return "int";
  if (typeof value === "number") return "float64";
  return typeof value === "boolean" ? "bool" : "string";
}

/** Whether it is a pointer, slice, map or interface without a value. */
export function isNil(value: GoValue): boolean {
  if (value === undefined || value === null) return true;
  if (value instanceof GoSlice || value instanceof GoMap) return value.isNil;
  return value instanceof GoPointer && value.target === undefined;
}

export const isTruthy = (value: GoValue): boolean => {
  if (value instanceof GoSlice) return value.items.length > 0;
  if (value instanceof GoMap) return value.entries.size > 0;
  if (value instanceof GoPointer) return value.target !== undefined;
  if (value instanceof GoByte) return value.value !== 0;
  // NaN is no zero, and so it is true.
  return typeof value === "number" ? value !== 0 : Boolean(value);
};

/** Follows pointers; `isNil` where the last one points nowhere. */
export function indirect(value: GoValue): { readonly value: GoValue; readonly isNil: boolean } {
  let found = value;
  while (found instanceof GoPointer) {
    if (found.target === undefined) return { value: found, isNil: true };
    found = found.target;
  }
  return { value: found, isNil: found === null };
}

/** Go measures texts by their bytes in UTF-8. */
const isAscii = (text: string) => !/[^\0-\x7f]/.test(text);

export const byteLength = (text: string) => Buffer.byteLength(text);
export const byteAt = (text: string, at: number) =>
  new GoByte(isAscii(text) ? text.charCodeAt(at) : (Buffer.from(text)[at] ?? 0));
export const bytesBetween = (text: string, from: number, to: number) =>
  isAscii(text) ? text.slice(from, to) : Buffer.from(text).subarray(from, to).toString();

/** The entries in the order in which Go ranges over them. */
export const sortedEntries = ({ entries }: GoMap) => [...entries].sort(([one], [other]) => compareTexts(one, other));

const anyType = { kind: "map", name: "map[string]interface {}", zero: null } as const satisfies GoType;
const anySlice = { kind: "slice", name: "[]interface {}" } as const satisfies GoType;

/** The value of a JSON text, as Go reads it into an empty interface. */
export function goValueOf(json: unknown): GoValue {
  if (Array.isArray(json)) return new GoSlice(anySlice, json.map(goValueOf));
  if (typeof json === "object" && json !== null) return anyMap(Object.entries(json).map(([k, v]) => [k, goValueOf(v)]));
  return json as GoValue;
}

export const anyMap = (entries: Iterable<readonly [string, GoValue]>) => new GoMap(anyType, new Map(entries));
