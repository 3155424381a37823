/** Turns a person's filter into a query of the store. */
import type { RequestFilter } from "../../contract/console/traffic/requests.ts";
import { createForeignPattern, type ForeignPattern } from "../../foreign/foreign-pattern.ts";
import { OutOfTimeError } from "../../foreign/within-deadline.ts";
import { refuse } from "../../http/http-error.ts";
import { createPathPattern, isPathPattern, pathPatternRule } from "../../http/path-pattern.ts";
import type { RequestQuery } from "./store/request-query.ts";
import type { RequestSummaryRow } from "./store/request-rows.ts";

type Accept = NonNullable<RequestQuery["accept"]>;

/** @throws HttpError 400 naming path_regex, when it is no expression or takes too long */
function byRegex(source: string, deadlineMs: number): Accept {
  let pattern: ForeignPattern;
  try {
    pattern = createForeignPattern(source);
  } catch (error) {
    throw refuse("request.regex", { problem: (error as Error).message }, { field: "path_regex" });
  }
  return (rows) => {
    try {
      const hits = pattern.testAll(
        rows.map(({ path }) => path),
        deadlineMs,
      );
      return rows.filter((_, index) => hits[index]);
    } catch (error) {
      if (!(error instanceof OutOfTimeError)) throw error;
      throw refuse("request.regexSlow", undefined, { field: "path_regex" });
    }
  };
}

function byPattern(text: string): Accept {
  if (!isPathPattern(text)) throw refuse("request.pattern", { rule: pathPatternRule }, { field: "path" });
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

/** `deadlineMs`: the expression's time limit for each batch of rows. @throws HttpError 400 naming the field */
export function requestQuery(filter: RequestFilter, limit: number, deadlineMs: number): RequestQuery {
  const { method, path, path_regex, status, session, uid, q, since, until, ...same } = filter;
  const accepts = [
    ...(path === undefined ? [] : [byPattern(path)]),
    ...(path_regex === undefined ? [] : [byRegex(path_regex, deadlineMs)]),
  ];
  return {
    ...same,
    limit,
    methods: method?.toUpperCase().split(","),
    statuses: status?.split(",").map(rangeOf),
    sessionId: session,
    userId: uid === undefined ? undefined : Number(uid.slice(1)),
    text: q,
    since: since === undefined ? undefined : Date.parse(since),
    until: until === undefined ? undefined : Date.parse(until),
    ...(accepts.length > 0 && {
      accept: (rows) => accepts.reduce<RequestSummaryRow[]>((left, accept) => accept(left), [...rows]),
    }),
  };
}
