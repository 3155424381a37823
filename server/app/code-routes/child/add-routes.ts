/** The object that a file of routes gets: its functions add routes. */
import type { Method } from "../../../contract/endpoint.ts";
import { nameOfRoute, type CodeRequest, type CodeRoute } from "../child-messages.ts";
import { isSchema, type GivenSchema } from "./check-body.ts";
import { callerPlace } from "./describe-failure.ts";

type CodeHandler = (request: CodeRequest & { readonly pay: (order: unknown) => Promise<unknown> }) => unknown;

interface Added {
  readonly route: CodeRoute;
  readonly handler: CodeHandler;
  readonly body?: GivenSchema;
}

const methods = { get: "GET", post: "POST", put: "PUT", patch: "PATCH", del: "DELETE" } as const satisfies Record<
  string,
  Method
>;

export const standardDeadlineMs = 2_000;
const longestDeadlineMs = 60_000;
const mostRoutes = 1_000;

interface GivenOptions {
  readonly login?: unknown;
  readonly deadlineMs?: unknown;
  readonly description?: unknown;
  readonly body?: unknown;
}
const optionNames = ["login", "deadlineMs", "description", "body"];

/** @throws TypeError for options that mean nothing */
function readOptions(given: unknown) {
  if (typeof given !== "object" || given === null) throw new TypeError("the options must be an object");
  const other = Object.keys(given).find((name) => !optionNames.includes(name));
  if (other !== undefined) throw new TypeError(`${other} is no option; use ${optionNames.join(", ")}`);
  const { login = false, deadlineMs = standardDeadlineMs, description, body } = given as GivenOptions;
  if (typeof login !== "boolean") throw new TypeError("login must be true or false");
  if (typeof deadlineMs !== "number" || !(deadlineMs >= 1 && deadlineMs <= longestDeadlineMs))
    throw new TypeError(`deadlineMs must be a number of milliseconds up to ${String(longestDeadlineMs)}`);
  if (description !== undefined && typeof description !== "string") throw new TypeError("description must be a text");
  if (body !== undefined && !isSchema(body)) throw new TypeError("body must be a schema, as z.object(…) of zod");
  return {
    own: { login, deadlineMs, ...(description !== undefined && { description: description.slice(0, 2_000) }) },
    ...(body !== undefined && { body }),
  };
}

/** Routes by their names. */
export type AddedRoutes = ReadonlyMap<string, Added>;

/** Runs the functions of `defineRoutes`. @throws the code's error; TypeError for a route that cannot be */
export async function addRoutes(
  defines: readonly ((routes: object) => unknown)[],
  given: object,
): Promise<AddedRoutes> {
  const routes = new Map<string, Added>();
  let isOver = false;

  function add(method: Method, isStream: boolean, path: unknown, ...rest: readonly unknown[]): void {
    const [options, handler] = rest.length > 1 ? rest : [{}, rest[0]];
    if (isOver) throw new TypeError("routes are added while the file is loaded, not later");
    if (typeof path !== "string") throw new TypeError("the path must be a text");
    if (typeof handler !== "function") throw new TypeError(`${method} ${path} needs a function as its handler`);
    if (routes.size >= mostRoutes) throw new TypeError(`${String(mostRoutes)} routes are the most`);
    const { own, ...checks } = readOptions(options);
    const route: CodeRoute = { method, isStream, path, ...own, place: callerPlace() };
    if (routes.has(nameOfRoute(route))) throw new TypeError(`${nameOfRoute(route)} is added twice`);
    routes.set(nameOfRoute(route), { route, handler: handler as CodeHandler, ...checks });
  }

  const adders = Object.fromEntries(
    Object.entries(methods).map(([name, method]) => [
      name,
      (path: unknown, ...rest: readonly unknown[]) => add(method, false, path, ...rest),
    ]),
  ) as Record<string, unknown>;
  const sse = (path: unknown, ...rest: readonly unknown[]) => add("GET", true, path, ...rest);
  for (const define of defines) await define({ ...adders, sse, ...given });
  isOver = true;
  return routes;
}
