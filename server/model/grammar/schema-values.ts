/** Values of keywords that must have a form: anything else is refused by name. */
import { isObject } from "../../contract/is-object.ts";
import type { SchemaRecord } from "../chat-completion.ts";
import { unenforceable } from "./unenforceable.ts";

/** A whole number from 0. @throws OllamaError 400 */
export function countOf(schema: SchemaRecord, keyword: string, path: string): number | undefined {
  const value = schema[keyword];
  if (value === undefined) return undefined;
  if (!Number.isInteger(value) || (value as number) < 0)
    throw unenforceable(keyword, path, "it must be a whole number, 0 or more");
  return value as number;
}

/** @throws OllamaError 400 */
export function listOf(schema: SchemaRecord, keyword: string, path: string): readonly unknown[] | undefined {
  const value = schema[keyword];
  if (value === undefined) return undefined;
  if (!Array.isArray(value)) throw unenforceable(keyword, path, "it must be a list");
  return value as unknown[];
}

/** @throws OllamaError 400 */
export function namesOf(schema: SchemaRecord, keyword: string, path: string): readonly string[] {
  const names = listOf(schema, keyword, path) ?? [];
  if (!names.every((name) => typeof name === "string"))
    throw unenforceable(keyword, path, "it must be a list of names");
  return names;
}

/** @throws OllamaError 400 */
export function objectOf(schema: SchemaRecord, keyword: string, path: string): SchemaRecord | undefined {
  const value = schema[keyword];
  if (value !== undefined && !isObject(value)) throw unenforceable(keyword, path, "it must be an object");
  return value;
}

/** @throws OllamaError 400 */
export function keywordText(schema: SchemaRecord, keyword: string, path: string): string | undefined {
  const value = schema[keyword];
  if (value !== undefined && typeof value !== "string") throw unenforceable(keyword, path, "it must be a text");
  return value;
}
