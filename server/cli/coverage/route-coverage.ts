/** Counts the calls of each route of the application server while a command ran, and their statuses. */
import { routeCallsSchema, type RouteCalls } from "../../contract/console/traffic/histogram.ts";
import { consoleAccess } from "../../supervisor/console-access.ts";
import type { ReadyFileContent } from "../../supervisor/ready-file.ts";
import { RunError } from "../../supervisor/run-error.ts";

export interface RouteCoverage {
  /** The number of described routes, and of those that were called. */
  readonly described: number;
  readonly called: number;
  /** In the order of the description. `answers`: calls by status; `none` is that of calls without an answer. */
  readonly routes: readonly {
    readonly method: string;
    readonly path: string;
    readonly answers: Readonly<Record<string, number>>;
  }[];
}

async function readJson(url: string, token = ""): Promise<unknown> {
  const response = await fetch(url, { headers: { Authorization: `Bearer ${token}` } });
  if (!response.ok) throw new RunError(`${new URL(url).pathname} returned ${String(response.status)}`);
  return response.json();
}

/** All calls of the run so far. */
export async function readRouteCalls({ console }: Pick<ReadyFileContent, "console">): Promise<RouteCalls> {
  const { origin, token } = consoleAccess(console);
  return routeCallsSchema.parse(await readJson(`${origin}/console/api/requests/routes`, token));
}

/** @param before the calls that do not count */
export async function measureCoverage(addresses: ReadyFileContent, before: RouteCalls): Promise<RouteCoverage> {
  const [description, { calls }] = await Promise.all([
    readJson(`${addresses.app}/swagger/docs/v1`) as Promise<{ paths: Record<string, Record<string, unknown>> }>,
    readRouteCalls(addresses),
  ]);
  const keyOf = ({ method, path, status }: RouteCalls["calls"][number]) => `${method} ${path} ${String(status)}`;
  const earlier = new Map(before.calls.map((call) => [keyOf(call), call.count]));
  const answersOf = (method: string, path: string) =>
    calls
      .filter((call) => call.method === method && call.path === path)
      .map((call) => [String(call.status ?? "none"), call.count - (earlier.get(keyOf(call)) ?? 0)] as const)
      .filter(([, count]) => count > 0)
      .sort(([one], [other]) => one.localeCompare(other));
  const routes = Object.entries(description.paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((name) => {
      const method = name.toUpperCase();
      return { method, path, answers: Object.fromEntries(answersOf(method, path)) };
    }),
  );
  const called = routes.filter(({ answers }) => Object.keys(answers).length > 0).length;
  return { described: routes.length, called, routes };
}

/** A table: a line for each route. */
export function coverageTable({ described, called, routes }: RouteCoverage): string {
  const width = Math.max(...routes.map(({ path }) => path.length));
  const lines = routes.map(({ method, path, answers }) => {
    const words = Object.entries(answers).map(([status, count]) =>
      count === 1 ? status : `${status} × ${String(count)}`,
    );
    return `${method.padEnd(6)}  ${path.padEnd(width)}  ${words.join(", ") || "never called"}\n`;
  });
  const share = described === 0 ? 0 : Math.floor((100 * called) / described);
  return `${lines.join("")}\n${String(called)} of ${String(described)} routes called (${String(share)} %)\n`;
}
