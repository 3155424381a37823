/** The OpenAPI 3.1 description of routes, from the same schemas that validate. */
import { z } from "zod";
import type { EndpointSpec } from "../contract/endpoint.ts";
import { errorBodySchema } from "../contract/error-body.ts";
import { statusPackageHeader, statusPackageSchema } from "../contract/status-package.ts";
import { uploadResultSchema } from "../contract/uploads.ts";

type JsonObject = Record<string, unknown>;

const schemaOf = (schema: z.ZodType, io: "input" | "output"): JsonObject => {
  const { $schema, ...rest } = z.toJSONSchema(schema, {
    io,
    target: "draft-2020-12",
    unrepresentable: "any",
  }) as JsonObject;
  void $schema;
  return rest;
};

const bothFormats = (schema: JsonObject) => ({ "application/json": { schema }, "application/xml": { schema } });

/** Names of the errors (spec: Errors). */
const errorNames: Record<number, string> = {
  400: "Bad Request",
  401: "Unauthorized",
  403: "Forbidden",
  404: "Not Found",
  405: "Method Not Allowed",
  406: "Not Acceptable",
  415: "Unsupported Media Type",
  500: "Internal Server Error",
  503: "Service Unavailable",
};

function parameters(schema: z.ZodType | undefined, where: "path" | "query"): JsonObject[] {
  if (!schema) return [];
  const { properties = {}, required = [] } = schemaOf(schema, "input") as {
    properties?: Record<string, JsonObject>;
    required?: string[];
  };
  return Object.entries(properties).map(([name, property]) => ({
    name,
    in: where,
    required: where === "path" || required.includes(name),
    schema: property,
  }));
}

function requestBody(spec: EndpointSpec): JsonObject | undefined {
  if (spec.bodyType === "multipart") {
    const file = { type: "string", format: "binary" };
    const properties = spec.id === "createAvatar" ? { Avatar: file } : { "[]": file, type: { type: "string" } };
    return {
      required: true,
      content: {
        "multipart/form-data": { schema: { type: "object", properties, required: [Object.keys(properties)[0]] } },
      },
    };
  }
  if (!spec.body) return undefined;
  const schema = schemaOf(spec.body, "input");
  const form = { "application/x-www-form-urlencoded": { schema } };
  return { required: true, content: spec.bodyType === "form" ? form : { ...bothFormats(schema), ...form } };
}

function success(spec: EndpointSpec): JsonObject {
  const carries = spec.access !== "none";
  const description = { 200: "OK", 201: "Created", 202: "Accepted", 204: "No Content", 302: "Found" }[spec.status];
  if (spec.status === 202 || spec.status === 204 || spec.status === 302) {
    const header = {
      [statusPackageHeader]: { description: "base64url of the status package's JSON", schema: { type: "string" } },
    };
    const location = { Location: { schema: { type: "string" } } };
    return { description, headers: { ...(carries && header), ...(spec.status === 302 && location) } };
  }
  if (spec.bodyType === "multipart")
    return { description, content: bothFormats(schemaOf(uploadResultSchema, "output")) };
  const status = { $ref: "#/components/schemas/StatusPackage" };
  const data = spec.data && schemaOf(spec.data, "output");
  const wrapped = {
    type: "object",
    properties: { status, ...(data && { data }) },
    required: ["status", ...(data ? ["data"] : [])],
  };
  return { description, content: bothFormats(carries ? wrapped : (data ?? {})) };
}

function errors(spec: EndpointSpec): JsonObject {
  const statuses = [
    400,
    ...(spec.access === "none" || spec.access === "issues-token" ? [] : [401]),
    405,
    406,
    500,
    ...(spec.errors ?? []),
  ];
  if (spec.body) statuses.push(415);
  return Object.fromEntries(
    [...new Set(statuses)].map((status) => {
      const failedUpload = spec.bodyType === "multipart" && status === 400;
      const schema = failedUpload ? schemaOf(uploadResultSchema, "output") : { $ref: "#/components/schemas/Error" };
      const header =
        status === 401
          ? { headers: { "WWW-Authenticate": { schema: { enum: ["Bearer", "getUserInfo", "getPhoneNumber"] } } } }
          : {};
      return [String(status), { description: errorNames[status] ?? "Error", ...header, content: bothFormats(schema) }];
    }),
  );
}

/** The whole description. `version` is the program's; the description's own version is v1 (spec: Versioning). */
export function openApiOf(specs: readonly EndpointSpec[], version: string): JsonObject {
  const paths: Record<string, JsonObject> = {};
  for (const spec of specs) {
    const body = requestBody(spec);
    (paths[spec.path] ??= {})[spec.method.toLowerCase()] = {
      operationId: spec.id,
      tags: [spec.tag],
      parameters: [...parameters(spec.params, "path"), ...parameters(spec.query, "query")],
      ...(body && { requestBody: body }),
      responses: { [spec.status]: success(spec), ...errors(spec) },
      security: spec.access === "token" || spec.access === "login" ? [{ sessionToken: [] }] : [],
    };
  }
  return {
    openapi: "3.1.0",
    info: {
      title: "Hearth application server",
      version: `v1 (${version})`,
      license: { name: "MIT", identifier: "MIT" },
    },
    servers: [{ url: "/" }],
    paths,
    components: {
      schemas: { StatusPackage: schemaOf(statusPackageSchema, "output"), Error: schemaOf(errorBodySchema, "output") },
      securitySchemes: { sessionToken: { type: "http", scheme: "bearer" } },
    },
  };
}
