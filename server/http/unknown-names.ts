/** Finds names in a request that its operation does not know. Most are spelling mistakes, which would be ignored. */
import type { ServerResponse } from "node:http";
import { z } from "zod";
import type { EndpointSpec } from "../contract/endpoint.ts";
import { isForeignName, readFilterName } from "../contract/app/filters.ts";
import { warningHeader } from "../contract/app/hearth-headers.ts";
import { isObject } from "../contract/is-object.ts";
import { refuse } from "./http-error.ts";
import { sentenceOf } from "./messages/describe-issue.ts";
import { safeName } from "./messages/safe-name.ts";
import { isUnknown } from "../json-schema/predicates.ts";
import { notesOf } from "./recording/exchange-notes.ts";

/** An unknown name of an operation, the first time in this run. */
interface FirstUnknownName {
  readonly method: string;
  /** The operation's path, as in the description. */
  readonly path: string;
  readonly where: Where;
  readonly name: string;
}

type Where = "query" | "body";

interface Options {
  /** Refuses them (setting strict_requests). */
  readonly strict: boolean;
  /** Called once for each operation and name, up to a number. */
  readonly onFirst: (found: FirstUnknownName) => void;
}

/**
 * Notes the unknown names of a part of the request in the answer's header.
 * @throws HttpError 400 naming them, if they are refused
 */
export type CheckNames = (res: ServerResponse, spec: EndpointSpec, where: Where, value: unknown) => void;

/** The limit for one part of a request, so that the header stays short. */
const mostNames = 5;
/** The limit for a whole run, so that a stranger cannot fill memory and log. */
const mostReports = 1_000;

/** Names that every operation accepts in the query. */
const everyQuery = ["pretty"];
/** The schema of a part of a request without names; a schema takes longer to make than to use. */
const noNames = z.object({});

export function createNameCheck({ strict, onFirst }: Options): CheckNames {
  const reported = new Set<string>();

  function report(found: FirstUnknownName): void {
    const key = JSON.stringify(found);
    if (reported.size >= mostReports || reported.has(key)) return;
    reported.add(key);
    onFirst(found);
  }

  return (res, spec, where, value) => {
    const names = [...new Set(unknownNames(spec, where, value))];
    if (names.length === 0) return;
    if (where === "query" && !strict) refuseFilters(spec, names);
    const { method, path } = spec;
    for (const name of names) report({ method, path, where, name });
    if (strict) {
      const [first = ""] = names;
      const [, values] = sentenceOf({ field: first, problem: isUnknown }, where);
      throw refuse("problem.unknown", values, {
        details: names.map((field) => ({ field, problem: isUnknown })),
      });
    }
    const warnings = names.map((name) => `unknown name "${plain(name)}" in the ${where}`).join(", ");
    const warning = [res.getHeader(warningHeader), warnings].filter((one) => one !== undefined).join(", ");
    res.setHeader(warningHeader, warning);
    notesOf(res).warning = warning;
  };
}

/** An unknown filter would have the list answer everything. @throws HttpError 400 naming the fields */
function refuseFilters({ filters, tag }: EndpointSpec, names: readonly string[]): void {
  if (filters?.refusesOthers !== true) return;
  const [name] = names.filter((one) => !isForeignName(one, filters.fields));
  if (name !== undefined)
    throw refuse("filter.unknown", { name, collection: tag, known: [...filters.fields].join(", ") }, { field: name });
}

/** For control routes, which report unknown names only in their answers. */
export const reportUnknownNames = createNameCheck({ strict: false, onFirst: () => undefined });

/** ASCII without quotes, for a header. */
const plain = (name: string) =>
  name.replace(/[^\w.$*[\]-]/gu, (character) => encodeURIComponent(character.toWellFormed()));

function unknownNames(
  { query, body, textBody, parts, filters, ignoredMembers = [] }: EndpointSpec,
  where: Where,
  value: unknown,
) {
  const found: string[] = [];
  if (where === "query") {
    const isFilter = (name: string) => filters !== undefined && readFilterName(name, filters.fields) !== undefined;
    const others = Object.entries(value as object).filter(([name]) => !isFilter(name));
    collect(query ?? noNames, Object.fromEntries(others), "", everyQuery, found);
  } else {
    // A merge patch has the members of the input.
    const schema = textBody ?? body ?? (parts && (parts.fields ?? noNames));
    if (schema) collect(schema, value, "", ignoredMembers, found);
  }
  return found;
}

/** Adds the paths of members that objects of the schema would drop. Other schemas keep or refuse unknown members. */
function collect(
  schema: z.core.$ZodType,
  value: unknown,
  path: string,
  known: readonly string[],
  found: string[],
): void {
  // Compares names, because `instanceof` is slow for each item of a long list.
  const { def } = (schema as z.core.$ZodTypes)._zod;
  if (def.type === "object") {
    if (!isObject(value)) return;
    for (const [name, member] of Object.entries(value)) {
      if (found.length >= mostNames) return;
      const inner = Object.hasOwn(def.shape, name) ? def.shape[name] : undefined;
      if (inner) collect(inner, member, `${path}${name}.`, [], found);
      else if (def.catchall === undefined && !known.includes(name)) found.push(path + safeName(name));
    }
  } else if (def.type === "array") {
    if (Array.isArray(value))
      value.forEach((item, index) => collect(def.element, item, `${path}${String(index)}.`, [], found));
  } else if (def.type === "optional" || def.type === "nullable" || def.type === "default" || def.type === "prefault")
    collect(def.innerType, value, path, known, found);
  else if (def.type === "pipe") collect(def.in, value, path, known, found);
}
