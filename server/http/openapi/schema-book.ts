/** The JSON Schemas of a description: named ones as components, referenced by `$ref` elsewhere. */
import { z } from "zod";
import { isObject } from "../../contract/is-object.ts";
import { mapSchemas, type JsonSchema } from "../../json-schema/json-schema.ts";
import { defaultInWords } from "./defaults.ts";

export type OpenApiObject = Record<string, unknown>;

/** The same schema as the root of an XML document, `<result>`. */
export const asXml = (schema: OpenApiObject): OpenApiObject => ({ ...schema, xml: { name: "result" } });

/** Bodies outside of the conventions, by media type. */
export const byMediaType = (
  schemas: Readonly<Record<string, z.ZodType>>,
  book: SchemaBook,
  direction: Direction,
): Record<string, { schema: OpenApiObject }> =>
  Object.fromEntries(Object.entries(schemas).map(([type, schema]) => [type, { schema: book.of(schema, direction) }]));

/** XML writes the items of an array as `<item>`; JSON ignores this. */
const withItemNames = (schema: OpenApiObject): OpenApiObject =>
  schema["type"] === "array" && isObject(schema["items"])
    ? { ...schema, items: { ...schema["items"], xml: { name: "item" } }, xml: { wrapped: true } }
    : schema;

/**
 * Whether a schema describes parameters of a request, its body, or an answer; defaults and coercion make them differ.
 */
export type Direction = "parameters" | "body" | "output";

const componentPath = "#/components/schemas/";
const isName = /^[A-Z][A-Za-z0-9]*$/;
const dropped = new Set(["$schema", "$id", "id", "$defs", "definitions"]);
/**
 * Objects whose `title` is a valid type name become components of that name. Different ones of the same title get
 * numbers.
 */
export function createSchemaBook() {
  const components: Record<string, OpenApiObject> = {};

  /** Adds a JSON Schema under a name, and returns the reference to it. */
  function name(title: string, schema: OpenApiObject): OpenApiObject {
    const text = JSON.stringify(schema);
    for (let count = 1; ; count++) {
      const candidate = count === 1 ? title : `${title}${String(count)}`;
      const known = components[candidate];
      if (known && JSON.stringify(known) !== text) continue;
      components[candidate] = schema;
      return { $ref: componentPath + candidate };
    }
  }

  function convert(schema: z.ZodType, direction: Direction): OpenApiObject {
    const root = z.toJSONSchema(schema, {
      io: direction === "output" ? "output" : "input",
      target: "draft-2020-12",
      unrepresentable: "any",
    }) as OpenApiObject;
    const definitions = { ...(root["definitions"] as OpenApiObject), ...(root["$defs"] as OpenApiObject) };
    const prefix = typeof root["title"] === "string" && isName.test(root["title"]) ? root["title"] : "Schema";
    const names = new Map<string, string>([["#", componentPath + prefix]]);
    for (const one of Object.keys(definitions)) {
      const own = `${prefix}${one.replace(/[^A-Za-z0-9]+/g, "")}`;
      for (const place of ["$defs", "definitions"]) names.set(`#/${place}/${one}`, componentPath + own);
    }
    for (const [one, definition] of Object.entries(definitions))
      components[(names.get(`#/$defs/${one}`) ?? "").slice(componentPath.length)] = level(definition as OpenApiObject);
    return level(root);

    /** One schema with all its parts; named parts become references. */
    function level(node: OpenApiObject): OpenApiObject {
      const written = Object.entries(node).filter(
        ([keyword, value]) => !dropped.has(keyword) && !(direction === "output" && isSafeBound(keyword, value)),
      );
      const { $ref } = node;
      const renamed = {
        ...Object.fromEntries(written),
        ...(typeof $ref === "string" && { $ref: names.get($ref) ?? $ref }),
      };
      return withItemNames(mapSchemas(renamed, below));
    }
    function below(schema: JsonSchema): JsonSchema {
      if (!isObject(schema)) return schema;
      return referTo(level(direction === "body" ? defaultInWords(schema) : schema));
    }
  }

  /** The limits of exact numbers in JavaScript, which only clutter the description. */
  const isSafeBound = (keyword: string, value: unknown) =>
    (keyword === "minimum" || keyword === "maximum") && Math.abs(Number(value)) === Number.MAX_SAFE_INTEGER;

  function referTo(schema: OpenApiObject): OpenApiObject {
    const { title, ...rest } = schema;
    return typeof title === "string" && isName.test(title) && schema["type"] === "object" ? name(title, rest) : schema;
  }

  /** The target of a reference; any other schema itself. */
  function resolve(schema: OpenApiObject): OpenApiObject {
    const { $ref } = schema;
    return typeof $ref === "string" ? (components[$ref.slice(componentPath.length)] ?? schema) : schema;
  }

  return {
    /** The schema with references to named ones in it; a reference when it has a name itself. */
    of: (schema: z.ZodType, direction: Direction): OpenApiObject => referTo(convert(schema, direction)),
    /** The same, but with the outermost level inlined, so that its properties can be read. */
    spelledOut: convert,
    name,
    resolve,
    /** All named schemas, by name. */
    components: components as Readonly<typeof components>,
  };
}
export type SchemaBook = ReturnType<typeof createSchemaBook>;
