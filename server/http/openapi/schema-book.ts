/** JSON Schemas of a description: named ones once under components, `$ref` in all other places. */
import { z } from "zod";
import { isObject } from "../../contract/is-object.ts";
import { mapSchemas, type JsonSchema } from "../../json-schema/json-schema.ts";

export type JsonObject = Record<string, unknown>;

/** The same schema where it stands for a whole XML document, whose root is `<result>`. */
export const asXml = (schema: JsonObject): JsonObject => ({ ...schema, xml: { name: "result" } });

/** Bodies that are written or read apart from the conventions: each by its media type. */
export const byMediaType = (
  schemas: Readonly<Record<string, z.ZodType>>,
  book: SchemaBook,
  direction: Direction,
): Record<string, { schema: JsonObject }> =>
  Object.fromEntries(Object.entries(schemas).map(([type, schema]) => [type, { schema: book.of(schema, direction) }]));

/** XML writes the items of an array as `<item>`; JSON ignores this. */
const withItemNames = (schema: JsonObject): JsonObject =>
  schema["type"] === "array" && isObject(schema["items"])
    ? { ...schema, items: { ...schema["items"], xml: { name: "item" } }, xml: { wrapped: true } }
    : schema;

/** Whether a schema says what is sent or what is answered; defaults and coercion make them differ. */
export type Direction = "input" | "output";

export interface SchemaBook {
  /** The schema in place, with references to the named ones in it; itself a reference when it has a name. */
  of(schema: z.ZodType, direction: Direction): JsonObject;
  /** The same, but the outermost level is written out, so that its properties can be read. */
  spelledOut(schema: z.ZodType, direction: Direction): JsonObject;
  /** Gives a schema that is already JSON a name, and answers the reference to it. */
  name(title: string, schema: JsonObject): JsonObject;
  /** What a reference stands for; any other schema itself. */
  resolve(schema: JsonObject): JsonObject;
  /** All named schemas, by name. */
  readonly components: Readonly<Record<string, JsonObject>>;
}

const componentPath = "#/components/schemas/";
const isName = /^[A-Z][A-Za-z0-9]*$/;
const dropped = new Set(["$schema", "$id", "id", "$defs", "definitions"]);
/**
 * Objects with a `title` that could be a type's name become components of that name. Two different ones of the same title
 * are told apart by a number.
 */
export function createSchemaBook(): SchemaBook {
  const components: Record<string, JsonObject> = {};

  function name(title: string, schema: JsonObject): JsonObject {
    const text = JSON.stringify(schema);
    for (let count = 1; ; count++) {
      const candidate = count === 1 ? title : `${title}${String(count)}`;
      const known = components[candidate];
      if (known && JSON.stringify(known) !== text) continue;
      components[candidate] = schema;
      return { $ref: componentPath + candidate };
    }
  }

  function convert(schema: z.ZodType, direction: Direction): JsonObject {
    const root = z.toJSONSchema(schema, {
      io: direction,
      target: "draft-2020-12",
      unrepresentable: "any",
    }) as JsonObject;
    const definitions = { ...(root["definitions"] as JsonObject), ...(root["$defs"] as JsonObject) };
    const prefix = typeof root["title"] === "string" && isName.test(root["title"]) ? root["title"] : "Schema";
    const names = new Map<string, string>([["#", componentPath + prefix]]);
    for (const one of Object.keys(definitions)) {
      const own = `${prefix}${one.replace(/[^A-Za-z0-9]+/g, "")}`;
      for (const place of ["$defs", "definitions"]) names.set(`#/${place}/${one}`, componentPath + own);
    }
    for (const [one, definition] of Object.entries(definitions))
      components[(names.get(`#/$defs/${one}`) ?? "").slice(componentPath.length)] = level(definition as JsonObject);
    return level(root);

    /** One schema with everything below it; named ones below become references. */
    function level(node: JsonObject): JsonObject {
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
      return isObject(schema) ? referTo(level(schema)) : schema;
    }
  }

  /** Numbers that JavaScript holds exactly: true of every answer, and no help to anybody. */
  const isSafeBound = (keyword: string, value: unknown) =>
    (keyword === "minimum" || keyword === "maximum") && Math.abs(Number(value)) === Number.MAX_SAFE_INTEGER;

  function referTo(schema: JsonObject): JsonObject {
    const { title, ...rest } = schema;
    return typeof title === "string" && isName.test(title) && schema["type"] === "object" ? name(title, rest) : schema;
  }

  function resolve(schema: JsonObject): JsonObject {
    const { $ref } = schema;
    return typeof $ref === "string" ? (components[$ref.slice(componentPath.length)] ?? schema) : schema;
  }

  return {
    of: (schema, direction) => referTo(convert(schema, direction)),
    spelledOut: convert,
    name,
    resolve,
    components,
  };
}
