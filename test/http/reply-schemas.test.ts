/** A reply passes its endpoint's schema before it leaves, whichever server sends it. */
import { request, type IncomingMessage, type RequestListener } from "node:http";
import { text } from "node:stream/consumers";
import { expect, it } from "vitest";
import { z } from "zod";
import { serveConsoleRoutes } from "../../server/app/console/console-api.ts";
import { createUpload, uploadResultSchema } from "../../server/contract/app/uploads.ts";
import { endpoint } from "../../server/contract/endpoint.ts";
import { pipeline } from "../../server/http/pipeline.ts";
import { createRouteTable } from "../../server/http/route-table.ts";
import { route, type Route } from "../../server/http/route.ts";
import { serveControl } from "../../server/http/serve-control.ts";
import { serveRoutes } from "../../server/http/serve-routes.ts";
import { createRunnerApp } from "../../server/runner/create-runner-app.ts";
import { quietLog } from "../support/quiet-log.ts";
import { listen } from "../support/process/listen.ts";

const refuse: Parameters<typeof pipeline>[1] = (_error, _req, res) => res.writeHead(500).end();
const now = () => 0;
const session = {
  id: 1,
  userId: 1,
  createdAt: 0,
  expiresAt: 1000,
  hasUserinfo: true,
  hasPhone: true,
  token: "the-token",
};
const app = (routes: readonly Route[]) => {
  const table = createRouteTable(routes);
  const conventions = {
    sessions: { find: async () => session },
    policy: { requireUserinfo: false, phoneIsIdentity: false },
    style: { indent: 0, relaxed: true },
    now,
  };
  return pipeline([serveRoutes(() => table, conventions)], refuse);
};

const secret = "only for the server";
const withMore = { name: "a", inner: { kept: null }, secret };
const routeAt = (path: string) =>
  route(
    endpoint({
      id: "getThing",
      tag: "things",
      method: "GET",
      path,
      access: "none",
      status: 200,
      data: z.object({ name: z.string(), inner: z.object({ kept: z.null() }) }),
    }),
    () => ({ data: withMore }),
  );

async function ask(handler: RequestListener, path: string, method = "GET") {
  await using service = await listen(handler);
  const sent = request(service.url + path, { method, headers: { Authorization: "Bearer the-token" } }).end();
  const reply = await new Promise<IncomingMessage>((resolve, reject) =>
    sent.on("response", resolve).on("error", reject),
  );
  return { status: reply.statusCode, body: await text(reply) };
}

it.each<[string, (routes: Route[]) => RequestListener, string]>([
  ["the API", app, "/api/thing"],
  ["the console's API", (routes) => pipeline([serveConsoleRoutes(routes, now)], refuse), "/console/api/thing"],
  ["the simulator", (routes) => pipeline([serveControl(routes)], refuse), "/sim/thing"],
])("%s sends no member of a reply that its schema lacks", async (_name, serve, path) => {
  const { status, body } = await ask(serve([routeAt(path)]), path);
  expect(status).toBe(200);
  expect(JSON.parse(body)).toMatchObject({ name: "a" });
  expect(body).not.toContain(secret);
});

it("the runner sends no member of a reply that its schema lacks", async () => {
  const state = { sequences: 1, free: 1, waiting: 0, threads: 2 };
  const engine = { status: () => ({ ...state, secret }) } as unknown as Parameters<typeof createRunnerApp>[0]["engine"];
  const { status, body } = await ask(createRunnerApp({ engine, log: quietLog }), "/models/a");
  expect([status, JSON.parse(body)]).toEqual([200, state]);
});

it("an upload result has its own members and the status package, and no others", async () => {
  const handle = () => ({ data: { success: true, id: 7, secret } });
  const { status, body } = await ask(app([route(createUpload, handle)]), "/api/uploads", "POST");
  expect(status).toBe(201);
  const result = uploadResultSchema.strict().parse(JSON.parse(body));
  expect(result).toMatchObject({ success: true, id: 7, status: { uid: "u1" } });
});

it("a control route answers with the status of its reply", async () => {
  const { spec } = routeAt("/sim/thing");
  const routes = [{ spec, handle: () => ({ status: 202, data: withMore }) }];
  expect(await ask(pipeline([serveControl(routes)], refuse), "/sim/thing")).toMatchObject({ status: 202 });
});

it("a reply whose member is misspelt neither compiles nor leaves", async () => {
  // @ts-expect-error -- `success` is misspelt
  const misspelt = route(createUpload, () => ({ data: { succes: true, id: 7 } }));
  // @ts-expect-error -- only the specification decides where the members are
  const flat = route(createUpload, (): { flat: object } => ({ flat: { success: true, id: 7 } }));
  for (const wrong of [misspelt, flat]) {
    const { body } = await ask(app([wrong]), "/api/uploads", "POST");
    expect(body).not.toMatch(/succes|7/);
  }
});
