/** The operations of a collection below the item that its items refer to: `/api/books/{id}/chapters`. */
import { z } from "zod";
import { endpoint, type EndpointSpec } from "../endpoint.ts";
import {
  describedInput,
  itemParams,
  operationParts,
  pascalCase,
  type Relation,
  type ResourceShape,
} from "./resources.ts";

export function nestedEndpoints(shape: ResourceShape, { field, to, isText }: Relation) {
  const { name, singular } = shape;
  const { base, data, body, ignoredMembers, query, listed, plural } = operationParts(shape, field);
  const params = itemParams(isText ? "string" : undefined);
  const below = { ...base, path: `/api/${to}/{id}/${name}`, params, errors: [403, 404] } as const;
  const parent = pascalCase(to);
  return {
    /**
     * Returns a page of the {plural} that refer to this item. Filters, sorting and paging work as in the list of all
     * {plural}.
     */
    list: endpoint({
      ...below,
      ...listed,
      id: `list${plural}Of${parent}`,
      member: `${name}.listNested`,
      method: "GET",
      status: 200,
      query,
      data: z.array(data),
      replyHeaders: ["Link", "X-Total-Count"],
      requestHeaders: ["If-None-Match"],
      alsoAnswers: [304],
    }),
    /** Adds an item to the {plural} that refers to this item. The body may omit the referring field. */
    create: endpoint({
      ...below,
      id: `create${singular}Of${parent}`,
      member: `${name}.createNested`,
      method: "POST",
      status: 201,
      body: describedInput(body, `${singular}Of${parent}Input`, field),
      textBody: body,
      ignoredMembers,
      data,
      replyHeaders: ["Location", "ETag"],
      ...(shape.idKind !== undefined && { errors: [403, 404, 409] }),
    }),
  } satisfies Record<string, EndpointSpec>;
}
