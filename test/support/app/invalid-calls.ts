/** Calls that a description says are not valid, each with the statuses that it may be answered with. */
import type { JsonSchema, Operation, Parameter } from "./api-description.ts";
import type { Call } from "./described-call.ts";
import { sentType } from "./described-calls.ts";
import { misfits } from "./reply-checker.ts";
import { breaking } from "./schema-input.ts";

export interface InvalidCall {
  readonly what: string;
  readonly call: Call;
  readonly expected: readonly number[];
}

const formType = "application/x-www-form-urlencoded";

/** Unknown names may be repeated, and filters have several values. */
const isPaging = ({ name }: { readonly name: string }) => name === "page" || name === "page_size";

/** Everything that can be wrong with a call, by what the operation declares. */
export function invalidCalls(operation: Operation, valid: Call): InvalidCall[] {
  return [
    ...brokenBodies(operation, valid),
    ...brokenEncodings(operation, valid),
    ...brokenQueries(operation, valid),
    ...brokenPaths(operation, valid),
    ...withoutAccess(operation, valid),
    ...brokenHeaders(operation, valid),
  ];
}

function brokenBodies(operation: Operation, valid: Call): InvalidCall[] {
  const type = sentType(operation);
  const schema = type === undefined ? undefined : operation.requestBody?.content[type]?.schema;
  if (!schema || valid.raw !== undefined) return [];
  return breaking(schema, valid.body)
    .map((one) => ({ ...one, value: type === formType ? asForm(one.value) : one.value }))
    .filter(({ value }) => misfits(schema, value).length > 0)
    .map(({ what, value }) => ({ what: `body: ${what}`, call: { ...valid, body: value }, expected: [400] }));
}

/** A form holds texts only. */
const asForm = (value: unknown): unknown =>
  Object.fromEntries(
    Object.entries(typeof value === "object" && value !== null ? value : {}).map(([name, one]) => [
      name,
      typeof one === "string" ? one : JSON.stringify(one),
    ]),
  );

/** Bytes that are not what their type says, and types that are not taken. */
function brokenEncodings({ requestBody }: Operation, valid: Call): InvalidCall[] {
  if (!requestBody) return [];
  const types = Object.keys(requestBody.content);
  const typed = (what: string, type: string, raw: Call["raw"], expected: readonly number[]) => ({
    what,
    call: { ...valid, headers: { ...valid.headers, "Content-Type": type }, raw },
    expected,
  });
  if (types.includes("multipart/form-data"))
    return [
      typed("no boundary", "multipart/form-data", "x", [400]),
      typed("no multipart", "application/json", "{}", [400]),
    ];
  const broken: Readonly<Record<string, readonly string[]>> = {
    "application/json": ["{", "\u0000", '{"__proto__":{}}', `${'{"a":'.repeat(200)}1${"}".repeat(200)}`],
    "application/xml": ["<a>", "<!DOCTYPE a [<!ENTITY b 'c'>]><a>&b;</a>", "text", "<a><b>1</b><b>2</b></a>"],
    [formType]: ["a=%zz", "a=1&a[b]=2", "a=%ff"],
  };
  return [
    typed("a type that is not taken", "text/csv", "a,b", [415]),
    typed("a charset that is not taken", `${types[0] ?? ""}; charset=utf-16`, "{}", [415]),
    typed("too long", types[0] ?? "", "x".repeat(1024 * 1024 + 1), [400]),
    ...types.flatMap((type) =>
      (broken[type] ?? []).map((raw) => typed(`not ${type}: ${raw.slice(0, 30)}`, type, raw, [400])),
    ),
  ];
}

