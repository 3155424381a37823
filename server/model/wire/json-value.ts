/** Reads parts of requests that have no schema. */
import { isObject } from "../../contract/is-object.ts";

export type JsonObject = Readonly<Record<string, unknown>>;

/** The value as an object; an empty one for any other value. */
export const asObject = (value: unknown): JsonObject => (isObject(value) ? value : {});

export const asText = (value: unknown): string | undefined => (typeof value === "string" ? value : undefined);

/** The members that have a value. */
export const definedMembers = (members: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined && value !== null));

/** The texts that say something; undefined where none does, so that the model's own count. */
export function givenTexts(texts: readonly string[] | undefined): readonly string[] | undefined {
  const some = texts?.filter((text) => text !== "") ?? [];
  return some.length > 0 ? some : undefined;
}
