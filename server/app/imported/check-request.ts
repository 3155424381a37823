/** Refuses requests that an imported operation does not describe. */
import type { IncomingMessage } from "node:http";
import { mostProblems } from "../../contract/bounded-lists.ts";
import { isObject } from "../../contract/is-object.ts";
import { parseJson } from "../../contract/parse-json.ts";
import type { JsonSchema, SchemaObject } from "../../json-schema/json-schema.ts";
import type { Problem } from "../../json-schema/outcome.ts";
import { isInvalid, isNotGiven } from "../../json-schema/predicates.ts";
import { contentType, readPlainBytes } from "../../http/formats/read-body.ts";
import { parseForm } from "../../http/formats/parse-form.ts";
import { refuse, type HttpError } from "../../http/http-error.ts";
import { sentenceOf } from "../../http/messages/describe-issue.ts";
import { headerTextsOf, queryOf } from "../../http/middleware.ts";
import type { ImportedOperation } from "./operations.ts";
import { partOf } from "./read-document.ts";
import { jsonOr, readParameter, schemaOf, valueOf, type Given } from "./read-parameter.ts";
import type { SchemaJudge } from "./schema-judge.ts";

const mostBodyBytes = 16 * 1024 * 1024;
/** Headers that OpenAPI says are not described as parameters. */
const described = new Set(["accept", "content-type", "authorization"]);

const missing: readonly Problem[] = [{ path: [], message: isNotGiven }];

function invalid(problems: readonly Problem[], where: string, name = ""): HttpError {
  const details = problems.slice(0, mostProblems).map(({ path, message }) => ({
    field: [name, ...path].filter((part) => part !== "").join(".") || where,
    problem: message,
  }));
  const [first = { field: name || where, problem: isInvalid }] = details;
  return refuse(...sentenceOf(first, where), { details });
}

const cookiesOf = ({ headers: { cookie = "" } }: IncomingMessage) =>
  Object.fromEntries(
    cookie.split(";").map((pair) => [pair.split("=")[0]?.trim() ?? "", pair.slice(pair.indexOf("=") + 1).trim()]),
  );

/** @throws HttpError 400 naming the fields at fault, 415 for another type of body */
export async function checkRequest(
  req: IncomingMessage,
  params: Readonly<Record<string, string>>,
  { parameters, body }: ImportedOperation,
  judge: SchemaJudge,
): Promise<void> {
  const query = parseForm(queryOf(req), "query");
  const given: Given = { path: params, query, header: headerTextsOf(req), cookie: cookiesOf(req) };
  for (const parameter of parameters) checkParameter(parameter, given, judge);
  if (body) await checkBody(req, body, judge);
}

function checkParameter(parameter: SchemaObject, given: Given, judge: SchemaJudge): void {
  const [place, name] = [String(parameter["in"]), String(parameter["name"])];
  if (place === "header" && described.has(name.toLowerCase())) return;
  const value = readParameter(parameter, given, judge);
  if (value === undefined) {
    if (parameter["required"] === true && place !== "path") throw invalid(missing, place, name);
    return;
  }
  const problems = judge.problemsOf(value, schemaOf(parameter) as JsonSchema);
  if (problems.length > 0) throw invalid(problems, place, name);
}

const fits = (range: string, type: string) =>
  range === type || range === "*/*" || (range.endsWith("/*") && type.startsWith(range.slice(0, -1)));
const plainType = (type: string) => contentType(type).type;
export const isJsonType = (type: string) => /^application\/json$|\+json$/.test(type);

async function checkBody(req: IncomingMessage, body: SchemaObject, judge: SchemaJudge): Promise<void> {
  const types = Object.entries(isObject(body["content"]) ? body["content"] : {});
  const bytes = await readPlainBytes(req, mostBodyBytes);
  const { type } = contentType(req.headers["content-type"]);
  if (bytes.length === 0) {
    if (body["required"] === true) throw invalid(missing, "body");
    return;
  }
  if (types.length === 0) return;
  const taken = types.map(([range]) => plainType(range)).join(", ");
  if (type === "") throw refuse("body.untyped", { type: taken });
  const found = types.find(([range]) => fits(plainType(range), type));
  if (!found) throw refuse("body.type", { type, taken });
  const schema = partOf(judge.document, found[1])["schema"];
  if (schema === undefined) return;
  const value = await bodyValue(bytes, type, String(req.headers["content-type"]), schema, judge);
  if (value === undefined) return;
  const problems = judge.problemsOf(value, schema as JsonSchema);
  if (problems.length > 0) throw invalid(problems, "body");
}

/** Undefined for a body that no schema can judge. */
async function bodyValue(bytes: Buffer, type: string, header: string, schema: unknown, judge: SchemaJudge) {
  if (isJsonType(type)) {
    const value = parseJson(bytes.toString("utf8"));
    if (value === undefined) throw refuse("json.other");
    return value;
  }
  if (type.startsWith("text/") && type !== "text/xml") return valueOf(bytes.toString("utf8"), schema, judge);
  if (type === "application/x-www-form-urlencoded")
    return Object.fromEntries(
      Object.entries(parseForm(bytes.toString("utf8"), "body")).map(([name, texts]) => [
        name,
        fieldOf(texts, judge.memberOf(schema, name), judge),
      ]),
    );
  return type === "multipart/form-data" ? readMultipart(bytes, header, schema, judge) : undefined;
}

/** A field of a form: an object or a list of objects is JSON. */
function fieldOf(texts: string | readonly string[], schema: unknown, judge: SchemaJudge): unknown {
  const isNested = judge.typesOf(schema).includes("object") || judge.typesOf(judge.itemsOf(schema)).includes("object");
  if (typeof texts === "string" && isNested && /^\s*[{[]/.test(texts)) return jsonOr(texts);
  return valueOf(texts, schema, judge);
}

async function readMultipart(bytes: Buffer, header: string, schema: unknown, judge: SchemaJudge) {
  const body = new Uint8Array(bytes);
  const form = await new Response(body, { headers: { "Content-Type": header } }).formData().catch(() => {
    throw refuse("body.incomplete");
  });
  const names = [...new Set(form.keys())];
  return Object.fromEntries(
    names.map((name) => {
      // A file is a text of any content.
      const texts = form.getAll(name).map((one) => (typeof one === "string" ? one : ""));
      return [name, fieldOf(texts.length === 1 ? (texts[0] ?? "") : texts, judge.memberOf(schema, name), judge)];
    }),
  );
}
