/** Control routes for checks of receivers. */
import { Router, type Request, type Response } from "express";
import type { z } from "zod";
import {
  receiverCheckInputSchema,
  type ReceiverCheck,
  type ReceiverCheckProgress,
  type receiverChecksSchema,
} from "../../../contract/provider/receiver-checks.ts";
import { checkedBody } from "../../../http/formats/checked-body.ts";
import { askerOf, type IsToken } from "../../../http/outgoing/asker.ts";
import { notFound } from "../../../http/http-error.ts";
import type { ReceiverChecks } from "./receiver-checks.ts";

const ndjson = "application/x-ndjson";
type Numbered = Request<{ id: string }>;

export function receiverChecksApi(checks: ReceiverChecks, isToken: IsToken): Router {
  const router = Router();

  /** @throws HttpError 404 */
  function find({ params: { id } }: Numbered): ReceiverCheck {
    const check = checks.get(Number(id));
    if (!check) throw notFound(`There is no check ${id}.`);
    return check;
  }

  /** Streams the progress line by line. If the client disconnects, the check is cancelled. */
  async function stream(id: number, res: Response): Promise<void> {
    res.writeHead(200, { "Content-Type": `${ndjson}; charset=utf-8`, "Cache-Control": "no-store" });
    res.flushHeaders();
    res.once("close", () => {
      if (!res.writableFinished) void checks.cancel(id);
    });
    await checks.follow(id, (progress: ReceiverCheckProgress) => res.write(`${JSON.stringify(progress)}\n`));
    res.end();
  }

  router.post("/receiver-checks", async (req, res) => {
    const check = await checks.start(await checkedBody(req, receiverCheckInputSchema), askerOf(req, isToken));
    if (req.headers.accept?.includes(ndjson)) return stream(check.id, res);
    res
      .status(201)
      .location(`/sim/receiver-checks/${String(check.id)}`)
      .json(check);
  });

  router.get("/receiver-checks", (_req, res) => {
    res.json({ checks: checks.list() } satisfies z.input<typeof receiverChecksSchema>);
  });

  router.get("/receiver-checks/:id", (req: Numbered, res) => void res.json(find(req)));

  /** Answers once the check has ended and cleaned up; its report stays. */
  router.delete("/receiver-checks/:id", async (req: Numbered, res) => {
    const { id } = find(req);
    await checks.cancel(id);
    res.json(checks.get(id));
  });

  return router;
}
