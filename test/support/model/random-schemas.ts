/** Random schemas of every keyword that says something of values, small enough that some values satisfy them. */
import fc from "fast-check";

const name = fc.constantFrom("a", "b", "c", "x-1");
const pattern = fc.constantFrom(
  "^[a-c]+$",
  "b",
  "^x-",
  "^\\S{1,3}$",
  "[^\\s]$",
  "^.$",
  "^(?!a)",
  "\\d{2}",
  "^[\\w-]*$",
  "^(ab|c)?$",
);
const format = fc.constantFrom(
  "date",
  "date-time",
  "time",
  "email",
  "ipv4",
  "ipv6",
  "uuid",
  "duration",
  "json-pointer",
  "relative-json-pointer",
  "hostname",
  "uri",
  "uri-reference",
  "uri-template",
  "regex",
);
const count = fc.nat(4);
const bound = fc.oneof(fc.integer({ min: -20, max: 200 }), fc.constantFrom(0.5, -1.25, 1e-3, 99.99, 1000));
const value = fc.oneof(
  fc.constantFrom<unknown>(null, true, false, 0, 1, 2.5, -3, "", "a", "b", "ab", "x-1", "12"),
  fc.constantFrom<unknown>([], [1], ["a", "b"], {}, { a: 1 }, { a: "a", b: [] }),
);
const some = <Model extends Record<string, fc.Arbitrary<unknown>>>(model: Model) =>
  fc.record(model, { requiredKeys: [] });

/** Lengths and counts in the right order more often than not. */
const counts = (least: string, most: string) =>
  fc.tuple(fc.option(count), fc.option(count)).map(([low, more]) => ({
    ...(low !== null && { [least]: low }),
    ...(more !== null && { [most]: (low ?? 0) + more }),
  }));

export const { schema: randomSchema } = fc.letrec<{ schema: unknown; object: unknown; all: unknown }>((tie) => {
  const inner = tie("schema");
  const lists = fc.array(inner, { minLength: 1, maxLength: 3 });
  const kinds = [
    fc.constantFrom<unknown>(true, {}, { type: "boolean" }, { type: "null" }, { type: ["integer", "string"] }),
    fc
      .tuple(some({ pattern, format }), counts("minLength", "maxLength"))
      .map((all) => ({ type: "string", ...all[0], ...all[1] })),
    some({
      minimum: bound,
      maximum: bound,
      exclusiveMinimum: bound,
      exclusiveMaximum: bound,
      multipleOf: fc.constantFrom(1, 3, 0.5, 0.01),
    }).map((all) => ({ type: "number", ...all })),
    some({ minimum: bound, maximum: bound, multipleOf: fc.constantFrom(2, 7) }).map((all) => ({
      type: "integer",
      ...all,
    })),
    fc.array(value, { minLength: 1, maxLength: 5 }).map((values) => ({ enum: values })),
    value.map((one) => ({ const: one })),
    fc
      .tuple(
        some({
          items: inner,
          prefixItems: lists,
          contains: inner,
          uniqueItems: fc.boolean(),
          unevaluatedItems: fc.boolean(),
        }),
        counts("minItems", "maxItems"),
      )
      .map(([{ contains, ...all }, lengths]) => ({
        type: "array",
        ...all,
        // Beside places of their own, the validator takes an empty array for one that contains something.
        ...(contains !== undefined && !("prefixItems" in all) && { contains }),
        ...lengths,
      })),
    fc
      .tuple(
        some({
          properties: fc.dictionary(name, inner, { maxKeys: 3 }),
          required: fc.uniqueArray(name, { maxLength: 2 }),
          additionalProperties: inner,
          patternProperties: fc.dictionary(pattern, inner, { maxKeys: 2 }),
          propertyNames: fc.record({ pattern }),
          dependentRequired: fc.dictionary(name, fc.uniqueArray(name, { maxLength: 2 }), { maxKeys: 2 }),
          dependentSchemas: fc.dictionary(name, inner, { maxKeys: 1 }),
          unevaluatedProperties: fc.boolean(),
        }),
        counts("minProperties", "maxProperties"),
      )
      .map((all) => ({ type: "object", ...all[0], ...all[1] })),
  ];
  const combined = some({
    allOf: lists,
    anyOf: lists,
    oneOf: lists,
    not: inner,
    if: inner,
    then: inner,
    else: inner,
  });
  return {
    object: kinds[7] as fc.Arbitrary<unknown>,
    schema: fc.oneof({ maxDepth: 3, depthSize: "small" }, ...kinds, tie("all")),
    all: fc.tuple(combined, fc.oneof(...kinds)).map(([a, b]) => ({ ...(b === true ? {} : (b as object)), ...a })),
  };
});
