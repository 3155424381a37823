/** The console's own API: what the page shows and drives, and what other processes deliver. */
import type { IncomingMessage, ServerResponse } from "node:http";
import { Router } from "express";
import type { z } from "zod";
import {
  byConsoleHeader,
  type EventCounts,
  type eventListQuery,
  type EventPage,
  type OwnCommand,
} from "../../contract/console/console.ts";
import {
  createBan,
  createEvent,
  createToken,
  deleteBan,
  getOverview,
  getStoredUploadContent,
  listBans,
  countEvents,
  listEvents,
  listStoredUploads,
  restartService,
  streamStoredEvents,
} from "../../contract/console/console-endpoints.ts";
import { eventSchemas, type CloudEvent, type Damage, type EventDelivery } from "../../contract/console/events.ts";
import type { FromService } from "../../contract/process/process-messages.ts";
import type { ServiceStatus } from "../../contract/process/services.ts";
import type { UploadPage, uploadPageQuery } from "../../contract/console/stored-uploads.ts";
import type { Upload } from "../../contract/app/uploads.ts";
import { attachAs } from "../../http/conventions/attachment.ts";
import { notFound } from "../../http/http-error.ts";
import type { SessionLookup } from "../../http/login.ts";
import type { Middleware } from "../../http/middleware.ts";
import { askerOf, isTrusted, passedOnFor } from "../../http/outgoing/asker.ts";
import { createRouteTable } from "../../http/route-table.ts";
import { serveRoutes, validate } from "../../http/serve-routes.ts";
import { route, type Route } from "../../http/route.ts";
import { sendStream } from "../../http/connection/send-stream.ts";
import type { OpenBlob } from "../../store/blob-store.ts";
import { showInert } from "../../http/conventions/show-inert.ts";
import { simulatedLogin } from "./simulated-login.ts";
import { streamThrough } from "./stream-through.ts";

/** What the console needs of the other features; create-app.ts hands it in. */
export interface ConsoleDeps {
  readonly version: string;
  readonly dataDir: string;
  readonly command: OwnCommand;
  /** The supervisor's latest word on all processes of the run. */
  readonly services: () => readonly ServiceStatus[];
  /** Asks the supervisor; a server that runs alone has none and does nothing. */
  readonly requestRestart: (request: Extract<FromService, { type: "restart" }>) => void;
  readonly addresses: () => { app: string; provider: string; model?: string };
  /** Base URLs of this server for other machines. */
  readonly lanAddresses: () => string[];
  /** Damage that this run has found. */
  readonly damage: () => readonly Damage[];
  readonly events: {
    append(event: EventDelivery): Promise<CloudEvent>;
    page(query: z.output<typeof eventListQuery>): Promise<EventPage>;
    counts(): Promise<EventCounts>;
    stream(req: IncomingMessage, res: ServerResponse): Promise<void>;
  };
  readonly bans: {
    list(): string[];
    add(ip: string): Promise<void>;
    remove(ip: string): Promise<boolean>;
  };
  readonly uploads: {
    list(query: z.output<typeof uploadPageQuery>): Promise<UploadPage>;
    find(id: number): Promise<Upload | undefined>;
    content(upload: Upload): Promise<OpenBlob>;
  };
  /** Unix time in ms. */
  readonly now: () => number;
}

/** Media types that a browser may show in place; all else is downloaded. */
const shownInPlace = new Set(["image/png", "image/apng", "image/jpeg", "image/gif", "image/webp"]);

const byConsole = { [byConsoleHeader]: "1" };

const noSessions: SessionLookup = { find: async () => undefined };

/** The operations of /console/api. Whoever calls them has been let in before. */
export function consoleRoutes(deps: ConsoleDeps): Route[] {
  return [
    route(getOverview, () => ({
      data: {
        version: deps.version,
        data_dir: deps.dataDir,
        command: deps.command,
        services: deps.services(),
        addresses: deps.addresses(),
        lan_addresses: deps.lanAddresses(),
        damage: deps.damage(),
      },
    })),

    route(restartService, ({ params: { name: service }, body: { port } }, { res }) => {
      // Only once the answer is out: this very process may be the one that ends.
      res.once("finish", () => deps.requestRestart({ type: "restart", service, ...(port !== undefined && { port }) }));
      return {};
    }),

    route(listEvents, async ({ query }) => ({ data: await deps.events.page(query) })),
    route(countEvents, async () => ({ data: await deps.events.counts() })),
    route(streamStoredEvents, async (_input, { req, res }) => {
      await deps.events.stream(req, res);
      return { sent: true };
    }),
    route(createEvent, async ({ body }) => {
      const data: unknown = validate(eventSchemas[body.type], body.data, "data");
      return { data: await deps.events.append({ ...body, data }) };
    }),

    route(listStoredUploads, async ({ query }) => ({ data: await deps.uploads.list(query) })),
    route(getStoredUploadContent, async ({ params: { id } }, { req, res }) => {
      const upload = await deps.uploads.find(id);
      if (!upload) throw notFound(`There is no upload ${String(id)}.`);
      await using content = await deps.uploads.content(upload);
      const view = shownInPlace.has(upload.media_type);
      showInert(res);
      if (!view) attachAs(res, upload.file_name);
      res.setHeader("Content-Type", view ? upload.media_type : "application/octet-stream");
      res.setHeader("Content-Length", upload.size);
      if (req.method === "HEAD") res.end();
      else await sendStream(res, () => content.read(), upload.size);
      return { sent: true };
    }),

    route(listBans, () => ({ data: { bans: deps.bans.list() } })),
    route(createBan, async ({ params: { ip } }) => {
      await deps.bans.add(ip);
      return {};
    }),
    route(deleteBan, async ({ params: { ip } }) => {
      if (!(await deps.bans.remove(ip))) throw notFound(`${ip} is not banned.`);
      return {};
    }),

    route(createToken, async ({ body: { user } }) => ({ data: await simulatedLogin(user, deps.addresses()) })),
  ];
}

/** Serves operations of the console. `now`: Unix time in ms. */
export function serveConsoleRoutes(routes: readonly Route[], now: () => number): Middleware {
  const table = createRouteTable(routes);
  const policy = { requireUserinfo: false, phoneIsIdentity: false };
  const style = { indent: 0, relaxed: true };
  return serveRoutes(() => table, { sessions: noSessions, policy, style, now });
}

/** Serves the console's API; the page's calls to the other services are streamed through to them. */
export function consoleApi(
  routes: readonly Route[],
  deps: Pick<ConsoleDeps, "addresses" | "now"> & { readonly consoleToken: string },
): Router {
  const router = Router();
  router.use(serveConsoleRoutes(routes, deps.now));
  router.use("/console/api/model", (req, res) => {
    return streamThrough(req, res, deps.addresses().model, { ...byConsole, ...passedOnFor(askerOf(req, isTrusted)) });
  });
  // Whoever has come this far may control the simulator, wherever he is.
  const asConsole = { ...byConsole, authorization: `Bearer ${deps.consoleToken}` };
  router.use("/console/api/provider", (req, res) => {
    const added = /^\/sim\//i.test(req.path) ? asConsole : byConsole;
    const passedOn = passedOnFor(askerOf(req, isTrusted));
    return streamThrough(req, res, deps.addresses().provider, { ...added, ...passedOn });
  });
  return router;
}
