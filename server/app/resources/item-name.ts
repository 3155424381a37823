import type { ResourceDefinition } from "./resource-definition.ts";

/** Fields that usually hold what people call an item, in the order of preference. */
const nameFields = ["title", "name", "label", "subject", "username", "user_name"];
const longest = 100;

/** The name of an item, which never comes from a secret field; undefined where it has none. */
export function itemName(
  { secretFields }: Pick<ResourceDefinition, "secretFields">,
  data: Readonly<Record<string, unknown>>,
): string | undefined {
  const field = nameFields.find((name) => !secretFields.includes(name) && typeof data[name] === "string");
  return field === undefined ? undefined : String(data[field]).trim().slice(0, longest) || undefined;
}
