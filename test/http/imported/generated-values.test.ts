import { Ajv2020 } from "ajv/dist/2020.js";
import formats from "ajv-formats";
import fc from "fast-check";
import { expect, it } from "vitest";
import { generateExample } from "../../../server/app/collections/rows/generate-example.ts";
import { createJudge } from "../../../server/app/imported/schema-judge.ts";
import type { SchemaObject } from "../../../server/json-schema/json-schema.ts";

const ajv = new Ajv2020({ strict: false, addUsedSchema: false });
(formats as unknown as typeof formats.default)(ajv);

const leaf = fc.oneof(
  fc.record({
    type: fc.constant("integer"),
    minimum: fc.integer({ min: -9, max: 0 }),
    maximum: fc.integer({ min: 1, max: 9 }),
  }),
  fc.record({ type: fc.constant("string"), minLength: fc.nat(5), maxLength: fc.integer({ min: 5, max: 30 }) }),
  fc.record({
    type: fc.constant("string"),
    format: fc.constantFrom("date", "date-time", "email", "uuid", "uri", "ipv4"),
  }),
  fc.record({ enum: fc.array(fc.jsonValue({ maxDepth: 1 }), { minLength: 1, maxLength: 3 }) }),
  fc.record({ type: fc.constantFrom("boolean", "null", ["number", "null"]) }),
  fc.constant({ $ref: "#/components/schemas/node" }),
);
const { schema } = fc.letrec<{ schema: SchemaObject }>((tie) => ({
  schema: fc.oneof(
    { maxDepth: 3 },
    leaf,
    fc.record({
      type: fc.constant("array"),
      items: tie("schema"),
      minItems: fc.nat(2),
      maxItems: fc.integer({ min: 2, max: 4 }),
    }),
    fc.dictionary(fc.constantFrom("a", "b", "c", "d"), tie("schema"), { maxKeys: 4 }).map((properties) => ({
      type: "object",
      properties,
      required: Object.keys(properties).slice(0, 2),
      additionalProperties: false,
    })),
    fc.record({ anyOf: fc.array(tie("schema"), { minLength: 1, maxLength: 3 }) }),
  ),
}));
const node = {
  type: "object",
  required: ["value"],
  properties: { value: { type: "integer" }, next: { $ref: "#/components/schemas/node" } },
};

it("A generated value is valid for its schema, and the same each time", () => {
  fc.assert(
    fc.property(schema, (one) => {
      const document = { components: { schemas: { node } }, one };
      const { problemsOf } = createJudge(document);
      const generate = () => generateExample(document, one, (value) => problemsOf(value, one).length === 0);
      const made = generate();
      expect(made).toEqual(generate());
      expect(made).toBeDefined();
      expect(ajv.validate({ ...document, $ref: "#/one" }, made?.value)).toBe(true);
    }),
    { numRuns: 150 },
  );
});
