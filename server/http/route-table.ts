import type { Method } from "../contract/endpoint.ts";
import { createPathTable, withoutSlash, type PathMatch, type PathOptions } from "./path-table.ts";
import type { Route } from "./route.ts";

/** The routes of a path, by method. */
export type MethodTable = ReadonlyMap<Method, Route>;

export type RouteTable = (path: string) => PathMatch<MethodTable> | undefined;

/**
 * Finds the routes of a path. One '/' at the end is allowed.
 * @throws Error when two routes have the same method and path
 */
export function createRouteTable(routes: readonly Route[], options?: PathOptions): RouteTable {
  const paths = new Map<string, Map<Method, Route>>();
  for (const route of routes) {
    const { method, path } = route.spec;
    const methods = paths.get(path) ?? new Map<Method, Route>();
    if (methods.has(method)) throw new Error(`${method} ${path} is defined twice`);
    paths.set(path, methods.set(method, route));
  }
  const find = createPathTable(paths, options);
  return (path) => find(withoutSlash(path));
}

/** The route for a request's method. HEAD uses that of GET. */
export const routeOf = (methods: MethodTable, method: string | undefined): Route | undefined =>
  methods.get((method === "HEAD" ? "GET" : method) as Method);
