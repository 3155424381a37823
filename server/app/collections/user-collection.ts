/** A collection that a user defines by a file. */
import { issueOf } from "../../contract/messages/issue-of.ts";
import { z } from "zod";
import { isObject } from "../../contract/is-object.ts";
import type { SchemaObject } from "../../json-schema/json-schema.ts";
import { withId, type TextIdKind } from "../../contract/app/item-ids.ts";
import { ownFields, type Relation, type ResourceShape } from "../../contract/app/resources.ts";
import type { JsonSource } from "./json-source.ts";
import type { CompiledSchema } from "./schema/compile-schema.ts";
import { describeSchema } from "./schema/describe-schema.ts";
import type { Secrets } from "../../json-schema/schema-secrets.ts";
import type { XHearth } from "./schema/x-hearth.ts";

/** The input of the collection engine. */
export interface UserDefinition extends ResourceShape {
  readonly access: "login" | "none";
  readonly isExact: true;
  readonly deepFields: readonly string[];
  readonly privateField?: string;
  readonly ownerOnly: boolean;
  readonly searchFields: readonly string[];
  readonly serverFields: readonly string[];
  readonly uniqueFields: readonly string[];
  readonly secretFields: readonly string[];
  readonly relations: readonly Relation[];
  readonly isReadable: boolean;
  /** All secrets of an item, nested ones included. */
  readonly secrets?: Secrets | undefined;
}

export interface UserCollection {
  readonly definition: UserDefinition;
  readonly options: XHearth;
  readonly schema: SchemaObject;
  readonly check: CompiledSchema;
  /** Finds the places of the schema's members in its file. */
  readonly placeOf: JsonSource["placeOf"];
}

/** Members that the server writes. A client that sends an item back includes them. */
export const serverMembers = Object.keys(ownFields);

/** The input of clients, checked and described by the user's schema. */
export function inputOf(schema: SchemaObject, check: CompiledSchema, idKind: TextIdKind | undefined): z.ZodType {
  const isOwn = (name: string) => serverMembers.includes(name) && !(name === "id" && idKind !== undefined);
  function writable(value: unknown): unknown {
    if (!isObject(value)) return value;
    const item = Object.fromEntries(Object.entries(value).filter(([name]) => !isOwn(name)));
    return idKind === undefined || item["id"] === undefined ? item : withId(idKind, item);
  }
  return z
    .unknown()
    .transform((value, context): unknown => {
      const item = writable(value);
      for (const { path, message } of check(item)) context.addIssue({ ...issueOf(message), path: [...path] });
      return item;
    })
    .meta(describeSchema(schema, { answered: false }));
}

/**
 * The answer to clients: described by the schema but not checked by it, because items stored under an older version
 * must still be answered. Members that the schema does not name are included where it allows some.
 */
export function outputOf(schema: SchemaObject, relations: readonly Relation[]): z.ZodObject {
  const { properties, required, additionalProperties, patternProperties, $defs } = describeSchema(schema, {
    answered: true,
  });
  const members = Object.entries((properties ?? {}) as Record<string, SchemaObject | boolean>);
  const demanded = new Set((required ?? []) as string[]);
  const shape = Object.fromEntries(
    members.map(([name, described]) => {
      // A transformation would make the member required in the description.
      const lenient = z.unknown().optional();
      const member = demanded.has(name) ? lenient.transform((value) => value) : lenient;
      const relation = relations.find(({ field }) => field === name);
      return [name, typeof described === "object" ? member.meta(orItem(described, relation)) : member];
    }),
  );
  const isClosed = additionalProperties === false && patternProperties === undefined;
  const output = isClosed ? z.object(shape) : z.object(shape).catchall(z.unknown());
  return output.meta({ ...($defs !== undefined && { $defs }) });
}

/** The schema of a relation's id, or of the item that `expand` puts in its place. */
function orItem(id: SchemaObject, relation: Relation | undefined): SchemaObject {
  if (!relation) return id;
  const { description, ...rest } = id;
  const item = { type: "object", description: `The item of ${relation.to}, where \`expand\` names this field.` };
  return { ...(description !== undefined && { description }), anyOf: [rest, item] };
}
