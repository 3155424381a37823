import type { Method } from "../contract/endpoint.ts";
import type { Route } from "./route.ts";

/** The routes of one path, by method. */
export type MethodTable = ReadonlyMap<Method, Route>;

export interface Match {
  readonly methods: MethodTable;
  readonly params: Readonly<Record<string, string>>;
}

interface Pattern {
  readonly segments: readonly string[];
  readonly methods: Map<Method, Route>;
}

const isParam = (segment: string) => segment.startsWith("{");
const segmentsOf = (path: string) => path.split("/").slice(1);

/**
 * Finds the route of a path without trying one pattern after another: paths without parameters by a map, the others by
 * their length and first words. A path written out goes before one with a parameter. One '/' at the end is allowed.
 * @throws Error when two routes have the same method and path
 */
export function createRouteTable(routes: readonly Route[]): (path: string) => Match | undefined {
  const fixed = new Map<string, Map<Method, Route>>();
  const patterns = new Map<string, Pattern[]>();

  for (const route of routes) {
    const { method, path } = route.spec;
    const methods = methodsOf(path);
    if (methods.has(method)) throw new Error(`${method} ${path} is defined twice`);
    methods.set(method, route);
  }

  function methodsOf(path: string): Map<Method, Route> {
    const segments = segmentsOf(path);
    if (!segments.some(isParam)) {
      const methods = fixed.get(path) ?? new Map<Method, Route>();
      fixed.set(path, methods);
      return methods;
    }
    const key = segments.slice(0, 2).some(isParam) ? looseKey(segments) : keyOf(segments);
    const group = patterns.get(key) ?? [];
    patterns.set(key, group);
    const same = group.find((pattern) => pattern.segments.join("/") === segments.join("/"));
    if (same) return same.methods;
    const created: Pattern = { segments, methods: new Map() };
    group.push(created);
    return created.methods;
  }

  return (written) => {
    const path = written.length > 1 && written.endsWith("/") ? written.slice(0, -1) : written;
    const methods = fixed.get(path);
    if (methods) return { methods, params: {} };
    const segments = segmentsOf(path);
    for (const group of [patterns.get(keyOf(segments)), patterns.get(looseKey(segments))])
      for (const pattern of group ?? []) {
        const params = paramsOf(pattern.segments, segments);
        if (params) return { methods: pattern.methods, params };
      }
    return undefined;
  };
}

/** Number of segments and the first two, where most patterns have no parameter. */
const keyOf = (segments: readonly string[]) => `${String(segments.length)}/${segments[0] ?? ""}/${segments[1] ?? ""}`;

const looseKey = (segments: readonly string[]) => String(segments.length);

/** @throws URIError for malformed percent-encoding */
function paramsOf(pattern: readonly string[], segments: readonly string[]): Record<string, string> | undefined {
  const params: Record<string, string> = {};
  for (const [index, expected] of pattern.entries()) {
    const given = segments[index] ?? "";
    if (isParam(expected) && given !== "") params[expected.slice(1, -1)] = decodeURIComponent(given);
    else if (given !== expected) return undefined;
  }
  return params;
}
