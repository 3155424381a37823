/** Whether schemas of `oneOf` can be told apart. */
import { isObject } from "../../contract/is-object.ts";
import { canonical } from "../../json-schema/assertions.ts";
import type { SchemaObject } from "../../json-schema/json-schema.ts";
import type { SchemaReferences } from "../../json-schema/schema-references.ts";
import { listedTexts, schemasIn } from "./schema-parts.ts";
import { spend } from "./work-budget.ts";

/** "objects": no object satisfies both, but other values may. */
export type Apart = "always" | "objects" | "no";

/** Schemas that hold together in one: parts of parts beyond this are not looked at. */
const deepest = 8;

/** Types that can be told apart by how their values are written. */
const kindOf = (type: unknown) => (type === "integer" ? "number" : type);

/** The schema, and all that must hold with it: what it refers to, and parts of `allOf`. */
function partsOf(schema: unknown, references: SchemaReferences, depth = 0): SchemaObject[] {
  if (!isObject(schema) || depth > deepest) return [];
  const { $ref, allOf } = schema;
  const others = [
    ...(typeof $ref === "string" ? [references.target(schema, $ref)] : []),
    ...(Array.isArray(allOf) ? (allOf as unknown[]) : []),
  ];
  return [schema, ...others.flatMap((one) => partsOf(one, references, depth + 1))];
}

/** The text of a pattern that only one text matches. */
const onlyText = (pattern: unknown) => /^\^([\w-]+)\$$/.exec(String(pattern))?.[1];

function constantsOf(schema: SchemaObject): ReadonlySet<string> | undefined {
  const text = schema["type"] === "string" ? onlyText(schema["pattern"]) : undefined;
  return listedTexts(schema) ?? (text === undefined ? undefined : new Set([canonical(text)]));
}
const kindsOf = ({ type }: SchemaObject) => (type === undefined ? undefined : new Set([type].flat().map(kindOf)));

const areApart = (some: ReadonlySet<unknown> | undefined, others: ReadonlySet<unknown> | undefined) =>
  some !== undefined && others !== undefined && ![...some].some((one) => others.has(one));

const requiredBy = (parts: readonly SchemaObject[]) =>
  new Set(parts.flatMap(({ required }) => (Array.isArray(required) ? (required as unknown[]).map(String) : [])));
const declaredBy = (part: SchemaObject, name: string) => {
  const members = schemasIn(part, "properties");
  return Object.hasOwn(members, name) ? [members[name]] : [];
};
const forbids = (part: SchemaObject, name: string) =>
  part["additionalProperties"] === false &&
  part["patternProperties"] === undefined &&
  declaredBy(part, name).length === 0;

/** How a value that satisfies one of the two is kept from satisfying the other one. */
export function areDisjoint(a: unknown, b: unknown, references: SchemaReferences, depth = 0): Apart {
  const [some, others] = [partsOf(a, references), partsOf(b, references)];
  spend(some.length * others.length);
  const areTold = some.some((one) =>
    others.some((other) => areApart(constantsOf(one), constantsOf(other)) || areApart(kindsOf(one), kindsOf(other))),
  );
  if (areTold) return "always";
  if (depth > deepest) return "no";
  const names = new Set([...requiredBy(some), ...requiredBy(others)]);
  for (const name of names) {
    const [inSome, inOthers] = [some, others].map((parts) => parts.flatMap((part) => declaredBy(part, name)));
    const isForbidden = [...some, ...others].some((part) => forbids(part, name));
    const isOther = inSome?.some((one) =>
      inOthers?.some((other) => areDisjoint(one, other, references, depth + 1) === "always"),
    );
    if (isForbidden || isOther === true) return "objects";
  }
  return "no";
}
