/** Where the references of a schema lead: pointers, anchors, and schemas in it that have a name (`$id`) of their own. */
import { isObject } from "../../contract/is-object.ts";
import { resolvePointer, visitSchemas, type JsonSchema, type SchemaObject } from "../../json-schema/json-schema.ts";
import { unenforceable } from "./unenforceable.ts";

export interface SchemaReferences {
  /** What the `$ref` of a schema refers to. @throws OllamaError 400 */
  target(schema: SchemaObject, path: string): JsonSchema;
}

/** Stands for the address that a schema without a name has. */
const nowhere = "schema:/";

function resolved(reference: string, base: string): URL | undefined {
  return URL.canParse(reference, base) ? new URL(reference, base) : undefined;
}
const withoutFragment = ({ href }: URL) => href.replace(/#.*$/s, "");

export function schemaReferences(root: unknown): SchemaReferences {
  const named = new Map<string, JsonSchema>([[nowhere, root as JsonSchema]]);
  const bases = new WeakMap<SchemaObject, string>();

  function read(): void {
    const isOld = isObject(root) && /draft-0[34]/.test(String(root["$schema"]));
    /** Addresses of the schemas on the way down. */
    const around: string[] = [];
    visitSchemas(root, (schema, path) => {
      const outer = around.slice(0, path.length).findLast((base) => base !== "") ?? nowhere;
      const id = schema[isOld ? "id" : "$id"];
      const url = typeof id === "string" ? resolved(id, outer) : undefined;
      const base = url === undefined ? outer : withoutFragment(url);
      around.length = path.length;
      around[path.length] = base;
      bases.set(schema, base);
      if (url !== undefined && !named.has(base)) named.set(base, schema);
      const { $anchor: anchor } = schema;
      if (typeof anchor === "string") named.set(`${base}#${anchor}`, schema);
      if (url !== undefined && url.hash !== "") named.set(url.href, schema);
    });
  }

  return {
    target(schema, path) {
      const { $ref: reference } = schema;
      if (typeof reference !== "string") throw unenforceable("$ref", path, "it must be a text");
      if (!bases.has(schema)) read();
      const url = resolved(reference, bases.get(schema) ?? nowhere);
      const whole = url && named.get(withoutFragment(url));
      if (url === undefined || whole === undefined)
        throw unenforceable("$ref", path, "only references within the schema are followed");
      const found = url.hash === "" ? whole : (named.get(url.href) ?? resolvePointer(whole, url.hash));
      if (found === undefined) throw unenforceable("$ref", path, "nothing is where it points to");
      return found;
    },
  };
}
