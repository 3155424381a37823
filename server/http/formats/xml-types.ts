/** How an element without an attribute `type` is read, which its writer must know, too. */

export type ElementShape = "list" | "object" | "text";

interface Content {
  /** Whether there is text that is not blank. */
  readonly hasText: boolean;
  readonly names: readonly string[];
}

/** @param types those of the schema, none where it does not say */
export function shapeOf(types: readonly string[], { hasText, names }: Content): ElementShape {
  if (hasText) return "text";
  const isList = names.every((name) => name === "item");
  const mayBeObject = types.length === 0 || types.includes("object");
  if (types.includes("array") ? isList || !mayBeObject : types.length === 0 && names.length > 0 && isList)
    return "list";
  return types.includes("object") || names.length > 0 ? "object" : "text";
}

/** The namespace of the attribute `nil`. */
export const instanceNamespace = "http://www.w3.org/2001/XMLSchema-instance";
