/** Whether schemas of `oneOf` can be told apart. */
import { isObject } from "../../contract/is-object.ts";
import { canonical } from "../../json-schema/assertions.ts";
import type { JsonSchema } from "../chat-completion.ts";

/** Types that can be told apart by how their values are written. */
const kindOf = (type: unknown) => (type === "integer" ? "number" : type);
const kindsOf = (schema: JsonSchema) =>
  schema["type"] === undefined ? undefined : new Set([schema["type"]].flat().map(kindOf));

function constantsOf(schema: JsonSchema): Set<string> | undefined {
  const values = "const" in schema ? [schema["const"]] : schema["enum"];
  return Array.isArray(values) ? new Set(values.map(canonical)) : undefined;
}

const requiredOf = (schema: JsonSchema) =>
  new Set(Array.isArray(schema["required"]) ? (schema["required"] as unknown[]) : []);

const areApart = (some: ReadonlySet<unknown>, others: ReadonlySet<unknown>) =>
  ![...some].some((one) => others.has(one));

/** Whether a value can only satisfy one of the two: other types, or another constant in the same member. */
export function areDisjoint(a: unknown, b: unknown): boolean {
  if (!isObject(a) || !isObject(b)) return false;
  const [some, others] = [constantsOf(a), constantsOf(b)];
  if (some !== undefined && others !== undefined) return areApart(some, others);
  const [kinds, otherKinds] = [kindsOf(a), kindsOf(b)];
  if (kinds !== undefined && otherKinds !== undefined && areApart(kinds, otherKinds)) return true;
  const [inA, inB] = [a["properties"], b["properties"]];
  if (!isObject(inA) || !isObject(inB)) return false;
  const [required, alsoRequired] = [requiredOf(a), requiredOf(b)];
  return Object.keys(inA).some(
    (name) =>
      required.has(name) && alsoRequired.has(name) && Object.hasOwn(inB, name) && areDisjoint(inA[name], inB[name]),
  );
}
