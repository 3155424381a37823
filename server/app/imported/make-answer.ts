/** Makes the answer of an imported operation: an example of the document that is valid, else a generated value. */
import { isObject } from "../../contract/is-object.ts";
import type { JsonSchema, SchemaObject } from "../../json-schema/json-schema.ts";
import { writeXml } from "../../http/formats/xml-writer.ts";
import { isJsonType } from "./check-request.ts";
import type { ImportedOperation } from "./operations.ts";
import { membersOf, partOf } from "./read-document.ts";
import type { SchemaJudge } from "./schema-judge.ts";

/** The same value for the same schema; undefined where no valid one was found. */
export type GenerateExample = (
  document: SchemaObject,
  schema: JsonSchema,
  isValid: (value: unknown) => boolean,
) => { readonly value: unknown } | undefined;

export interface MadeAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** Undefined for an answer without a body. */
  readonly body?: { readonly type: string; readonly content: string };
}

/** An operation for which no valid answer was found. */
export class NoAnswer extends Error {
  override readonly name = "NoAnswer";
}

/** Headers that the server writes itself, or that would change how a body is read. */
const ownHeaders =
  /^(?:content-(?:type|length|encoding|range)|transfer-encoding|connection|keep-alive|date|upgrade|trailer|te|set-cookie|access-control-.*)$/i;
const bodyless = [204, 205, 304];

/** The examples of a media type, a header or a schema, as far as the document has them. */
function examplesOf(holder: SchemaObject, schema: SchemaObject, document: SchemaObject): unknown[] {
  const named = membersOf(holder["examples"]).map(([, one]) => partOf(document, one)["value"]);
  const listed = Array.isArray(schema["examples"]) ? (schema["examples"] as unknown[]) : [];
  return [holder["example"], ...named, schema["example"], ...listed, schema["default"]].filter(
    (one) => one !== undefined,
  );
}

/** @throws NoAnswer */
function valueOf(holder: SchemaObject, judge: SchemaJudge, generate: GenerateExample, where: string): unknown {
  const schema = (holder["schema"] ?? {}) as JsonSchema;
  const isValid = (value: unknown) => judge.problemsOf(value, schema).length === 0;
  const example = examplesOf(holder, partOf(judge.document, schema), judge.document).find(isValid);
  if (example !== undefined) return example;
  const made = generate(judge.document, schema, isValid);
  if (!made) throw new NoAnswer(`no valid value was found for ${where}`);
  return made.value;
}

/** The media type for Accept: one that it names, else JSON, else the first. */
function chosenType(types: readonly string[], accept = ""): string | undefined {
  const named = accept.split(",").map((one) => one.split(";")[0]?.trim().toLowerCase());
  const plain = (type: string) => type.split(";")[0]?.trim().toLowerCase() ?? "";
  const asked = types.filter((type) => named.includes(plain(type)));
  return (
    asked.find((type) => isJsonType(plain(type))) ??
    asked[0] ??
    types.find((type) => isJsonType(plain(type))) ??
    types[0]
  );
}

/** A range such as `image/*` is no type. */
function sentType(range: string): string {
  if (range === "*/*" || range.startsWith("application/*")) return "application/json";
  return range.startsWith("text/*") ? "text/plain" : range.replace("/*", "/octet-stream");
}

function contentOf(type: string, value: unknown): string {
  if (isJsonType(type)) return JSON.stringify(value);
  if (typeof value === "string") return value;
  if (type === "text/event-stream") return `data: ${JSON.stringify(value)}\n\n`;
  if (/^(?:application|text)\/xml$|\+xml$/.test(type)) return writeXml(value, { relaxed: false });
  return JSON.stringify(value);
}

function headersOf(answer: SchemaObject, judge: SchemaJudge, generate: GenerateExample): Record<string, string> {
  const written = membersOf(answer["headers"]).flatMap(([name, one]): [string, string][] => {
    if (ownHeaders.test(name) || !/^[A-Za-z0-9!#$%&'*+.^_`|~-]+$/.test(name)) return [];
    const header = partOf(judge.document, one);
    const value = valueOf(header, judge, generate, `the header ${name}`);
    const text = Array.isArray(value) ? value.join(",") : isObject(value) ? JSON.stringify(value) : String(value);
    return /^[\t\x20-\x7e]*$/.test(text) ? [[name, text]] : [];
  });
  return Object.fromEntries(written);
}

/** @throws NoAnswer */
export function makeAnswer(
  { status, answer }: ImportedOperation,
  judge: SchemaJudge,
  generate: GenerateExample,
  accept: string | undefined,
): MadeAnswer {
  if (!answer) return { status, headers: {} };
  const headers = headersOf(answer, judge, generate);
  const content = isObject(answer["content"]) ? answer["content"] : {};
  const range = chosenType(Object.keys(content), accept);
  if (range === undefined || bodyless.includes(status)) return { status, headers };
  const type = sentType(range);
  const value = valueOf(partOf(judge.document, content[range]), judge, generate, `the answer ${String(status)}`);
  return { status, headers, body: { type, content: contentOf(type.split(";")[0]?.trim() ?? "", value) } };
}
