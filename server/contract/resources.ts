/** What all resources share: ids, paging, and the operations that every collection has. */
import { z } from "zod";
import { endpoint, type EndpointSpec } from "./endpoint.ts";

export const idParams = z.object({ id: z.coerce.number().int().positive().max(Number.MAX_SAFE_INTEGER) });

/** The most items a page may hold; a larger page_size is 400 (spec: Limits). */
export const maxPageSize = 100;

const pageFields = (limit: number) => ({
  page: z.coerce.number().int().min(1).max(1_000_000).default(1),
  page_size: z.coerce
    .number()
    .int()
    .min(1)
    .max(limit)
    .default(Math.min(20, limit))
    .describe(`Items per page, at most ${String(limit)}.`),
});

/** Members that the server adds to every resource. */
export const ownFields = {
  id: z.number().int(),
  owner_uid: z.string().describe("Who created it."),
  created_at: z.string(),
  updated_at: z.string(),
};

export interface ResourceShape {
  /** Plural noun of the path: `articles`. */
  readonly name: string;
  /** In an operationId: `Article`. */
  readonly singular: string;
  /** What a client sends. */
  readonly input: z.ZodType;
  /** What it gets beside ownFields; without the secret fields. */
  readonly output: z.ZodObject;
  readonly pageLimit: number;
  /** Fields that the query may filter and sort by. */
  readonly filterFields: readonly string[];
}

/** The five operations of a collection. `list` takes filters by field, `q`, `sort` and paging. */
export function resourceEndpoints({ name, singular, input, output, pageLimit, filterFields }: ResourceShape) {
  const base = { tag: name, access: "login" } as const;
  const item = { ...base, path: `/api/${name}/{id}`, params: idParams } as const;
  const data = z.object({ ...ownFields, ...output.shape });
  const filters = Object.fromEntries(
    filterFields.map((field) => [field, z.string().optional().describe(`Only items whose ${field} is this.`)]),
  );
  const query = z.object({
    ...filters,
    q: z.string().max(200).optional().describe("Only items that contain this text."),
    sort: z
      .string()
      .max(200)
      .optional()
      .describe(
        `Fields to sort by, with commas between; '-' before one turns it round. Of: id, created_at, updated_at, ${filterFields.join(", ")}.`,
      ),
    ...pageFields(pageLimit),
  });
  const plural = name.charAt(0).toUpperCase() + name.slice(1);
  return {
    list: endpoint({
      ...base,
      id: `list${plural}`,
      method: "GET",
      path: `/api/${name}`,
      status: 200,
      query,
      data: z.array(data),
    }),
    create: endpoint({
      ...base,
      id: `create${singular}`,
      method: "POST",
      path: `/api/${name}`,
      status: 201,
      body: input,
      data,
    }),
    get: endpoint({ ...item, id: `get${singular}`, method: "GET", status: 200, data, errors: [403, 404] }),
    replace: endpoint({
      ...item,
      id: `replace${singular}`,
      method: "PUT",
      status: 200,
      body: input,
      data,
      errors: [403, 404, 412],
    }),
    update: endpoint({
      ...item,
      id: `update${singular}`,
      method: "PATCH",
      status: 200,
      body: z
        .record(z.string(), z.unknown())
        .describe("A merge patch (RFC 7396): members to change; null removes one."),
      textBody: input,
      data,
      errors: [403, 404, 412],
    }),
    remove: endpoint({ ...item, id: `delete${singular}`, method: "DELETE", status: 204, errors: [403, 404, 412] }),
  } satisfies Record<string, EndpointSpec>;
}
