/** Converts the page's address to the server's filter. */
import type { RequestFilter } from "../../../server/contract/console/traffic/requests.ts";
import { escapePattern } from "../../../server/contract/escape-pattern.ts";
import { filterNames, type RequestsSearch } from "./requests-search.ts";

/** `/api/**` and `/api/{id}` are patterns for the whole path; any other text may be anywhere in it. */
const pathFilter = (path: string): Pick<RequestFilter, "path" | "path_regex"> =>
  path.startsWith("/") && /[*{]/.test(path) ? { path } : { path_regex: escapePattern(path) };

export function filterOf(search: RequestsSearch): RequestFilter {
  const { service, method, status, path, session, uid, q, sender, flow, trace, since, until } = search;
  return {
    ...(service !== undefined && { service }),
    ...(method !== undefined && { method }),
    ...(status !== undefined && (status === "failed" ? { failed: true } : { status })),
    ...(path !== undefined && pathFilter(path)),
    ...(session !== undefined && { session: Number(session) }),
    ...(uid !== undefined && { uid }),
    ...(q !== undefined && { q }),
    ...(sender !== undefined && { sender }),
    ...(flow !== undefined && { flow }),
    ...(trace !== undefined && { trace }),
    ...(since !== undefined && { since }),
    ...(until !== undefined && { until }),
  };
}

export const noFilters: Partial<RequestsSearch> = Object.fromEntries(filterNames.map((name) => [name, undefined]));

export const isFiltered = (search: RequestsSearch): boolean => filterNames.some((name) => search[name] !== undefined);
