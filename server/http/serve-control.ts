/**
 * Serves control routes, with which tests and the console drive a service, without logins and content negotiation.
 * Replies are always JSON, null members included. The first value of a repeated query field counts, and the case of
 * paths is ignored. Other requests go to the next step.
 */
import type { IncomingMessage, ServerResponse } from "node:http";
import { sendJson, sendText } from "./conventions/send-json.ts";
import { checked, checkedBody, checkedQuery } from "./formats/checked-body.ts";
import { pathOf, queryOf, type Middleware } from "./middleware.ts";
import { notesOf } from "./recording/exchange-notes.ts";
import { createRouteTable, routeOf, type MethodTable } from "./route-table.ts";
import { dataOf, type Route } from "./route.ts";
import { reportUnknownNames } from "./unknown-names.ts";

export function serveControl(routes: readonly Route[]): Middleware {
  const table = createRouteTable(routes, { ignoreCase: true });
  return (req, res, next) => {
    const match = table(pathOf(req));
    if (match) notesOf(res).path = match.path;
    if (match && req.method === "OPTIONS") return sendAllowed(res, match.value);
    const route = match && routeOf(match.value, req.method);
    return route ? call(req, res, route, match.params) : next();
  };
}

function sendAllowed(res: ServerResponse, methods: MethodTable): void {
  const allowed = [...methods.keys(), ...(methods.has("GET") ? ["HEAD"] : [])].sort().join(", ");
  res.setHeader("Allow", allowed);
  res.setHeader("X-Content-Type-Options", "nosniff");
  sendText(res, 200, "text/plain", allowed);
}

async function call(
  req: IncomingMessage,
  res: ServerResponse,
  { spec, handle }: Route,
  written: Readonly<Record<string, string>>,
): Promise<void> {
  reportUnknownNames(res, spec, "query", Object.fromEntries(new URLSearchParams(queryOf(req))));
  const query = spec.query && checkedQuery(req, spec.query);
  const params = spec.params && checked(written, spec.params, "path");
  const body = spec.body && (await checkedBody(req, spec.body));
  const input = { params: params as never, query: query as never, body: body as never };
  const reply = (await handle(input, { req, res, session: undefined })) ?? {};
  if (reply.sent) return;
  for (const [name, value] of Object.entries(reply.headers ?? {})) res.setHeader(name, value);
  const status = reply.status ?? spec.status;
  if (status === 204) res.writeHead(204).end();
  else sendJson(res, status, dataOf(spec, reply));
}
