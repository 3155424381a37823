/** The common parts of all resources: ids, paging, and the operations of every collection. */
import { z } from "zod";
import { endpoint, type EndpointSpec } from "../endpoint.ts";
import { escapePattern } from "../escape-pattern.ts";
import { wholeNumber } from "../whole-number.ts";
import { idSchemas, mostIdCharacters, type ItemId, type TextIdKind } from "./item-ids.ts";

export const idParams = z.object({ id: wholeNumber(z.int().positive().max(Number.MAX_SAFE_INTEGER)) });

/** The path of an item. A text that is no id of the kind is that of no item (404). */
export const itemParams = (kind: TextIdKind | undefined): z.ZodObject<{ id: z.ZodType<ItemId> }> =>
  kind === undefined ? idParams : z.object({ id: z.string().min(1).max(mostIdCharacters).meta(idSchemas[kind]) });

/** The most items a page may hold; a larger page_size is 400 (spec: Limits 4). */
export const maxPageSize = 100;

const pageFields = (limit: number) => ({
  page: wholeNumber(z.int().min(1).max(1_000_000)).default(1).describe("Number of the page, from 1."),
  page_size: wholeNumber(z.int().min(1).max(limit))
    .default(Math.min(20, limit))
    .describe(`Items per page, at most ${String(limit)}. More is refused.`),
});

/** The paging of a list that has no filters. */
export const pageQuery = (limit: number) => z.object(pageFields(limit));

/** Members that the server adds to every resource. */
export const ownFields = {
  id: z
    .number()
    .int()
    .meta({ examples: [1] }),
  owner_uid: z
    .string()
    .describe("Uid of the creator.")
    .meta({ examples: ["u1"] }),
  created_at: z.string().meta({ format: "date-time", examples: ["2026-11-20T08:30:00.000Z"] }),
  updated_at: z.string().meta({ format: "date-time", examples: ["2026-11-20T08:30:00.000Z"] }),
};

/** A field that holds the id of an item of another collection, or of its own. */
export interface Relation {
  readonly field: string;
  /** The name of the collection that the id is of. */
  readonly to: string;
  /** Whether the ids of that collection are texts. */
  readonly isText: boolean;
}

export interface ResourceShape {
  /** The kind of its ids, where they are texts. Those of other collections are whole numbers, counted by the server. */
  readonly idKind?: TextIdKind;
  /** Plural noun of the path: `articles`. */
  readonly name: string;
  /** Part of the operationId, and the name of the schema: `Article`. */
  readonly singular: string;
  /**
   * The description by its author, if it was added after the build; those of built-in ones are in the documentation
   * file.
   */
  readonly about?: string;
  /** `login` unless given; with `none` items have no owner. */
  readonly access?: "login" | "none";
  /** The clients' input. */
  readonly input: z.ZodType;
  /** The members of an answer beside ownFields, without the secret fields. */
  readonly output: z.ZodObject;
  readonly pageLimit: number;
  /** Fields that the query may filter and sort by, beside ownFields. */
  readonly filterFields: readonly string[];
  /** Whether its items are answered exactly as they are stored, null members among them. */
  readonly isExact?: boolean;
  /** Fields inside of others, and lists of scalars, that the query may filter by. None unless given. */
  readonly deepFields?: readonly string[];
  /** Fields that refer to items. None unless given. */
  readonly relations?: readonly Relation[];
}

/** Members of every resource that a list can be sorted by. */
export const ownSortFields = ["id", "created_at", "updated_at"];

/** How many relations `expand` follows from one item to the next. */
export const maxExpandDepth = 3;
/** How many relations one `expand` may name. */
export const maxExpandNames = 10;

/** Names as alternatives of a regular expression. */
const oneOf = (names: readonly string[]) => names.map(escapePattern).join("|");

/** A query contains only text; the description says that it must spell a number, a boolean or one of some texts. */
function scalarType(field: z.ZodType | undefined): { type?: "boolean" | "number" | "integer"; enum?: string[] } {
  const { type: own, anyOf, enum: choices } = field ? z.toJSONSchema(field, { unrepresentable: "any" }) : {};
  if (choices?.every((one) => typeof one === "string") === true) return { enum: choices };
  // A relation is an id, or the item itself.
  const type = [own ?? anyOf?.[0]?.type].flat().find((one) => one !== "null");
  return type === "boolean" || type === "number" || type === "integer" ? { type } : {};
}

/** The query member `expand` of a collection with relations. */
const expandField = (relations: readonly Relation[]) =>
  relations.length === 0
    ? {}
    : {
        expand: z
          .string()
          .max(500)
          .optional()
          .describe(
            `Relations to replace with the item itself, separated by commas: ${relations.map(({ field, to }) => `${field} (${to})`).join(", ")}. A dot continues from there, up to ${String(maxExpandDepth)} levels. Items that the caller may not read stay ids.`,
          )
          .meta({ examples: [relations[0]?.field] }),
      };

/** The input as a description alone, in which a field may be left out: it is checked after the field has been added. */
export function describedInput(input: z.ZodType, title: string, field: string): z.ZodType {
  const { $schema, ...schema } = z.toJSONSchema(input, { io: "input", unrepresentable: "any" });
  void $schema;
  const required = schema.required?.filter((name) => name !== field);
  return z.unknown().meta({ ...schema, title, ...(required && { required }) });
}

