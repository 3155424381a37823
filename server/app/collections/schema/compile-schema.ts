/** Compiles a user's JSON Schema (draft 2020-12) to a check of items. Imported only when there is a schema file. */
import { message, type Message } from "../../../contract/messages/message.ts";
import { isObject } from "../../../contract/is-object.ts";
import { hasFormat } from "../../../json-schema/formats.ts";
import { visitSchemas, type JsonSchema, type SchemaObject } from "../../../json-schema/json-schema.ts";
import type { Problem } from "../../../json-schema/outcome.ts";
import { schemaReferences, type SchemaReferences, type Target } from "../../../json-schema/schema-references.ts";
import { schemaValidator, type Validate } from "../../../json-schema/schema-validator.ts";
import { OutOfTimeError, withinDeadline } from "../../../foreign/within-deadline.ts";
import { fillDefaults, type DefaultTools } from "./fill-defaults.ts";
import { metaSchema, metaSchemas } from "./meta-schemas.ts";
import { misspeltOf } from "./keywords.ts";
import { SchemaError } from "./schema-error.ts";

/** Checks a value and inserts the schema's defaults into it. The list is empty when it is valid. */
export type CompiledSchema = (value: unknown) => readonly Problem[];
export type CompileSchema = (schema: SchemaObject) => CompiledSchema;

/** Limits the size of a schema, because the time of checking by it grows with it. */
const mostSchemas = 5_000;
const unsupported = ["$vocabulary"];

/** Patterns, each compiled once; the one that was tested last is remembered, so that a timeout can name it. */
function createPatterns() {
  const compiled = new Map<string, RegExp>();
  let tried = "";
  return {
    matches: (source: string, text: string): boolean => {
      let expression = compiled.get(source);
      if (expression === undefined) compiled.set(source, (expression = new RegExp(source, "u")));
      tried = source;
      return expression.test(text);
    },
    tried: () => tried,
    forget() {
      tried = "";
    },
  };
}

/** By the standard's own schema of schemas. */
const validateSchema = () =>
  schemaValidator(metaSchema, schemaReferences(metaSchema, metaSchemas), {
    matches: (pattern, text) => new RegExp(pattern, "u").test(text),
    hasFormat: () => true,
  });

/**
 * Makes a compiler that keeps no schema. It throws SchemaError naming the invalid keyword. A value whose check exceeds
 * the deadline is invalid, because patterns may take for ever.
 */
export function createSchemaCompiler(deadlineMs: number): CompileSchema {
  const isSchema = validateSchema();
  return (schema) => {
    const references = schemaReferences(schema, metaSchemas);
    inspect(schema, references, isSchema);
    const patterns = createPatterns();
    const validate = schemaValidator(schema, references, { ...patterns, hasFormat });
    return (value) => {
      patterns.forget();
      try {
        return withinDeadline(deadlineMs, () => checked(value, schema, { ...patterns, references, validate }));
      } catch (error) {
        if (error instanceof RangeError) return [{ path: [], message: message("is.endless") }];
        if (!(error instanceof OutOfTimeError)) throw error;
        const tried = patterns.tried();
        const slow =
          tried === ""
            ? message("is.slow", { deadlineMs })
            : message("is.slowAt", { pattern: JSON.stringify(tried), deadlineMs });
        return [{ path: [], message: slow }];
      }
    };
  };
}

/** With the schema's defaults in place; without them, where only these are at fault. */
function checked(value: unknown, schema: SchemaObject, by: DefaultTools): readonly Problem[] {
  const takeOut = fillDefaults(value, schema, by);
  const problems = by.validate(value);
  if (problems.length === 0 || takeOut === undefined) return problems;
  takeOut();
  return by.validate(value).length === 0 ? [] : problems;
}

/** Looks through a schema and all that it refers to. @throws SchemaError */
function inspect(root: SchemaObject, references: SchemaReferences, isSchema: Validate): void {
  const seen = new Set<JsonSchema>(metaSchemas.values());
  const referring: [schema: SchemaObject, path: readonly string[]][] = [];

  function look(part: SchemaObject, at: readonly string[]): void {
    visitSchemas(part, (one, path) => {
      if (seen.has(one)) return;
      seen.add(one);
      if (seen.size > mostSchemas + metaSchemas.size)
        throw new SchemaError(message("schema.large", { most: mostSchemas }), []);
      refusePatterns(one, [...at, ...path]);
      referring.push([one, [...at, ...path]]);
    });
    const [deepest] = isSchema(part).toSorted((a, b) => b.path.length - a.path.length);
    if (deepest) throw new SchemaError(deepest.message, [...at, ...deepest.path]);
    visitSchemas(part, (one, path) => void refuseWords(one, [...at, ...path]));
  }

  look(root, []);
  for (const [schema, path] of referring) {
    const { $ref, $dynamicRef } = schema;
    const targets = [
      ...(typeof $ref === "string" ? [targetOf(references.target(schema, $ref), $ref, [...path, "$ref"])] : []),
      ...(typeof $dynamicRef === "string"
        ? [targetOf(references.target(schema, $dynamicRef), $dynamicRef, [...path, "$dynamicRef"])]
        : []),
    ];
    for (const target of targets)
      if (isObject(target) && !seen.has(target) && !metaSchemas.has(references.addressOf(target))) look(target, path);
  }
}

function targetOf(target: Target, reference: string, path: readonly string[]): JsonSchema {
  if (target === "elsewhere") throw new SchemaError(message("schema.outside", { reference }), path);
  if (target === "nowhere") throw new SchemaError(message("schema.nowhere", { reference }), path);
  return target;
}

function refuseWords(schema: SchemaObject, path: readonly string[]): void {
  for (const keyword of Object.keys(schema)) {
    const refusing = (why: Message) => new SchemaError(why, [...path, keyword]);
    if (unsupported.includes(keyword)) throw refusing(message("schema.anchor"));
    const meant = misspeltOf(keyword);
    if (meant !== undefined) throw refusing(message("schema.keyword", { meant }));
  }
}

function refusePatterns({ pattern, patternProperties }: SchemaObject, path: readonly string[]): void {
  const patterns = [
    ...(typeof pattern === "string" ? [[pattern, "pattern"]] : []),
    ...Object.keys(isObject(patternProperties) ? patternProperties : {}).map((one) => [one, "patternProperties"]),
  ] as [string, string][];
  for (const [one, keyword] of patterns) {
    try {
      new RegExp(one, "u");
    } catch (error) {
      const problem = (error as Error).message.replace(/^Invalid regular expression: /, "");
      throw new SchemaError(message("schema.pattern", { problem }), [...path, keyword]);
    }
  }
}
