/** Reads the value of a parameter from a request, as its style says. */
import { isObject } from "../../contract/is-object.ts";
import { parseJson } from "../../contract/parse-json.ts";
import { percentDecoded } from "../../contract/percent-decoded.ts";
import type { SchemaObject } from "../../json-schema/json-schema.ts";
import { scalarOf } from "../../http/formats/coerce-text.ts";
import type { FormFields } from "../../http/formats/parse-form.ts";
import type { SchemaJudge } from "./schema-judge.ts";

/** The parameters of a request. Texts of the path are as written; all others are decoded. */
export interface Given {
  readonly path: Readonly<Record<string, string>>;
  readonly query: FormFields;
  readonly header: Readonly<Record<string, string | undefined>>;
  readonly cookie: Readonly<Record<string, string | undefined>>;
}

export const schemaOf = (parameter: SchemaObject): unknown => {
  const [content] = isObject(parameter["content"]) ? Object.values(parameter["content"]) : [];
  return (isObject(content) ? content["schema"] : parameter["schema"]) ?? {};
};

/** The value that texts stand for by a schema. */
export function valueOf(texts: string | readonly string[], schema: unknown, judge: SchemaJudge): unknown {
  const types = judge.typesOf(schema);
  if (typeof texts === "string" && !types.includes("array")) return scalar(texts, types);
  const isList = types.includes("array") || types.length === 0;
  const items = judge.itemsOf(schema);
  const list = [texts].flat().map((one) => scalar(one, judge.typesOf(items)));
  return isList ? list : list[0];
}

function scalar(text: string, types: readonly string[]): unknown {
  if (types.includes("null") && text === "null") return null;
  return scalarOf(text, types);
}

/** `a,1,b,2` or `a=1,b=2`. */
function objectOf(parts: readonly string[], isExploded: boolean, schema: unknown, judge: SchemaJudge) {
  const pairs: [string, string][] = isExploded
    ? parts.map((part) => [part.split("=")[0] ?? "", part.slice(part.indexOf("=") + 1)])
    : Array.from({ length: Math.ceil(parts.length / 2) }, (_, at) => [parts[2 * at] ?? "", parts[2 * at + 1] ?? ""]);
  return Object.fromEntries(pairs.map(([name, text]) => [name, valueOf(text, judge.memberOf(schema, name), judge)]));
}

/** A text that is no JSON is itself the value. */
export function jsonOr(text: string): unknown {
  const value = parseJson(text);
  return value === undefined ? text : value;
}

/** Undefined where the request lacks it. */
export function readParameter(parameter: SchemaObject, given: Given, judge: SchemaJudge): unknown {
  const place = String(parameter["in"]) as keyof Given;
  if (place === "query") return readQuery(parameter, given.query, judge);
  const name = String(parameter["name"]);
  const written = given[place]?.[place === "header" ? name.toLowerCase() : name];
  if (written === undefined) return undefined;
  const decode = place === "path" ? percentDecoded : (text: string) => text;
  if (isObject(parameter["content"])) return jsonOr(decode(String(written)));
  const { style, explode } = parameter;
  const schema = schemaOf(parameter);
  const types = judge.typesOf(schema);
  const isStructured = types.includes("object") || types.includes("array");
  const [text, separator] = withoutStyle(String(written), name, style, explode === true, types.includes("array"));
  if (!isStructured || (types.includes("string") && !text.includes(separator)))
    return valueOf(decode(text), schema, judge);
  const parts = (text === "" ? [] : text.split(separator)).map(decode);
  if (types.includes("array")) return valueOf(parts, schema, judge);
  return objectOf(parts, explode === true, schema, judge);
}

/** The text without what the style puts around it, and what separates its parts. */
function withoutStyle(
  text: string,
  name: string,
  style: unknown,
  isExploded: boolean,
  isList: boolean,
): [text: string, separator: string] {
  if (style === "label") return [text.replace(/^\./, ""), isExploded ? "." : ","];
  if (style !== "matrix") return [text, ","];
  const plain = text.replace(/^;/, "");
  if (isExploded && isList) return [plain.split(`${name}=`).join(""), ";"];
  if (isExploded && !plain.startsWith(`${name}=`)) return [plain, ";"];
  return [plain.slice(name.length + 1), ","];
}

const separators: Readonly<Record<string, string>> = { spaceDelimited: " ", pipeDelimited: "|" };

function readQuery(parameter: SchemaObject, query: FormFields, judge: SchemaJudge): unknown {
  const { style = "form", explode = style === "form" } = parameter;
  const name = String(parameter["name"]);
  const schema = schemaOf(parameter);
  const types = judge.typesOf(schema);
  const texts = query[name] ?? (types.includes("array") ? query[`${name}[]`] : undefined);
  if (texts !== undefined && isObject(parameter["content"])) return jsonOr(String(texts));
  if (types.includes("object") && !types.includes("string")) {
    if (style === "deepObject") return deepObject(name, query, schema, judge);
    if (texts === undefined && explode === true) return undefined; // its members are fields like all others
    return texts === undefined ? undefined : objectOf(String(texts).split(","), false, schema, judge);
  }
  if (texts === undefined) return undefined;
  if (types.includes("array") && explode !== true && typeof texts === "string")
    return valueOf(texts === "" ? [] : texts.split(separators[String(style)] ?? ","), schema, judge);
  return valueOf(texts, schema, judge);
}

/** `filter[name]=a&filter[age]=3`. */
function deepObject(name: string, query: FormFields, schema: unknown, judge: SchemaJudge): unknown {
  const members = Object.entries(query).flatMap(([key, texts]): [string, unknown][] => {
    const inner = key.startsWith(`${name}[`) && key.endsWith("]") ? key.slice(name.length + 1, -1) : undefined;
    if (inner === undefined || inner.includes("[")) return [];
    return [[inner, valueOf(texts, judge.memberOf(schema, inner), judge)]];
  });
  return members.length > 0 ? Object.fromEntries(members) : undefined;
}
