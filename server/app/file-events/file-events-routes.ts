import { createFileEvent, fileEventIdHeader, fileMoveHeader } from "../../contract/app/file-events.ts";
import type { IncomingHttpHeaders } from "node:http";
import { refuse } from "../../http/http-error.ts";
import { route, type Route } from "../../http/route.ts";
import type { FileEventStore } from "./file-event-store.ts";

const maxEventIdLength = 200;

/**
 * An empty id counts as no id; otherwise all events without one would be duplicates. @throws HttpError 400 when it is
 * too long.
 */
function idIn(headers: IncomingHttpHeaders, name: string): string | undefined {
  const id = String(headers[name.toLowerCase()] ?? "");
  if (id.length > maxEventIdLength) throw refuse("header.tooLong", { name, most: maxEventIdLength }, { field: name });
  return id === "" ? undefined : id;
}

/** The receiver of file-change notifications (spec: File-change receiver). It answers 202 once one is stored (our choice). */
export const fileEventsRoutes = (store: FileEventStore): Route[] => [
  route(createFileEvent, async ({ body: { df, ev } }, { req }) =>
    store.add({ df, ev, eventId: idIn(req.headers, fileEventIdHeader), moveId: idIn(req.headers, fileMoveHeader) }),
  ),
];
