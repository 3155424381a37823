/** The operations of an OpenAPI document, with the paths at which they are served. */
import { isObject } from "../../contract/is-object.ts";
import type { SchemaObject } from "../../json-schema/json-schema.ts";
import { withoutSlash } from "../../http/path-table.ts";
import { membersOf, partOf } from "./read-document.ts";

const methods = ["get", "put", "post", "delete", "patch", "head", "options", "trace"];
const mostOperations = 5_000;

export interface ImportedOperation {
  /** In upper case. */
  readonly method: string;
  /** With the server's base path: `/v1/pets/{id}`. */
  readonly path: string;
  readonly parameters: readonly SchemaObject[];
  readonly body: SchemaObject | undefined;
  readonly status: number;
  /** Undefined where the document describes no answer. */
  readonly answer: SchemaObject | undefined;
}

export interface FoundOperations {
  readonly operations: readonly ImportedOperation[];
  readonly skipped: readonly { readonly name: string; readonly why: string }[];
}

const baseOf = (path: string) => (path === "/" ? "" : withoutSlash(path));

/** The path of the first server, with the defaults of its variables. */
function basePath(...servers: readonly unknown[]): string {
  const list = servers.find((one) => Array.isArray(one) && one.length > 0) as unknown[] | undefined;
  const [first] = list ?? [];
  if (!isObject(first) || typeof first["url"] !== "string") return "";
  const variables = isObject(first["variables"]) ? first["variables"] : {};
  const url = first["url"].replace(/\{([^{}]+)\}/g, (_all, name: string) => {
    const one = variables[name];
    return isObject(one) ? String(one["default"]) : name;
  });
  const absolute = URL.parse(url, "http://localhost/");
  return absolute === null ? "" : baseOf(absolute.pathname);
}

/** The lowest success, else `default`, else the lowest of all. */
function answerOf(document: SchemaObject, responses: unknown): Pick<ImportedOperation, "status" | "answer"> {
  const all = membersOf(responses).sort(([one], [other]) => (one < other ? -1 : 1));
  const found =
    all.find(([code]) => /^2(?:\d\d|XX)$/i.test(code)) ??
    all.find(([code]) => code === "default") ??
    all.find(([code]) => /^[345]\d\d$/.test(code));
  if (!found) return { status: 204, answer: undefined };
  const [code, answer] = found;
  return { status: /^\d{3}$/.test(code) ? Number(code) : 200, answer: partOf(document, answer) };
}

function parametersOf(document: SchemaObject, ...lists: readonly unknown[]): SchemaObject[] {
  const found = lists
    .flatMap((list) => (Array.isArray(list) ? (list as unknown[]) : []))
    .map((one) => partOf(document, one));
  // Those of the operation follow those of its path, and replace them.
  return [...new Map(found.map((one) => [`${String(one["in"])} ${String(one["name"])}`, one])).values()];
}

const templateOf = (path: string) => path.replace(/\{[^{}]*\}/g, "{}");

export function operationsOf(document: SchemaObject): FoundOperations {
  const operations = new Map<string, ImportedOperation>();
  const skipped: { name: string; why: string }[] = [];
  for (const [written, item] of membersOf(document["paths"])) {
    const shared = partOf(document, item);
    for (const method of methods) {
      const operation = shared[method];
      if (!isObject(operation)) continue;
      const base = basePath(operation["servers"], shared["servers"], document["servers"]);
      const path = base + written;
      const name = `${method.toUpperCase()} ${path}`;
      const key = `${method} ${templateOf(path)}`;
      if (!path.startsWith("/") || /[?#]/.test(path)) skipped.push({ name, why: "its path has a query or a fragment" });
      else if (operations.has(key)) skipped.push({ name, why: "another operation has the same path" });
      else if (operations.size === mostOperations)
        skipped.push({ name, why: `there are more than ${String(mostOperations)}` });
      else
        operations.set(key, {
          method: method.toUpperCase(),
          path,
          parameters: parametersOf(document, shared["parameters"], operation["parameters"]),
          body: operation["requestBody"] === undefined ? undefined : partOf(document, operation["requestBody"]),
          ...answerOf(document, operation["responses"]),
        });
    }
  }
  return { operations: [...operations.values()], skipped };
}
