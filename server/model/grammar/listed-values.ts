import { canonical } from "../../json-schema/assertions.ts";
import { withoutKeywords } from "../../json-schema/json-schema.ts";
import { satisfies } from "./satisfies.ts";
import { listedValues, type Conjunction } from "./schema-parts.ts";
import type { SchemaReferences } from "../../json-schema/schema-references.ts";

/**
 * The values listed by one part that satisfy all parts; undefined where no part lists any.
 * @throws OllamaError 400
 */
export function listedIn(parts: Conjunction, references: SchemaReferences): readonly unknown[] | undefined {
  const [first, ...others] = parts.flatMap(({ schema }) => {
    const values = listedValues(schema);
    return values === undefined ? [] : [new Map(values.map((value) => [canonical(value), value]))];
  });
  if (first === undefined) return undefined;
  return [...first].flatMap(([text, value]) => {
    const isLeft =
      others.every((other) => other.has(text)) &&
      parts.every(
        ({ schema, excludes, path }) =>
          satisfies(value, withoutKeywords(schema, "enum", "const"), references, path) &&
          (excludes === undefined || !satisfies(value, excludes, references, path)),
      );
    return isLeft ? [value] : [];
  });
}