/** The parts that the operations of a collection share. `given`: a field that needs no filter. */
export function operationParts(shape: ResourceShape, given?: string) {
  const { name, singular, about, idKind, access = "login", input, output, pageLimit, filterFields } = shape;
  const { relations = [] } = shape;
  const fields: Readonly<Record<string, z.ZodType>> = { ...ownFields, ...(output.shape as Record<string, z.ZodType>) };
  const known = z.object(fields);
  // The fields are known only at run time.
  const data: z.ZodType = (output.def.catchall ? known.catchall(output.def.catchall as z.ZodType) : known).meta({
    ...output.meta(),
    title: singular,
  });
  const title = `${singular}Input`;
  // An id is made, or read from the path, before the check.
  const body = idKind === undefined ? input.meta({ title }) : describedInput(input, title, "id");
  const base = {
    tag: name,
    access,
    ...(about !== undefined && { about }),
    ...(shape.isExact === true && { readAs: input }),
  } as const;
  const params = itemParams(idKind);
  const ignoredMembers = Object.keys(known.shape);
  const sortFields = [...ownSortFields, ...filterFields];
  const filters = Object.fromEntries(
    [...Object.keys(ownFields), ...filterFields]
      .filter((field) => field !== given)
      .map((field) => [
        field,
        z.string().optional().describe(`Only items with this ${field}.`).meta(scalarType(fields[field])),
      ]),
  );
  const fieldsToFilter = new Set([...Object.keys(ownFields), ...filterFields, ...(shape.deepFields ?? [])]);
  const isDeclared = shape.isExact === true && Object.keys(output.shape).length > 0;
  const listed = { filters: { fields: fieldsToFilter, refusesOthers: isDeclared } };
  const expand = expandField(relations);
  const query = z.object({
    ...filters,
    q: z.string().max(200).optional().describe("Only items that contain this text."),
    sort: z
      .string()
      .max(200)
      .optional()
      .describe(`Fields to sort by, separated by commas; '-' reverses one. Fields: ${sortFields.join(", ")}.`)
      .meta({ pattern: `^-?(${oneOf(sortFields)})(,-?(${oneOf(sortFields)}))*$` }),
    ...expand,
    ...pageFields(pageLimit),
  });
  const one = relations.length === 0 ? {} : { query: z.object(expand) };
  return { base, params, data, body, ignoredMembers, query, listed, one, plural: pascalCase(name) };
}

/** `line-items` → `LineItems`, the form of identifiers in the API description. */
export const pascalCase = (name: string) => name.replace(/(?:^|-)(\w)/g, (_, first: string) => first.toUpperCase());

/**
 * The operations of a collection. `list` takes filters by field, `q`, `sort` and paging. The comment on each is its text in
 * the documentation file, where `{plural}` stands for the collection's name.
 */
export function resourceEndpoints(shape: ResourceShape) {
  const { name, singular } = shape;
  const { base, params, data, body, ignoredMembers, query, listed, one, plural } = operationParts(shape);
  const item = { ...base, path: `/api/${name}/{id}`, params } as const;
  const changing = {
    requestHeaders: ["If-Match", "If-None-Match", "Prefer"],
    replyHeaders: ["ETag"],
    alsoAnswers: [204],
    errors: [403, 404, 412],
  } as const;
  return {
    /**
     * Returns a page of the {plural} that the caller may see, newest first by default. `sort` changes the order. The
     * headers Link and X-Total-Count name the other pages and the total.
     */
    list: endpoint({
      ...base,
      ...listed,
      id: `list${plural}`,
      member: `${name}.list`,
      method: "GET",
      path: `/api/${name}`,
      status: 200,
      query,
      data: z.array(data),
      replyHeaders: ["Link", "X-Total-Count"],
      requestHeaders: ["If-None-Match"],
      alsoAnswers: [304],
    }),
    /** Adds an item to the {plural}. The item belongs to the caller. The header Location contains its address. */
    create: endpoint({
      ...base,
      id: `create${singular}`,
      member: `${name}.create`,
      method: "POST",
      path: `/api/${name}`,
      status: 201,
      body,
      ignoredMembers,
      data,
      replyHeaders: ["Location", "ETag"],
      ...(shape.idKind !== undefined && { errors: [409] }),
    }),
    /** Returns one of the {plural}. If If-None-Match names the current version, the answer is 304. */
    get: endpoint({
      ...item,
      id: `get${singular}`,
      member: `${name}.get`,
      method: "GET",
      status: 200,
      ...one,
      data,
      requestHeaders: ["If-Match", "If-None-Match"],
      replyHeaders: ["ETag"],
      alsoAnswers: [304],
      errors: [403, 404, 412],
    }),
    /** Replaces one of the {plural} with the body. Omitted fields get their defaults. */
    replace: endpoint({
      ...item,
      ...changing,
      id: `replace${singular}`,
      member: `${name}.replace`,
      method: "PUT",
      status: 200,
      body,
      ignoredMembers,
      data,
    }),
    /** Changes some members of one of the {plural}. The body is a merge patch (RFC 7396): null removes a member. */
    update: endpoint({
      ...item,
      ...changing,
      id: `update${singular}`,
      member: `${name}.update`,
      method: "PATCH",
      status: 200,
      body: z
        .record(z.string(), z.unknown())
        .describe("A merge patch (RFC 7396): members to change; null removes one."),
      textBody: body,
      ignoredMembers,
      data,
    }),
    /**
     * Deletes one of the {plural}. Deleted items cannot be restored. If another item refers to it, the answer is 409.
     */
    remove: endpoint({
      ...item,
      id: `delete${singular}`,
      member: `${name}.remove`,
      method: "DELETE",
      status: 204,
      requestHeaders: ["If-Match", "If-None-Match"],
      errors: [403, 404, 409, 412],
    }),
  } satisfies Record<string, EndpointSpec>;
}
