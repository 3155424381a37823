/** Reads an OpenAPI document of anybody: JSON or YAML, of a bounded size, with references within itself only. */
import { isObject } from "../../contract/is-object.ts";
import { parseJson } from "../../contract/parse-json.ts";
import { resolvePointer, type SchemaObject } from "../../json-schema/json-schema.ts";

export const mostDocumentBytes = 16 * 1024 * 1024;
const mostReferences = 50_000;
const mostParts = 2_000_000;
const maxDepth = 128;
const mostSteps = 20;

/** A document that cannot be imported. The message says why. */
export class DocumentProblem extends Error {
  override readonly name = "DocumentProblem";
}

async function parseText(text: string): Promise<unknown> {
  const value = parseJson(text);
  if (value !== undefined) return value;
  const { parseYaml } = await import("./parse-yaml.ts");
  try {
    return parseYaml(text);
  } catch (error) {
    throw new DocumentProblem(`it is neither JSON nor YAML: ${(error as Error).message.split("\n")[0] ?? ""}`);
  }
}

/** @throws DocumentProblem for a reference that leads nowhere or to another document, and for what is too large */
function inspect(document: SchemaObject): void {
  let references = 0;
  const left: { value: unknown; depth: number }[] = [{ value: document, depth: 0 }];
  for (const { value, depth } of left) {
    if (depth > maxDepth) throw new DocumentProblem(`it is nested deeper than ${String(maxDepth)} levels`);
    if (left.length > mostParts) throw new DocumentProblem(`it has more than ${String(mostParts)} parts`);
    if (typeof value !== "object" || value === null) continue;
    const reference: unknown = Reflect.get(value, "$ref");
    if (typeof reference === "string") {
      if (++references > mostReferences)
        throw new DocumentProblem(`it has more than ${String(mostReferences)} references`);
      if (!reference.startsWith("#"))
        throw new DocumentProblem(`${reference} refers to another file: bundle the files into one first`);
      if (resolvePointer(document, reference) === undefined)
        throw new DocumentProblem(`${reference} leads nowhere in the file`);
    }
    for (const inner of Object.values(value)) left.push({ value: inner, depth: depth + 1 });
  }
}

/** @throws DocumentProblem */
export async function readDocument(text: string): Promise<SchemaObject> {
  if (Buffer.byteLength(text) > mostDocumentBytes)
    throw new DocumentProblem(`it is longer than ${String(mostDocumentBytes / 1024 / 1024)} MiB`);
  const document = await parseText(text.replace(/^\ufeff/, ""));
  if (!isObject(document)) throw new DocumentProblem("it is not an OpenAPI document: it must be an object");
  const { openapi, swagger, paths } = document;
  if (swagger !== undefined) throw new DocumentProblem("it is Swagger 2.0: convert it to OpenAPI 3 first");
  if (typeof openapi !== "string" || !/^3\.[01](?:\.|$)/.test(openapi))
    throw new DocumentProblem("it is not an OpenAPI 3.0 or 3.1 document: the member openapi must say so");
  if (!isObject(paths)) throw new DocumentProblem("it has no paths");
  inspect(document);
  return document;
}

/** The object that a part of the document is or refers to; an empty one for anything else. */
export function partOf(document: SchemaObject, part: unknown): SchemaObject {
  let found = part;
  for (let steps = 0; isObject(found) && typeof found["$ref"] === "string"; steps++) {
    if (steps === mostSteps) return {};
    found = resolvePointer(document, found["$ref"]);
  }
  return isObject(found) ? found : {};
}

/** The members of an object of the document, without extensions. */
export const membersOf = (value: unknown): [name: string, member: unknown][] =>
  isObject(value) ? Object.entries(value).filter(([name]) => !name.startsWith("x-")) : [];
