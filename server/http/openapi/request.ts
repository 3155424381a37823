/** Parameters and bodies of requests. */
import type { z } from "zod";
import { isObject } from "../../contract/is-object.ts";
import type { EndpointSpec } from "../../contract/endpoint.ts";
import { exampleOf } from "./example.ts";
import { headerParameters } from "./headers.ts";
import { patchSchema } from "./patch-schema.ts";
import { asXml, byMediaType, type OpenApiObject, type SchemaBook } from "./schema-book.ts";

interface Properties {
  readonly properties: Readonly<Record<string, OpenApiObject>>;
  readonly required: readonly string[];
}

const propertiesOf = (schema: OpenApiObject): Properties => ({
  properties: (isObject(schema["properties"]) ? schema["properties"] : {}) as Record<string, OpenApiObject>,
  required: (schema["required"] ?? []) as string[],
});

/** An enum as index (setting enum_as_text off), with its texts in the description. */
function byIndex(schema: OpenApiObject): OpenApiObject {
  const choices = schema["enum"];
  if (!Array.isArray(choices) || !choices.every((one) => typeof one === "string")) return schema;
  const { default: standard, examples, ...rest } = schema;
  void examples;
  return {
    ...rest,
    type: "integer",
    enum: choices.map((_, index) => index),
    ...(typeof standard === "string" && { default: choices.indexOf(standard) }),
    "x-enum-varnames": choices,
  };
}

const withIndexes = (schema: OpenApiObject): OpenApiObject => ({
  ...schema,
  properties: Object.fromEntries(
    Object.entries(propertiesOf(schema).properties).map(([name, property]) => [name, byIndex(property)]),
  ),
});

/** Parameters of path, query and headers. */
export function parametersOf(spec: EndpointSpec, book: SchemaBook, enumAsText: boolean): OpenApiObject[] {
  const inPlace = (schema: z.ZodType | undefined, where: "path" | "query") => {
    if (!schema) return [];
    const { properties, required } = propertiesOf(book.spelledOut(schema, "parameters"));
    return Object.entries(properties).map(([name, { description, ...rest }]) => {
      const inPlaceSchema = enumAsText ? rest : byIndex(rest);
      return {
        name,
        in: where,
        required: where === "path" || required.includes(name),
        ...(description !== undefined && { description }),
        schema: inPlaceSchema,
        // The page would send the example of an optional parameter with every try.
        ...(where === "path" && { example: exampleOf(inPlaceSchema, book) }),
      };
    });
  };
  return [
    ...inPlace(spec.params, "path"),
    ...inPlace(spec.query, "query"),
    ...headerParameters(spec.requestHeaders ?? []),
  ];
}

const formType = "application/x-www-form-urlencoded";

/** The body, in every format that the server reads. */
export function requestBodyOf(spec: EndpointSpec, book: SchemaBook, enumAsText: boolean): OpenApiObject | undefined {
  if (spec.parts) return multipart(spec.parts, book);
  if (spec.rawBody) return { required: true, content: byMediaType(spec.rawBody, book, "body") };
  if (!spec.body) return undefined;
  if (spec.method === "PATCH" && spec.textBody) return patchBody(spec.textBody, book, enumAsText);
  const written = book.spelledOut(spec.body, "body");
  const schema = enumAsText ? book.of(spec.body, "body") : withIndexes(written);
  const required = propertiesOf(written).required.length > 0;
  const example = exampleOf(schema, book, "required");
  const form = { [formType]: { schema, example } };
  if (spec.bodyType === "form") return { required, content: form };
  return {
    required,
    content: {
      "application/json": { schema, example },
      "application/xml": { schema: asXml(schema) },
      ...(isFlat(written, book) && form),
    },
  };
}

function multipart({ file, fields }: NonNullable<EndpointSpec["parts"]>, book: SchemaBook): OpenApiObject {
  const { properties, required } = propertiesOf(fields ? book.spelledOut(fields, "body") : {});
  const schema = {
    type: "object",
    properties: { [file]: { type: "string", format: "binary", description: "The file." }, ...properties },
    required: [file, ...required],
  };
  return { required: true, content: { "multipart/form-data": { schema } } };
}

/** A form holds texts only. */
const isFlat = (schema: OpenApiObject, book: SchemaBook) =>
  Object.values(propertiesOf(schema).properties).every((property) => {
    const { type, properties } = book.resolve(property);
    return type !== "array" && type !== "object" && properties === undefined;
  });

/** A merge patch of a collection's input. */
function patchBody(input: z.ZodType, book: SchemaBook, enumAsText: boolean): OpenApiObject {
  const written = book.spelledOut(input, "body");
  const { title, ...described } = patchSchema(enumAsText ? written : withIndexes(written), book);
  const schema = { ...described, type: "object" };
  const named = typeof title === "string" ? book.name(`${title.replace(/Input$/, "")}Patch`, schema) : schema;
  // All members of a patch are optional, so the example shows one.
  const example = Object.fromEntries(Object.entries(exampleOf(named, book) ?? {}).slice(0, 1));
  return {
    required: false,
    content: {
      "application/merge-patch+json": { schema: named, example },
      "application/json": { schema: named, example },
      "application/xml": { schema: asXml(named) },
      ...(isFlat(written, book) && { [formType]: { schema: named, example } }),
    },
  };
}
