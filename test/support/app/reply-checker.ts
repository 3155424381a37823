/** Checks replies against what a description says of them. */
import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { z } from "zod";
import { readXml } from "../../../server/http/formats/read-xml.ts";
import type { DescribedReply, JsonSchema, Operation } from "./api-description.ts";

const ajv = new Ajv2020({ strict: false, allErrors: true, multipleOfPrecision: 9, formats: { binary: true } });
addFormats.default(ajv);
const compiled = new WeakMap<JsonSchema, ValidateFunction>();

/** Why a value does not fit a schema; empty when it does. */
export function misfits(schema: JsonSchema, value: unknown): string[] {
  const validate = compiled.get(schema) ?? ajv.compile(schema);
  compiled.set(schema, validate);
  return validate(value) ? [] : (validate.errors ?? []).map((one) => `${one.instancePath} ${one.message ?? ""}`.trim());
}

/** A reply as it came, read to its end unless it is a stream of events. */
export interface ReceivedReply {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

/** What of a reply the description does not say; empty when it is as described. */
export function undeclared(operation: Operation, reply: ReceivedReply): string[] {
  const described = operation.responses[String(reply.status)];
  if (!described) return [`status ${String(reply.status)} is not declared: ${reply.text.slice(0, 300)}`];
  return [...headerProblems(described, reply), ...bodyProblems(described, reply)];
}

function headerProblems({ headers = {} }: DescribedReply, reply: ReceivedReply): string[] {
  return Object.entries(headers).flatMap(([name, { required, schema }]) => {
    const text = reply.headers.get(name);
    if (text === null) return required ? [`header ${name} is missing`] : [];
    const value = schema["type"] === "integer" ? Number(text) : text;
    return misfits(schema, value).map((problem) => `header ${name}: ${problem}: ${text}`);
  });
}

function bodyProblems({ content }: DescribedReply, reply: ReceivedReply): string[] {
  if (!content) return reply.text === "" ? [] : [`a body is not declared: ${reply.text.slice(0, 100)}`];
  const [mediaType = ""] = (reply.headers.get("content-type") ?? "").split(";");
  const declared = content[mediaType];
  if (!declared) return [`content type "${mediaType}" is not declared, only ${Object.keys(content).join(", ")}`];
  const { schema } = declared;
  if (mediaType === "application/json")
    return misfits(schema, JSON.parse(reply.text)).map((one) => `body: ${one}: ${reply.text.slice(0, 300)}`);
  if (mediaType === "application/xml") return xmlProblems(schema, reply.text);
  return [];
}

/** XML is text only; what it means, the schema says. Of several schemas one must fit. */
function xmlProblems(schema: JsonSchema, text: string): string[] {
  if (!/^<\?xml [^>]*\?><result>.*<\/result>$|<result><\/result>$/s.test(text))
    return [`the root is not <result>: ${text.slice(0, 100)}`];
  const branches = (schema["anyOf"] as JsonSchema[] | undefined) ?? [schema];
  const problems = branches.map((branch) => {
    const { xml, ...described } = branch;
    void xml;
    return misfits(branch, readXml(text, z.unknown().meta(described)).value);
  });
  return problems.some((one) => one.length === 0)
    ? []
    : problems.flat().map((one) => `XML body: ${one}: ${text.slice(0, 300)}`);
}