function brokenQueries(operation: Operation, valid: Call): InvalidCall[] {
  const query = (what: string, text: string, expected: readonly number[] = [400]) => ({
    what: `query: ${what}`,
    call: { ...valid, query: [valid.query, text].filter(Boolean).join("&") },
    expected,
  });
  const described = (operation.parameters ?? []).filter((one) => one.in === "query");
  const hasToken = operation.security.some((way) => "sessionToken" in way);
  return [
    query("malformed percent-encoding", "a=%zz"),
    ...described.filter(isPaging).map(({ name }) => query(`${name} given twice`, `${name}=1&${name}=1`)),
    ...(hasToken ? [query("token", "access_token=x")] : []),
    ...described.flatMap((one) =>
      brokenTexts(one.schema)
        // What makes the request's head too long does not get as far as the operation.
        .filter((text) => !valid.query.includes(`${one.name}=`) && text.length < 8_000)
        .map((text) => query(`${one.name}=${text.slice(0, 30)}`, `${one.name}=${encodeURIComponent(text)}`)),
    ),
    ...(operation.method === "GET"
      ? [{ ...query("", ""), what: "query: starts with &", call: { ...valid, query: "&a=1" }, expected: [302] }]
      : []),
  ];
}

/** Texts that are no value of a parameter. */
function brokenTexts(schema: JsonSchema): string[] {
  const values = breaking(schema, undefined).map(({ value }) => value);
  const texts = values.flatMap((one) => (typeof one === "string" || typeof one === "number" ? [String(one)] : []));
  const notNumbers = ["text", "1.5.2", "1e999"];
  const isNumber = schema["type"] === "integer" || schema["type"] === "number";
  return [
    ...new Set([...texts, ...(isNumber ? notNumbers : []), ...(schema["type"] === "boolean" ? ["maybe"] : [])]),
  ].filter(
    (text) =>
      misfits(
        schema,
        isNumber && text.trim() !== "" ? Number(text) : schema["type"] === "boolean" ? text === "true" : text,
      ).length > 0 || schema["type"] === "boolean",
  );
}

function brokenPaths(operation: Operation, valid: Call): InvalidCall[] {
  const params = (operation.parameters ?? []).filter((one): one is Parameter => one.in === "path");
  return params.flatMap(({ name, schema }) => {
    const path = (value: string, expected: readonly number[]) => ({
      what: `path: ${name} is ${value.slice(0, 30)}`,
      call: { ...valid, params: { ...valid.params, [name]: value } },
      expected,
    });
    const unknown = schema["type"] === "integer" ? ["987654321"] : [];
    const invalid = schema["type"] === "integer" ? ["0", "-1", "1.5", "x", "9".repeat(30)] : brokenTexts(schema);
    return [
      ...invalid.filter(Boolean).map((value) => path(value, [400])),
      ...("404" in operation.responses ? unknown.map((value) => path(value, [404])) : []),
    ];
  });
}

function withoutAccess(operation: Operation, valid: Call): InvalidCall[] {
  const others = Object.fromEntries(Object.entries(valid.headers).filter(([name]) => name !== "Authorization"));
  const refused = (what: string, headers: Record<string, string>, expected: readonly number[]) => ({
    what,
    call: { ...valid, headers: { ...others, ...headers } },
    expected,
  });
  const ways = operation.security.flatMap((way) => Object.keys(way));
  const needed = operation.security.length > 0 && operation.security.every((way) => Object.keys(way).length > 0);
  const bearer = ways.includes("sessionToken") || ways.includes("consoleToken");
  const wrong = `Basic ${Buffer.from("nobody:wrong password").toString("base64")}`;
  return [
    ...(needed ? [refused("no credentials", {}, [401])] : []),
    ...(needed && bearer ? [refused("an unknown token", { Authorization: "Bearer unknown" }, [401])] : []),
    ...(needed && bearer ? [refused("another scheme", { Authorization: wrong }, [401])] : []),
    ...(ways.includes("basic") ? [refused("a wrong password", { Authorization: wrong }, [403])] : []),
    ...(ways.includes("basic") ? [refused("malformed Basic", { Authorization: "Basic eA==" }, [400])] : []),
  ];
}

function brokenHeaders(operation: Operation, valid: Call): InvalidCall[] {
  const header = (name: string, value: string, expected: readonly number[]) => ({
    what: `${name}: ${value}`,
    call: { ...valid, headers: { ...valid.headers, [name]: value } },
    expected,
  });
  const understands = (name: string) => operation.parameters?.some((one) => one.in === "header" && one.name === name);
  return [
    ...("406" in operation.responses ? [header("Accept", "image/png", [406])] : []),
    ...(understands("If-Match") ? [header("If-Match", '"v987"', [412])] : []),
    ...(understands("Range") ? [header("Range", "bytes=987654321-", [416])] : []),
  ];
}
