/** Items with schemas that allow them. */
import fc from "fast-check";

/** A schema that allows a value, in one of the many ways to say so. */
function schemaOf(value: unknown): fc.Arbitrary<object> {
  const type = value === null ? "null" : Array.isArray(value) ? "array" : typeof value;
  const inner = Array.isArray(value)
    ? fc.tuple(...value.map(schemaOf)).map((prefixItems) => (prefixItems.length > 0 ? { prefixItems } : {}))
    : typeof value === "object" && value !== null
      ? fc.tuple(...Object.values(value).map((one) => fc.option(schemaOf(one), { nil: undefined }))).map((all) => ({
          properties: Object.fromEntries(
            Object.keys(value).flatMap((name, at) => (all[at] === undefined ? [] : [[name, all[at]]])),
          ),
        }))
      : fc.constant({});
  const types = fc.subarray(["string", "number", "boolean", "null", "array", "object"], { minLength: 1 });
  const typed = fc.tuple(inner, types).map(([rest, more]) => ({ ...rest, type: [...new Set([type, ...more])] }));
  return fc.oneof(
    { weight: 3, arbitrary: inner.map((rest) => ({ type, ...rest })) },
    { weight: 3, arbitrary: typed },
    fc.constant({}),
    fc.constant({ enum: [...new Set([value, "x", "true", "1", 1, null])] }),
    fc.tuple(typed, types).map(([one, other]) => ({ anyOf: [{ type: other, const: "no" }, one] })),
    fc.tuple(typed, fc.jsonValue({ maxDepth: 1 })).map(([one, standard]) => ({ ...one, default: standard })),
  );
}

const isFree = (name: string) => !["id", "owner_uid", "created_at", "updated_at", "__proto__"].includes(name);
const name = fc.oneof(
  fc.constantFrom("a", "b", "item", "entry", "$ref", "x-1", "constructor", "1", "a b"),
  fc.string({ unit: "grapheme", maxLength: 6 }),
  fc.string({ unit: "binary-ascii", maxLength: 3 }),
);
const text = fc.oneof(
  fc.constantFrom("", " ", "true", "1", "null", "\r\n"),
  fc.string({ unit: "binary", maxLength: 8 }),
);
const { item } = fc.letrec<{ item: Record<string, unknown>; value: unknown }>((tie) => ({
  item: fc.dictionary(name.filter(isFree), tie("value"), { maxKeys: 5, noNullPrototype: true }),
  value: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    fc.oneof(text, fc.integer(), fc.boolean(), fc.constant(null)),
    fc.double({ noNaN: true, noDefaultInfinity: true }).map((one) => (Object.is(one, -0) ? 0 : one)),
    fc.array(tie("value"), { maxLength: 3 }),
    tie("item"),
  ),
}));

/** An item, and a schema of a collection that takes it. */
export const itemsOfSchemas = item.chain((one) =>
  schemaOf(one).map((schema) => ({ item: one, schema: { ...schema, type: "object" } as Record<string, unknown> })),
);
