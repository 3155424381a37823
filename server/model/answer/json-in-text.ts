/** JSON inside a model's text: where a value ends, and calls that are written as JSON. */
import { isObject } from "../../contract/is-object.ts";
import type { ParsedCall } from "./answer-part.ts";

/** Where the object or array that begins at `from` ends; undefined while it is not complete. */
export function jsonEnd(text: string, from: number): number | undefined {
  let depth = 0;
  let inString = false;
  for (let at = from; at < text.length; at++) {
    const character = text[at];
    if (inString) {
      if (character === "\\") at++;
      else if (character === '"') inString = false;
    } else if (character === '"') inString = true;
    else if (character === "{" || character === "[") depth++;
    else if ((character === "}" || character === "]") && --depth === 0) return at + 1;
  }
  return undefined;
}

/** The value of JSON text; undefined when it is none. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Arguments as an object; some models write them as a string that holds one, or leave them out. */
export function argumentsOf(value: unknown): Record<string, unknown> | undefined {
  if (value === undefined || value === null || value === "") return {};
  if (isObject(value)) return value;
  return typeof value === "string" ? argumentsOf(parseJson(value) ?? false) : undefined;
}

function callOf(value: unknown): ParsedCall | undefined {
  if (!isObject(value)) return undefined;
  const inner = isObject(value["function"]) ? value["function"] : value;
  const name = inner["name"] ?? value["tool_name"] ?? value["function"];
  const given = argumentsOf(inner["arguments"] ?? inner["parameters"]);
  if (typeof name !== "string" || name === "" || given === undefined) return undefined;
  const id = value["id"];
  return { name, arguments: given, ...(typeof id === "string" && id !== "" && { id }) };
}

/** Calls written as `{"name", "arguments"}` or a list of such; undefined when the value is anything else. */
export function callsOfJson(value: unknown): ParsedCall[] | undefined {
  const calls = (Array.isArray(value) ? value : [value]).map(callOf);
  return calls.every((call) => call !== undefined) && calls.length > 0 ? calls : undefined;
}
