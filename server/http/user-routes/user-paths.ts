/** Paths of routes that users define, by files or by code, beside those of Hearth. */
import { z } from "zod";
import type { EndpointSpec } from "../../contract/endpoint.ts";
import type { Route } from "../route.ts";

type Operation = Pick<EndpointSpec, "method" | "path">;

export const paramsOf = (path: string): string[] => [...path.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => name);

/** `/api/weather/{city}`. */
export const userPath = z
  .string()
  .max(500)
  .regex(
    /^(?:\/(?:\{[A-Za-z_]\w*\}|[A-Za-z0-9._~!$&'()*+,;=:@%-]+))+$/,
    "must consist of segments after '/', each plain text or one {parameter}, with percent-encoding for non-ASCII",
  )
  .refine(
    (path) => !/\/:|\*/.test(path),
    "contains another program's parameter: write {id} instead of :id, and a segment {rest} instead of *",
  )
  .refine((path) => new Set(paramsOf(path)).size === paramsOf(path).length, "names a parameter twice");

/** `GET /api/weather/{city}` → `getApiWeatherCity`. */
export function operationName({ method, path }: Operation): string {
  const words = `${method.toLowerCase()} ${path}`.split(/[^A-Za-z0-9]+/).filter((word) => word !== "");
  return words.map((word, index) => (index === 0 ? word : word.charAt(0).toUpperCase() + word.slice(1))).join("");
}

/** The same routes, with a number after each name that another operation has: one of Hearth, of a collection or of these. */
export function withFreeIds(routes: readonly Route[], others: readonly EndpointSpec[]): Route[] {
  const taken = new Set(others.map(({ id }) => id));
  return routes.map((route) => {
    const name = route.spec.id;
    let id = name;
    for (let count = 2; taken.has(id); count++) id = `${name}${String(count)}`;
    taken.add(id);
    return { ...route, spec: { ...route.spec, id } };
  });
}

/** Paths that are served outside the route table. */
const reserved = ["/console", "/swagger", "/healthz", "/livez", "/readyz"];

/** Why a route could never be reached: one of Hearth takes precedence. Undefined for others. */
export function hiddenBy({ method, path }: Operation, builtIn: readonly EndpointSpec[]): string | undefined {
  const lower = path.toLowerCase();
  const by =
    reserved.find((one) => lower === one || lower.startsWith(`${one}/`)) ??
    builtIn.find((spec) => covers(spec.path, path))?.path;
  return by && `${method} ${path} can never be reached: ${by} is served by Hearth itself`;
}

/** Whether every path that matches `inner` matches `outer` too. */
export function covers(outer: string, inner: string): boolean {
  const [one, other] = [outer.split("/"), inner.split("/")];
  return one.length === other.length && one.every((segment, i) => segment.startsWith("{") || segment === other[i]);
}
