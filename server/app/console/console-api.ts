/** The console's own API: what the page shows and drives, and what other processes deliver. */
import type { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { Router, type Request, type Response } from "express";
import type { z } from "zod";
import {
  eventPageQuery,
  overviewSchema,
  restartRequestSchema,
  tokenRequestSchema,
  type EventPage,
  type UploadPage,
} from "../../contract/console.ts";
import { eventDeliverySchema, eventSchemas, type CloudEvent, type EventDelivery } from "../../contract/events.ts";
import type { FromService } from "../../contract/process-messages.ts";
import { serviceNameSchema, type ServiceStatus } from "../../contract/services.ts";
import type { Upload } from "../../contract/uploads.ts";
import { badRequest, notFound } from "../../http/http-error.ts";
import { parseForm } from "../../http/parse-form.ts";
import { readBody } from "../../http/read-body.ts";
import { simulatedLogin } from "./simulated-login.ts";
import { streamThrough } from "./stream-through.ts";

/** What the console needs of the other features; create-app.ts hands it in. */
export interface ConsoleDeps {
  readonly version: string;
  readonly dataDir: string;
  /** The supervisor's latest word on all processes of the run. */
  readonly services: () => readonly ServiceStatus[];
  /** Asks the supervisor; a server that runs alone has none and does nothing. */
  readonly requestRestart: (request: Extract<FromService, { type: "restart" }>) => void;
  readonly addresses: () => { app: string; provider: string; model?: string };
  readonly events: {
    append(event: EventDelivery): Promise<CloudEvent>;
    page(query: z.output<typeof eventPageQuery>): Promise<EventPage>;
    stream(req: Request, res: Response): Promise<void>;
  };
  readonly bans: {
    list(): string[];
    add(ip: string): Promise<void>;
    remove(ip: string): Promise<boolean>;
  };
  readonly uploads: {
    list(query: { before?: number | undefined; limit: number }): Promise<UploadPage>;
    find(id: number): Promise<Upload | undefined>;
    read(upload: Upload): Readable;
  };
}

/** Media types that a browser may show in place; all else is downloaded. */
const shownInPlace = new Set(["image/png", "image/apng", "image/jpeg", "image/gif", "image/webp"]);

function parse<Schema extends z.ZodType>(schema: Schema, value: unknown): z.output<Schema> {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  const field = issue?.path.join(".") ?? "";
  throw badRequest("invalid_request", `${field}: ${issue?.message ?? "is not valid"}`, field);
}
const queryOf = (req: Request) => parseForm(req.url.split("?")[1] ?? "", "query");

export function consoleApi(deps: ConsoleDeps): Router {
  const router = Router();

  router.get("/overview", (_req, res) => {
    res.json(
      overviewSchema.parse({
        version: deps.version,
        data_dir: deps.dataDir,
        services: deps.services(),
        addresses: deps.addresses(),
      }),
    );
  });

  router.post("/services/:name/restarts", async (req, res) => {
    const service = parse(serviceNameSchema, req.params.name);
    const { port } = parse(restartRequestSchema, await readBody(req, "any", restartRequestSchema));
    res.status(202).json({ accepted: true });
    deps.requestRestart({ type: "restart", service, ...(port !== undefined && { port }) });
  });

  router.get("/events", async (req, res) => void res.json(await deps.events.page(parse(eventPageQuery, queryOf(req)))));
  router.get("/events/stream", (req, res) => deps.events.stream(req, res));
  router.post("/events", async (req, res) => {
    const delivery = parse(eventDeliverySchema, await readBody(req, "any", eventDeliverySchema));
    const data: unknown = parse(eventSchemas[delivery.type], delivery.data);
    res.status(201).json(await deps.events.append({ ...delivery, data }));
  });

  router.get(
    "/uploads",
    async (req, res) => void res.json(await deps.uploads.list(parse(eventPageQuery, queryOf(req)))),
  );
  router.get("/uploads/:id/content", async (req, res) => {
    const upload = await deps.uploads.find(Number(req.params.id));
    if (!upload) throw notFound(`There is no upload ${req.params.id}.`);
    const shown = shownInPlace.has(upload.media_type);
    res.setHeader("X-Content-Type-Options", "nosniff");
    res.setHeader("Content-Security-Policy", "default-src 'none'; sandbox");
    if (!shown) res.attachment(upload.file_name);
    res.setHeader("Content-Type", shown ? upload.media_type : "application/octet-stream");
    res.setHeader("Content-Length", upload.size);
    await pipeline(deps.uploads.read(upload), res);
  });

  router.get("/bans", (_req, res) => void res.json({ bans: deps.bans.list() }));
  router.put("/bans/:ip", async (req, res) => {
    await deps.bans.add(req.params.ip);
    res.status(204).end();
  });
  router.delete("/bans/:ip", async (req, res) => {
    if (!(await deps.bans.remove(req.params.ip))) throw notFound(`${req.params.ip} is not banned.`);
    res.status(204).end();
  });

  router.post("/tokens", async (req, res) => {
    const { user } = parse(tokenRequestSchema, await readBody(req, "any", tokenRequestSchema));
    res.status(201).json(await simulatedLogin(user, deps.addresses()));
  });

  router.use("/model", (req, res) => streamThrough(req, res, deps.addresses().model));
  router.use("/provider", (req, res) => streamThrough(req, res, deps.addresses().provider));

  return router;
}
