import { describe, expect, it } from "vitest";
import { commentOf, formType, memberName, schemaType } from "../../../server/cli/types/schema-type.ts";

describe("the TypeScript type of a JSON Schema", () => {
  it.each([
    [true, "unknown"],
    [false, "never"],
    [{}, "unknown"],
    [{ type: "integer" }, "number"],
    [{ type: ["string", "null"] }, "string | null"],
    [{ enum: ["a", 1, null] }, '"a" | 1 | null'],
    [{ const: { a: 1 } }, '{"a":1}'],
    [{ type: "string", format: "binary" }, "string"],
    [{ type: "object" }, "{ [name: string]: unknown }"],
    [{ type: "object", additionalProperties: { type: "integer" } }, "{ [name: string]: number }"],
    [{ type: "array" }, "unknown[]"],
    [{ type: "array", items: { enum: ["a", "b"] } }, '("a" | "b")[]'],
    [{ type: "array", items: { $ref: "#/components/schemas/Book" } }, "Book[]"],
    [{ type: "array", prefixItems: [{ type: "string" }, { type: "integer" }], items: false }, "[string?, number?]"],
    [
      { type: "array", prefixItems: [{ type: "string" }, { enum: [1, 2] }], minItems: 1 },
      "[string, (1 | 2)?, ...unknown[]]",
    ],
    [
      { type: "array", prefixItems: [{ type: "string" }], items: { enum: [1, 2] }, minItems: 2 },
      "[string, ...(1 | 2)[]]",
    ],
    [{ type: "array", prefixItems: [{ type: "string" }, true], minItems: 2, maxItems: 2 }, "[string, unknown]"],
    [{ type: "array", items: false }, "never[]"],
    [
      { type: "array", items: { anyOf: [{ type: "object", properties: { a: true } }, { type: "null" }] } },
      "({\n  a?: unknown;\n} | null)[]",
    ],
    [
      { allOf: [{ $ref: "#/components/schemas/A" }, { oneOf: [{ type: "string" }, { type: "null" }] }] },
      "A & (string | null)",
    ],
    [{ $ref: "#/elsewhere" }, "unknown"],
  ])("of %j is %s", (schema, type) => {
    expect(schemaType(schema)).toBe(type);
  });

  it("names required and optional members, with their descriptions, and those alone", () => {
    const schema = {
      type: "object",
      required: ["id"],
      properties: { id: { type: "integer", description: "Its\nnumber." }, "a b": { type: "string" } },
      additionalProperties: true,
      anyOf: [{ required: ["a b"] }, { required: ["id"] }],
    };
    expect(schemaType(schema)).toBe('{\n  /** Its number. */\n  id: number;\n  "a b"?: string;\n}');
  });

  it("is a file only as a part of a form", () => {
    const binary = { type: "string", format: "binary" };
    const form = { type: "object", required: ["[]"], properties: { "[]": binary, type: { type: "string" } } };
    expect(formType(form)).toBe('{\n  "[]": globalThis.File;\n  type?: string;\n}');
    expect(schemaType(form)).toBe('{\n  "[]": string;\n  type?: string;\n}');
  });

  it("lets no text end a comment or a name", () => {
    expect(commentOf("over */ there")).toBe("/** over *\\/ there */");
    expect(memberName('a"b')).toBe('"a\\"b"');
  });
});
