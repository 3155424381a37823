/** Control routes for checks of receivers. */
import type { ServerResponse } from "node:http";
import type { ReceiverCheck, ReceiverCheckProgress } from "../../../contract/provider/checks/receiver-checks.ts";
import {
  cancelReceiverCheck,
  createReceiverCheck,
  getReceiverCheck,
  listReceiverChecks,
} from "../../../contract/provider/sim-operations.ts";
import { askerOf, type IsToken } from "../../../http/outgoing/asker.ts";
import { notFound } from "../../../http/http-error.ts";
import { route, type Route } from "../../../http/route.ts";
import type { ReceiverChecks } from "./receiver-checks.ts";

const ndjson = "application/x-ndjson";
/** A row may wait for longer than clients bear a silent stream. Space before JSON means nothing. */
const heartbeatMs = 15_000;
const heartbeat = " ";

export function receiverCheckRoutes(checks: ReceiverChecks, isToken: IsToken): Route[] {
  /** @throws HttpError 404 */
  function find(id: string): ReceiverCheck {
    const check = checks.get(Number(id));
    if (!check) throw notFound(`Check ${id} does not exist.`);
    return check;
  }

  /** Streams the progress line by line. If the client disconnects, the check is cancelled. */
  async function stream(id: number, res: ServerResponse): Promise<void> {
    res.writeHead(200, { "Content-Type": `${ndjson}; charset=utf-8`, "Cache-Control": "no-store" });
    res.flushHeaders();
    const timer = setInterval(() => res.write(heartbeat), heartbeatMs);
    res.once("close", () => {
      clearInterval(timer);
      if (!res.writableFinished) void checks.cancel(id);
    });
    await checks.follow(id, (progress: ReceiverCheckProgress) => res.write(`${JSON.stringify(progress)}\n`));
    // A slow client may read for long after the end.
    clearInterval(timer);
    res.end();
  }

  return [
    route(createReceiverCheck, async ({ body }, { req, res }) => {
      const check = await checks.start(body, askerOf(req, isToken));
      if (req.headers.accept?.includes(ndjson)) {
        await stream(check.id, res);
        return { sent: true };
      }
      return { data: check, headers: { Location: `/sim/receiver-checks/${String(check.id)}` } };
    }),

    route(listReceiverChecks, () => ({ data: { checks: checks.list() } })),

    route(getReceiverCheck, ({ params: { id } }) => ({ data: find(id) })),

    route(cancelReceiverCheck, async ({ params }) => {
      const { id } = find(params.id);
      await checks.cancel(id);
      return { data: find(String(id)) };
    }),
  ];
}
