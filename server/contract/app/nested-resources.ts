/** The operations of a collection below the item that its items refer to: `/api/books/{id}/chapters`. */
import { z } from "zod";
import { endpoint, type EndpointSpec } from "../endpoint.ts";
import { idParams, operationParts, pascalCase, type Relation, type ResourceShape } from "./resources.ts";

/** The client's input, of which the field that refers to the item of the path may be left out. */
function inputBelow(input: z.ZodType, field: string, title: string): z.ZodType {
  const { $schema, ...schema } = z.toJSONSchema(input, { io: "input", unrepresentable: "any" });
  void $schema;
  const required = schema.required?.filter((name) => name !== field);
  // Checked after the field has been added.
  return z.unknown().meta({ ...schema, title, ...(required && { required }) });
}

export function nestedEndpoints(shape: ResourceShape, { field, to }: Relation) {
  const { name, singular } = shape;
  const { base, data, body, ignoredMembers, query, listed, plural } = operationParts(shape, field);
  const below = { ...base, path: `/api/${to}/{id}/${name}`, params: idParams, errors: [403, 404] } as const;
  const parent = pascalCase(to);
  return {
    /** Answers a page of the {plural} that refer to this item, as the list of all {plural} does. */
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
    /** Adds one to the {plural} that refers to this item. The body may leave out the field that does. */
    create: endpoint({
      ...below,
      id: `create${singular}Of${parent}`,
      member: `${name}.createNested`,
      method: "POST",
      status: 201,
      body: inputBelow(shape.input, field, `${singular}Of${parent}Input`),
      textBody: body,
      ignoredMembers,
      data,
      replyHeaders: ["Location", "ETag"],
    }),
  } satisfies Record<string, EndpointSpec>;
}
