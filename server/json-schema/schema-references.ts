/**
 * Resolves the references of a schema: pointers, anchors, and contained schemas with an address (`$id`) of their own.
 */
import { isObject } from "../contract/is-object.ts";
import { containedIn, resolvePointer, type JsonSchema, type SchemaObject } from "./json-schema.ts";

/** A schema, or why there is none: the reference leads to another document, or to a missing place. */
export type Target = JsonSchema | "elsewhere" | "nowhere";

export interface SchemaReferences {
  /** The target of the `$ref` of a schema. */
  target(schema: SchemaObject, reference: string): Target;
  /** The target of its `$dynamicRef`. `scope`: addresses of the entered documents, the outermost first. */
  dynamicTarget(schema: SchemaObject, reference: string, scope: readonly string[]): Target;
  /** All schemas that a `$dynamicRef` may lead to. */
  dynamicTargets(schema: SchemaObject, reference: string): readonly Target[];
  /** The address of the document that a schema belongs to. */
  addressOf(schema: SchemaObject): string;
}

/** The address of a schema without one. */
const unnamed = "schema:/";

function resolved(reference: string, base: string): URL | undefined {
  return URL.canParse(reference, base) ? new URL(reference, base) : undefined;
}
const withoutFragment = ({ href }: URL) => href.replace(/#.*$/s, "");
const anchorIn = (reference: string) => /^[^#]*#([^/].*)$/s.exec(reference)?.[1];

/** `known`: other documents that a reference may lead to, by their addresses. */
export function schemaReferences(
  root: unknown,
  known: ReadonlyMap<string, JsonSchema> = new Map<string, JsonSchema>(),
): SchemaReferences {
  const named = new Map<string, JsonSchema>();
  const dynamic = new Map<string, SchemaObject>();
  const addresses = new WeakMap<SchemaObject, string>();
  const isOld = isObject(root) && /draft-0[34]/.test(String(root["$schema"]));

  function read(schema: unknown, around: string): void {
    if (!isObject(schema) || addresses.has(schema)) return;
    const id = schema[isOld ? "id" : "$id"];
    const url = typeof id === "string" ? resolved(id, around) : undefined;
    const address = url === undefined ? around : withoutFragment(url);
    addresses.set(schema, address);
    if (url !== undefined && !named.has(address)) named.set(address, schema);
    if (url !== undefined && url.hash !== "") named.set(url.href, schema);
    const { $anchor: anchor, $dynamicAnchor: dynamicAnchor } = schema;
    for (const name of [anchor, dynamicAnchor]) if (typeof name === "string") named.set(`${address}#${name}`, schema);
    if (typeof dynamicAnchor === "string") dynamic.set(`${address}#${dynamicAnchor}`, schema);
    for (const [, inner] of containedIn(schema)) read(inner, address);
  }

  function addressOf(schema: SchemaObject): string {
    if (named.size === 0) {
      named.set(unnamed, root as JsonSchema);
      read(root, unnamed);
    }
    return addresses.get(schema) ?? unnamed;
  }

  function documentAt(address: string): JsonSchema | undefined {
    const other = known.get(address);
    if (!named.has(address) && other !== undefined) {
      named.set(address, other);
      read(other, address);
    }
    return named.get(address);
  }

  function target(schema: SchemaObject, reference: string): Target {
    const url = resolved(reference, addressOf(schema));
    const whole = url && documentAt(withoutFragment(url));
    if (url === undefined || whole === undefined) return "elsewhere";
    const found = url.hash === "" ? whole : (named.get(url.href) ?? resolvePointer(whole, url.hash));
    if (found === undefined) return "nowhere";
    // The place was not read as a schema before.
    read(found, withoutFragment(url));
    return found;
  }

  /** The name that a `$dynamicRef` looks up in each document; undefined if it works like a `$ref`. */
  function dynamicName(schema: SchemaObject, reference: string): string | undefined {
    const [name, first] = [anchorIn(reference), target(schema, reference)];
    return isObject(first) && first["$dynamicAnchor"] === name ? name : undefined;
  }

  return {
    addressOf,
    target,
    dynamicTarget(schema, reference, scope) {
      const name = dynamicName(schema, reference);
      const all = name === undefined ? [] : scope.map((address) => dynamic.get(`${address}#${name}`));
      return all.find((one) => one !== undefined) ?? target(schema, reference);
    },
    dynamicTargets(schema, reference) {
      const name = dynamicName(schema, reference);
      if (name === undefined) return [target(schema, reference)];
      return [...dynamic].flatMap(([address, one]) => (anchorIn(address) === name ? [one] : []));
    },
  };
}
