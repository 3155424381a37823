/** The forms of refusals that differ from the usual one: those of routes, and that of the description. */
import type { IncomingMessage } from "node:http";
import { sendJson } from "../http/conventions/send-json.ts";
import { pathOf, type RefusalForm } from "../http/middleware.ts";
import { withoutSlash } from "../http/path-table.ts";
import { createRouteTable, routeOf } from "../http/route-table.ts";
import type { Route } from "../http/route.ts";

export const descriptionPath = "/swagger/docs/v1";

/** A 500 of the description is JSON with one field (spec: More error rules 4). */
const refuseDescription: RefusalForm = (usual, status, { res }) => {
  if (status !== 500) return usual;
  sendJson(res, status, { Message: usual.Message });
  return undefined;
};

/** The form of what refuses a request; undefined for the usual one. */
export function refusalForms(routes: readonly Route[]): (req: IncomingMessage) => RefusalForm | undefined {
  // None of their paths has a parameter, which could be malformed.
  const table = createRouteTable(routes.filter(({ refusalForm }) => refusalForm !== undefined));
  return (req) => {
    const path = pathOf(req);
    if (withoutSlash(path).toLowerCase() === descriptionPath) return refuseDescription;
    const match = table(path);
    return match && routeOf(match.value, req.method)?.refusalForm;
  };
}
