/** The route file: fixed answers for paths that are no resources. */
import { setTimeout as wait } from "node:timers/promises";
import { z } from "zod";
import { answerHeaders } from "../../contract/answer-headers.ts";
import { endpoint, type EndpointSpec } from "../../contract/endpoint.ts";
import type { CallContext, Reply, Route } from "../../http/route.ts";
import { hiddenBy, operationName, paramsOf, userPath } from "../../http/user-routes/user-paths.ts";
import { readJsonSource, type FileProblem } from "./json-source.ts";
import { problemReporter, refuseRounded } from "./problem-reporter.ts";

const fixedRoute = z
  .strictObject({
    method: z.enum(["GET", "POST", "PUT", "PATCH", "DELETE"]).default("GET"),
    /** `/api/weather/{city}`. */
    path: userPath,
    status: z.number().int().min(200).max(599).default(200),
    headers: answerHeaders.default({}),
    /** JSON, or text. */
    body: z.json().optional(),
    /** Delay of the answer, in ms. */
    delayMs: z.number().int().min(0).max(60_000).default(0),
    access: z.enum(["none", "login"]).default("none"),
    /** Part of the API description. */
    description: z.string().max(2_000).optional(),
  })
  .refine(({ status, body }) => body === undefined || ![204, 205, 304].includes(status), {
    path: ["body"],
    message: "must be omitted: a reply with this status has none",
  });

/** Sends the fixed answer for any request. */
const fixedAnswer = endpoint({
  id: "fixedAnswer",
  tag: "fixed-answers",
  method: "GET",
  path: "/",
  access: "none",
  status: 200,
});

const routeFile = z.strictObject({ $schema: z.string().optional(), routes: z.array(fixedRoute).max(1_000) });

type FixedRoute = z.output<typeof fixedRoute>;

export interface FileRoute extends Route {
  /** A problem of this route, at its place in the file. */
  readonly problem: (message: string) => FileProblem;
}

/**
 * Reads the routes in the file's text. The `builtIn` ones take precedence, so a route that they hide is refused.
 * @throws FileProblem naming the place of the problem
 */
export function readRouteFile(text: string, builtIn: readonly EndpointSpec[]): FileRoute[] {
  const source = readJsonSource(text);
  const reporter = problemReporter(source);
  refuseRounded(source, reporter, () => false);
  const parsed = routeFile.safeParse(source.value);
  if (!parsed.success)
    throw reporter.ofIssues(parsed.error.issues, [...Object.keys(routeFile.shape), ...Object.keys(fixedRoute.shape)]);
  const seen = new Set<string>();
  const written = new Map<string, string>();
  return parsed.data.routes.map((fixed, index) => {
    const problem = (message: string) => reporter.at(["routes", index, "path"], message);
    const hidden = hiddenBy(fixed, builtIn);
    if (hidden !== undefined) throw problem(hidden);
    const pattern = fixed.path.replace(/\{\w+\}/g, "{}");
    const key = `${fixed.method} ${pattern}`;
    if (seen.has(key)) throw problem(`${fixed.method} ${fixed.path} is defined twice`);
    seen.add(key);
    // One path with two names has two entries in a route table, and two in OpenAPI, which forbids that.
    const known = written.get(pattern) ?? fixed.path;
    if (known !== fixed.path) throw problem(`is ${known} with other parameters: name them as there`);
    written.set(pattern, known);
    return { ...routeOf(fixed), problem };
  });
}

function routeOf(fixed: FixedRoute): Route {
  const { method, path, status, access, delayMs, description } = fixed;
  const names = paramsOf(path);
  const written = contentOf(fixed);
  const spec: EndpointSpec = {
    ...fixedAnswer,
    id: operationName(fixed),
    member: fixedAnswer.id,
    method,
    path,
    access,
    status,
    produces: written ? [written.type.replace(/;.*$/s, "").trim()] : [],
    fixed: { ...(fixed.body !== undefined && { body: fixed.body }) },
    ...(description !== undefined && { about: description }),
    ...(names.length > 0 && { params: z.object(Object.fromEntries(names.map((name) => [name, z.string()]))) }),
  };

  async function handle(_input: unknown, { res }: CallContext): Promise<Reply> {
    if (delayMs > 0) await wait(delayMs, undefined, { ref: false });
    res.statusCode = status;
    if (written) {
      res.setHeader("Content-Type", written.type);
      res.setHeader("Content-Length", written.bytes.length);
    } else if (![204, 205, 304].includes(status)) res.setHeader("Content-Length", 0);
    for (const [name, value] of Object.entries(fixed.headers)) res.setHeader(name, value);
    res.end(written?.bytes);
    return { sent: true };
  }
  return { spec, handle };
}

/** The bytes of the answer, exactly as in the file. */
function contentOf({ body, headers: given }: FixedRoute): { type: string; bytes: Buffer } | undefined {
  if (body === undefined) return undefined;
  const named = Object.entries(given).find(([name]) => name.toLowerCase() === "content-type")?.[1];
  if (typeof body === "string") return { type: named ?? "text/plain; charset=utf-8", bytes: Buffer.from(body) };
  return { type: named ?? "application/json; charset=utf-8", bytes: Buffer.from(JSON.stringify(body)) };
}
