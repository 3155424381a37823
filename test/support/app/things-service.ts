import type { Logger } from "pino";
import { z } from "zod";
import { endpoint } from "../../../server/contract/endpoint.ts";
import { allowedHosts } from "../../../server/http/conventions/allowed-hosts.ts";
import { cors } from "../../../server/http/conventions/cors.ts";
import { refuseBy } from "../../../server/http/conventions/error-handler.ts";
import { health } from "../../../server/http/conventions/health.ts";
import { HttpError, notFound } from "../../../server/http/http-error.ts";
import { serveRoutes } from "../../../server/http/serve-routes.ts";
import { normalizeQuery } from "../../../server/http/conventions/normalize-query.ts";
import { pipeline } from "../../../server/http/pipeline.ts";
import { requestLog } from "../../../server/http/recording/request-log.ts";
import { route } from "../../../server/http/route.ts";
import { createRouteTable } from "../../../server/http/route-table.ts";
import { serve } from "../../../server/http/connection/serve.ts";

const thing = z.object({ id: z.number(), name: z.string().nullable() });
const params = z.object({ id: z.coerce.number().int() });
const specs = {
  list: endpoint({
    id: "listThings",
    tag: "things",
    method: "GET",
    path: "/api/things",
    access: "none",
    status: 200,
    query: z.object({ page_size: z.coerce.number().int().max(100).default(20) }),
    data: z.array(thing),
  }),
  create: endpoint({
    id: "createThing",
    tag: "things",
    method: "POST",
    path: "/api/things",
    access: "none",
    status: 201,
    body: z.object({ name: z.string().min(1) }),
    data: thing,
  }),
  get: endpoint({
    id: "getThing",
    tag: "things",
    method: "GET",
    path: "/api/things/{id}",
    access: "none",
    status: 200,
    params,
    data: thing,
  }),
  remove: endpoint({
    id: "deleteThing",
    tag: "things",
    method: "DELETE",
    path: "/api/things/{id}",
    access: "none",
    status: 204,
    params,
  }),
};

/** A small service on the HTTP conventions kit alone, with a resource `things`. */
export async function startThings(log: Logger) {
  const style = { indent: 0, relaxed: false };
  const table = createRouteTable([
    route(specs.list, ({ query }) => ({
      data: [{ id: query.page_size, name: "图", password: "not in the schema" }],
    })),
    route(specs.create, ({ body }) => ({ data: { id: 1, name: body.name }, headers: { Location: "/api/things/1" } })),
    route(specs.get, ({ params: { id } }) => {
      if (id === 404) throw notFound("There is no thing 404.");
      if (id === 500) throw new Error("the secret innards");
      if (id === 403) throw new HttpError(403, "private", "Not yours.");
      return { data: { id, name: null } };
    }),
    route(specs.remove, () => ({})),
  ]);
  const policy = { requireUserinfo: true, phoneIsIdentity: true };
  const app = pipeline(
    [
      health(),
      requestLog(log),
      allowedHosts({ allowed: [] }),
      normalizeQuery("302"),
      cors(["loopback"]),
      serveRoutes(() => table, { sessions: { find: async () => undefined }, policy, style, now: () => 0 }),
      () => {
        throw notFound("nothing here");
      },
    ],
    refuseBy(log, style),
  );
  return serve(app, { host: "127.0.0.1", port: 0 });
}
