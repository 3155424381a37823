/** Writes a client of the application server, and its types, from the description of its API. */
import { jsonType, textType } from "../../contract/media-types.ts";
import type { JsonSchema } from "../../json-schema/json-schema.ts";
import { clientRuntime, runtimeTypes } from "./client-runtime.ts";
import { commentOf, formType, memberName, memberOf, objectType, schemaType, typeName } from "./schema-type.ts";

type Content = Readonly<Record<string, { readonly schema?: JsonSchema }>>;

interface Parameter {
  readonly name: string;
  readonly in: "path" | "query" | "header";
  readonly required?: boolean;
  readonly description?: string;
  readonly schema: JsonSchema;
}

interface Operation {
  readonly operationId: string;
  readonly summary?: string;
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly required?: boolean; readonly content: Content };
  readonly responses: Readonly<Record<string, { readonly content?: Content }>>;
}

/** The part of an OpenAPI 3.1 document that is read. */
export interface Description {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, JsonSchema>> };
}

/** The texts of both files. */
export interface WrittenClient {
  readonly code: string;
  readonly types: string;
}

const bodyTypes = ["application/json", "multipart/form-data", "application/x-www-form-urlencoded"];
/** The header with which a client requests no body, which is also the parameter of the call's type. */
const preferHeader = "Prefer";
const header = "/* Written by `hearth types`: run it again, do not change this file. */\n/* eslint-disable */\n";

function bodyTypeOf({ requestBody }: Operation): string | undefined {
  return requestBody && bodyTypes.find((type) => type in requestBody.content);
}

function fieldsOf(operation: Operation, place: Parameter["in"]): { text: string; isRequired: boolean } | undefined {
  const fields = operation.parameters?.filter((one) => one.in === place) ?? [];
  const members = fields.map(({ name, required = false, description, schema }) =>
    name === preferHeader
      ? `${commentOf(description ?? "")}\nPrefer?: HearthPrefer;`
      : memberOf(name, typeof schema === "object" ? { description, ...schema } : schema, required),
  );
  if (place === "header") members.push("[name: string]: string | undefined;");
  return members.length === 0
    ? undefined
    : { text: objectType(members), isRequired: fields.some(({ required }) => required) };
}

const bodyText = (type: string, schema: JsonSchema = true) =>
  type === "multipart/form-data" ? formType(schema) : schemaType(schema);

function requestOf(operation: Operation): string {
  const type = bodyTypeOf(operation);
  const { required = false, content } = operation.requestBody ?? {};
  const parts = {
    params: fieldsOf(operation, "path"),
    query: fieldsOf(operation, "query"),
    headers: fieldsOf(operation, "header"),
    body: type === undefined ? undefined : { text: bodyText(type, content?.[type]?.schema), isRequired: required },
  };
  const present = Object.entries(parts).filter((entry) => entry[1] !== undefined);
  const members = present.map(([name, part]) => `${name}${part?.isRequired ? "" : "?"}: ${part?.text ?? ""};`);
  return `request${present.some(([, part]) => part?.isRequired) ? "" : "?"}: ${objectType(members)}`;
}

/** JSON if there is any, since it is the default format. */
function answerTypes(content: Content): string[] {
  const json = Object.entries(content).filter(([type]) => jsonType.test(type));
  if (json.length > 0) return json.map(([, { schema = true }]) => schemaType(schema));
  return Object.keys(content).map((type) => (textType.test(type) ? "string" : "globalThis.Blob"));
}

function answerOf({ responses }: Operation): string {
  const successes = Object.entries(responses).filter(([status]) => status.startsWith("2"));
  const types = successes.flatMap(([, { content = {} }]) => answerTypes(content));
  if (types.length > 0) return [...new Set(types)].join(" | ");
  return successes.length > 0 ? "undefined" : "unknown";
}

/** A call's type. If it accepts `Prefer`, the header decides whether the answer has a body. */
function callOf(operation: Operation): string {
  const takesPrefer = operation.parameters?.some(({ name }) => name === preferHeader) === true;
  const [type, body] = takesPrefer
    ? [
        '<HearthPrefer extends "return=minimal" | undefined = undefined>',
        `HearthPrefer extends undefined ? ${answerOf(operation)} : undefined`,
      ]
    : ["", answerOf(operation)];
  return `${type}(${requestOf(operation)}) => globalThis.Promise<HearthAnswer<${body}>>`;
}

/** @param description of the application server, with the collections and routes of its user */
export function writeClient({ paths, components }: Description): WrittenClient {
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method: method.toUpperCase(), operation })),
  );
  const table = operations.map(({ path, method, operation }) => {
    const type = bodyTypeOf(operation);
    const parts = [method, path, ...(type === undefined ? [] : [type])];
    return `  ${memberName(operation.operationId)}: [${parts.map((part) => JSON.stringify(part)).join(", ")}],\n`;
  });
  const calls = operations.map(({ path, method, operation }) => {
    const about = commentOf(`${operation.summary ?? ""} (${method} ${path})`);
    return `${about}\nreadonly ${memberName(operation.operationId)}: ${callOf(operation)};`;
  });
  const schemas = Object.entries(components.schemas).map(
    ([name, schema]) => `\nexport type ${typeName(name)} = ${schemaType(schema)};\n`,
  );
  return {
    code: `${header}\nconst operations = {\n${table.join("")}};\n\n${clientRuntime}`,
    types: `${header}\n${runtimeTypes}\nexport interface HearthClient ${objectType(calls)}\n${schemas.join("")}`,
  };
}
