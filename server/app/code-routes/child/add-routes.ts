/** The object that a file of routes gets: its functions add routes. */
import type { Method } from "../../../contract/endpoint.ts";
import { nameOfRoute, type CodeRequest, type CodeRoute } from "../child-messages.ts";
import { callerPlace } from "./describe-failure.ts";

export type CodeHandler = (request: CodeRequest) => unknown;

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
}
const optionNames = ["login", "deadlineMs", "description"];

/** @throws TypeError for options that mean nothing */
function readOptions(given: unknown): Pick<CodeRoute, "login" | "deadlineMs" | "description"> {
  if (typeof given !== "object" || given === null) throw new TypeError("the options must be an object");
  const other = Object.keys(given).find((name) => !optionNames.includes(name));
  if (other !== undefined) throw new TypeError(`${other} is no option; use ${optionNames.join(", ")}`);
  const { login = false, deadlineMs = standardDeadlineMs, description } = given as GivenOptions;
  if (typeof login !== "boolean") throw new TypeError("login must be true or false");
  if (typeof deadlineMs !== "number" || !(deadlineMs >= 1 && deadlineMs <= longestDeadlineMs))
    throw new TypeError(`deadlineMs must be a number of milliseconds up to ${String(longestDeadlineMs)}`);
  if (description !== undefined && typeof description !== "string") throw new TypeError("description must be a text");
  return { login, deadlineMs, ...(description !== undefined && { description: description.slice(0, 2_000) }) };
}

export interface AddedRoutes {
  readonly routes: readonly CodeRoute[];
  /** By the names of their routes. */
  readonly handlers: ReadonlyMap<string, CodeHandler>;
}

/** Runs the functions of `defineRoutes`. @throws the code's error; TypeError for a route that cannot be */
export async function addRoutes(
  defines: readonly ((routes: object) => unknown)[],
  state: object,
): Promise<AddedRoutes> {
  const routes: CodeRoute[] = [];
  const handlers = new Map<string, CodeHandler>();
  let isOver = false;

  function add(method: Method, path: unknown, ...rest: readonly unknown[]): void {
    const [options, handler] = rest.length > 1 ? rest : [{}, rest[0]];
    if (isOver) throw new TypeError("routes are added while the file is loaded, not later");
    if (typeof path !== "string") throw new TypeError("the path must be a text");
    if (typeof handler !== "function") throw new TypeError(`${method} ${path} needs a function as its handler`);
    if (routes.length >= mostRoutes) throw new TypeError(`${String(mostRoutes)} routes are the most`);
    const route: CodeRoute = { method, path, ...readOptions(options), place: callerPlace() };
    if (handlers.has(nameOfRoute(route))) throw new TypeError(`${nameOfRoute(route)} is added twice`);
    routes.push(route);
    handlers.set(nameOfRoute(route), handler as CodeHandler);
  }

  const adders = Object.fromEntries(
    Object.entries(methods).map(([name, method]) => [
      name,
      (path: unknown, ...rest: readonly unknown[]) => add(method, path, ...rest),
    ]),
  ) as Record<string, unknown>;
  for (const define of defines) await define({ ...adders, state });
  isOver = true;
  return { routes, handlers };
}
