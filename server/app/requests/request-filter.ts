/** From the filter that a person wrote to what the store understands. */
import { createContext, Script } from "node:vm";
import type { RequestFilter } from "../../contract/requests.ts";
import { badRequest } from "../../http/http-error.ts";
import { createPathPattern, isPathPattern, pathPatternRule } from "../../http/path-pattern.ts";
import type { RequestQuery } from "../../store/request-query.ts";
import type { RequestSummaryRow } from "../../store/request-rows.ts";

type Accept = NonNullable<RequestQuery["accept"]>;

/** An expression can take for ever on an unlucky path: then it is the caller who hears of it, not everybody else. */
const regexTimeoutMs = 250;

/** @throws HttpError 400 naming path_regex, for what is no expression and for one that takes too long */
function byRegex(source: string): Accept {
  let expression: RegExp;
  try {
    expression = new RegExp(source);
  } catch (error) {
    throw badRequest("bad_filter", `path_regex: ${(error as Error).message}`, "path_regex");
  }
  const given: { expression: RegExp; paths: string[] } = { expression, paths: [] };
  const context = createContext(given);
  const script = new Script("paths.map((path) => expression.test(path))");
  return (rows) => {
    given.paths = rows.map(({ path }) => path);
    try {
      const hits = script.runInContext(context, { timeout: regexTimeoutMs }) as boolean[];
      return rows.filter((_, index) => hits[index]);
    } catch {
      throw badRequest("bad_filter", "path_regex: this expression takes too long; write it simpler.", "path_regex");
    }
  };
}

function byPattern(text: string): Accept {
  if (!isPathPattern(text)) throw badRequest("bad_filter", `path: must be ${pathPatternRule}`, "path");
  const fits = createPathPattern(text);
  return (rows: readonly RequestSummaryRow[]) => rows.filter(({ path }) => fits(path));
}

/** `4xx` is 400 to 499, `none` is null. */
function rangeOf(text: string): readonly [number, number] | null {
  if (text.toLowerCase() === "none") return null;
  if (!/xx$/i.test(text)) return [Number(text), Number(text)];
  const first = Number(text[0]) * 100;
  return [first, first + 99];
}

/** @throws HttpError 400 naming the field */
export function requestQuery(filter: RequestFilter, limit: number): RequestQuery {
  const { method, path, path_regex, status, service, failed, session, uid, q, since, until, after, before } = filter;
  const accepts = [
    ...(path === undefined ? [] : [byPattern(path)]),
    ...(path_regex === undefined ? [] : [byRegex(path_regex)]),
  ];
  return {
    limit,
    ...(method !== undefined && { methods: method.toUpperCase().split(",") }),
    ...(status !== undefined && { statuses: status.split(",").map(rangeOf) }),
    ...(service !== undefined && { service }),
    ...(failed !== undefined && { failed }),
    ...(session !== undefined && { sessionId: session }),
    ...(uid !== undefined && { userId: Number(uid.slice(1)) }),
    ...(q !== undefined && { text: q }),
    ...(since !== undefined && { since: Date.parse(since) }),
    ...(until !== undefined && { until: Date.parse(until) }),
    ...(after !== undefined && { after }),
    ...(before !== undefined && { before }),
    ...(accepts.length > 0 && {
      accept: (rows) => accepts.reduce<RequestSummaryRow[]>((left, accept) => accept(left), [...rows]),
    }),
  };
}
