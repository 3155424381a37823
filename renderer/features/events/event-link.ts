import { linkOptions } from "@tanstack/react-router";
import { eventSchemas, type EventName, type HearthEvents } from "../../../server/contract/console/traffic/events.ts";
import type { CloudEvent } from "../../../server/contract/console/traffic/stored-event.ts";

type Links = { [Name in EventName]?: (data: HearthEvents[Name]) => ReturnType<typeof toOverview> | AnyLink };
type AnyLink =
  | ReturnType<typeof toDevices>
  | ReturnType<typeof toUpload>
  | ReturnType<typeof toRejected>
  | ReturnType<typeof toUser>
  | ReturnType<typeof toOrder>
  | ReturnType<typeof toFileEvent>
  | ReturnType<typeof toWatchedFolder>
  | ReturnType<typeof toItem>
  | ReturnType<typeof toCollection>
  | ReturnType<typeof toModel>;

const toOverview = () => linkOptions({ to: "/" });
const toDevices = () => linkOptions({ to: "/devices" });
const toUpload = (id: number) => linkOptions({ to: "/uploads", search: { upload: String(id) } });
const toRejected = () => linkOptions({ to: "/uploads", search: { view: "rejected" } });
const toUser = ({ user_id }: { user_id: number }) => linkOptions({ to: "/users", search: { user: `u${user_id}` } });
/** The list shows the two events of a move as one: the event of the old path is found by its path. */
const toFileEvent = ({ id, ev, df, moved_from }: HearthEvents["file.changed"]) =>
  linkOptions({
    to: "/file-events",
    search: ev === "move" && moved_from === undefined ? { path: df } : { event: String(id) },
  });
const toWatchedFolder = ({ id }: { id: number }) => linkOptions({ to: "/file-events", search: { folder: String(id) } });
const toOrder = ({ out_trade_no }: { out_trade_no?: string | undefined }) =>
  linkOptions({ to: "/payments", search: out_trade_no === undefined ? {} : { order: out_trade_no } });
const toItem = ({ collection, id }: HearthEvents["resource.created"]) =>
  linkOptions({ to: "/collections", search: { collection, item: String(id) } });
const toCollection = ({ name }: { name: string }) => linkOptions({ to: "/collections", search: { collection: name } });
const toModel = ({ model }: { model: string }) => linkOptions({ to: "/models", search: { model } });

const links: Links = {
  "session.created": toUser,
  "session.ended": toUser,
  "session.changed": toUser,
  "user.updated": toUser,
  "resource.created": toItem,
  "resource.updated": toItem,
  "resource.deleted": ({ collection }) => toCollection({ name: collection }),
  "upload.rejected": toRejected,
  "upload.stored": ({ id }) => toUpload(id),
  "upload.lost": ({ id }) => toUpload(id),
  "upload.recovered": ({ id }) => toUpload(id),
  "file.changed": toFileEvent,
  "watch.changed": toWatchedFolder,
  "service.changed": toOverview,
  "database.damaged": toOverview,
  "device.waiting": toDevices,
  "device.admitted": toDevices,
  "device.removed": toDevices,
  "lan.changed": toDevices,
  "collection.loaded": toCollection,
  "order.placed": toOrder,
  "order.not_placed": toOrder,
  "order.closed": toOrder,
  "payment.settled": toOrder,
  "payment.refused": toOrder,
  "payment.failed": toOrder,
  "refund.changed": toOrder,
  "model.pulled": toModel,
  "model.loaded": toModel,
  "model.unloaded": toModel,
};

/** The page with the event's subject open; undefined when there is none. */
export function linkOf(event: CloudEvent) {
  return event.type in eventSchemas ? linkOfKnown(event.type as EventName, event.data) : undefined;
}

function linkOfKnown<Name extends EventName>(name: Name, data: unknown) {
  const parsed = eventSchemas[name].safeParse(data);
  return parsed.success ? links[name]?.(parsed.data as HearthEvents[Name]) : undefined;
}
