/** JSON Schemas that people write into files and requests, and what is made of them. */
import fc from "fast-check";
import { describe, expect } from "vitest";
import { isObject } from "../../server/contract/is-object.ts";
import { createSchemaCompiler } from "../../server/app/collections/schema/compile-schema.ts";
import { generateRows } from "../../server/app/collections/rows/generate-rows.ts";
import { readCollection } from "../../server/app/collections/read-collection.ts";
import { readRouteFile } from "../../server/app/collections/route-file.ts";
import { formatGrammar } from "../../server/model/grammar/schema-grammar.ts";
import { OllamaError } from "../../server/model/ollama-error.ts";
import { bookSchema } from "../support/app/user-collections.ts";
import { loopDelay } from "../support/busy-loop.ts";
import { fuzz, refusesBy } from "./families.ts";
import { changed, changedJson } from "./inputs/changes.ts";

const keywords = [
  ...[
    "type",
    "properties",
    "required",
    "items",
    "prefixItems",
    "additionalProperties",
    "patternProperties",
    "enum",
    "const",
  ],
  ...["anyOf", "oneOf", "allOf", "not", "if", "then", "$ref", "$defs", "minimum", "maximum", "multipleOf", "minLength"],
  ...[
    "maxLength",
    "pattern",
    "format",
    "minItems",
    "maxItems",
    "uniqueItems",
    "contains",
    "minContains",
    "minProperties",
  ],
  ...[
    "maxProperties",
    "propertyNames",
    "writeOnly",
    "default",
    "x-hearth",
    "x-faker",
    "description",
    "exclusiveMinimum",
  ],
];
const schemas = [
  bookSchema,
  {
    type: "object",
    properties: {
      name: { type: "string", minLength: 2, maxLength: 5, pattern: "^[a-z]{2,3}(-\\d+)?$" },
      when: { type: "string", format: "date-time" },
      size: { type: ["number", "null"], minimum: 0, maximum: 9, multipleOf: 0.5 },
      tags: { type: "array", items: { enum: ["a", "b", 3] }, minItems: 1, maxItems: 3, uniqueItems: true },
      tree: { $ref: "#/$defs/tree" },
      any: {},
    },
    required: ["name"],
    additionalProperties: false,
    $defs: { tree: { type: "object", properties: { left: { $ref: "#/$defs/tree" }, pin: { writeOnly: true } } } },
    "x-hearth": { generate: { count: 3 }, search: ["name"], unique: ["name"], seed: [{ name: "ab" }] },
  },
  {
    type: "object",
    properties: {
      one: { anyOf: [{ type: "integer" }, { type: "object", properties: { a: { const: 1 } }, required: ["a"] }] },
      two: { allOf: [{ type: "string" }, { minLength: 2 }] },
      three: { type: "array", prefixItems: [{ type: "string" }, { type: "boolean" }] },
      four: { type: "string", "x-faker": "person.fullName" },
    },
  },
];
const schema = changedJson(fc.constantFrom<unknown>(...schemas), keywords);
const text = schema.map((value) => JSON.stringify(value));
const words = ['"', "{", "}", "[", ",", ":", "\\", "\\ud800", "null", "1e999", '"$ref":"#"', '"type":', "//"];

describe("schemas of collections:", () => {
  const compile = createSchemaCompiler(250);

  fuzz("schema files", {
    inputs: fc.oneof(text, changed(text, { words })),
    async read(file) {
      const { check, definition } = await readCollection("books", file, compile);
      for (const item of [{}, { name: "ab", tree: { left: {} } }, { title: "x", any: [[]] }]) {
        check(structuredClone(item));
        definition.secrets?.putBack(item, definition.secrets.hide(item));
      }
    },
    refuses: refusesBy("FileProblem"),
  });

  fuzz("made-up items", {
    inputs: text,
    async read(file) {
      const { schema: given, check } = await readCollection("books", file, compile);
      const wanted = { count: 2, seed: 1, unique: [], existing: [], privateField: undefined };
      expect(await generateRows(given, check, wanted)).toHaveLength(2);
    },
    clock: loopDelay(), // others run between two tries
    refuses: refusesBy("FileProblem", "SchemaError"),
  });

  const routes = changedJson(
    fc.constant({
      routes: [{ path: "/api/weather/{city}", method: "POST", body: { degrees: 21 }, headers: { "X-A": "b" } }],
    }),
    ["routes", "path", "method", "status", "headers", "body", "delayMs", "access", "description"],
  ).map((value) => JSON.stringify(value));

  fuzz("route files", {
    inputs: fc.oneof(routes, changed(routes, { words: [...words, "{a}", "/", "%"] })),
    read: (file) => readRouteFile(file, []),
    refuses: refusesBy("FileProblem"),
  });
});

describe("schemas of answers:", () => {
  fuzz("grammars of schemas", {
    inputs: schema.map((value) => JSON.parse(JSON.stringify(value)) as unknown),
    read: (given) => (isObject(given) ? formatGrammar(given) : undefined),
    refuses: (error) => error instanceof OllamaError && error.status === 400,
  });
});
