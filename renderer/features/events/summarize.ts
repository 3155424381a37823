import { z } from "zod";
import { notificationReason } from "../../../server/contract/app/notification-reasons.ts";
import { eventSchemas, type EventName, type HearthEvents } from "../../../server/contract/console/traffic/events.ts";
import type { CloudEvent } from "../../../server/contract/console/traffic/stored-event.ts";
import type { Formats } from "../../i18n/formats.ts";

/** Says in the reader's language what the contract says in English. */
type Say = (text: string) => string;

type Summarize<Data> = (data: Data, formats: Formats, say: Say) => string;
type Summaries = { [Name in EventName]: Summarize<HearthEvents[Name]> };

const joined = (...parts: (string | undefined)[]): string => parts.filter(Boolean).join(" · ");
const session = (data: HearthEvents["session.created"]) =>
  data.name ?? `session_id ${data.session_id} · user_id ${data.user_id}`;
const resource = ({ name, ...data }: HearthEvents["resource.created"]) =>
  name === undefined ? `${data.collection}/${data.id}` : joined(name, data.collection);
const model = (data: HearthEvents["model.loaded"]) => joined(data.model, data.detail);

const device = (data: HearthEvents["device.waiting"]) => joined(data.name, data.address, data.id);

const fault = (data: HearthEvents["collection.failed"]) =>
  joined(`${data.file}:${data.line}:${data.column}`, data.message);

const refused: Summarize<Omit<HearthEvents["payment.refused"], "order_id">> = (data, _formats, say) =>
  joined(data.name ?? data.out_trade_no, data.reason, say(notificationReason(data.reason) ?? data.text));

const summaries: Summaries = {
  "session.created": session,
  "session.ended": session,
  "session.changed": (data) => joined(session(data), `expires_in ${data.expires_in}`),
  "user.updated": (data) => joined(data.name ?? `user_id ${data.user_id}`, data.field),
  "resource.created": resource,
  "resource.updated": resource,
  "resource.deleted": resource,
  "request.unknown_name": (data) => joined(`${data.method} ${data.path}`, `${data.where}: ${data.name}`),
  "upload.stored": (data, formats) => joined(data.file_name, formats.bytes(data.size)),
  "upload.rejected": (data) => joined(data.file_name, data.reason),
  "upload.lost": (data) => joined(data.file_name, data.reason),
  "upload.recovered": (data) => data.file_name,
  "uploads.checked": (data) =>
    joined(`recovered ${data.recovered}`, `lost ${data.lost}`, `set_aside ${data.set_aside}`),
  "file.changed": ({ ev, moved_from: from, df }) => joined(ev, from === undefined ? df : `${from} → ${df}`),
  "watch.changed": (data) => joined(data.path, data.state, data.reason),
  "service.changed": (data) => joined(data.name, data.state, data.reason),
  "database.damaged": (data) => data.text,
  "device.waiting": device,
  "device.admitted": device,
  "device.removed": device,
  "lan.changed": (data) => joined(...data.urls, ...data.problems),
  "collection.loaded": ({ name, added, file, ignored_formats: ignored = [] }) =>
    joined(
      name,
      added > 0 ? `+${added}` : undefined,
      file,
      ...ignored.map(({ format }) => `ignored_formats ${format}`),
    ),
  "collection.removed": (data) => joined(data.name, data.file),
  "collection.failed": fault,
  "routes.loaded": (data) => joined(`${data.routes}`, data.file),
  "routes.removed": (data) => data.file,
  "routes.failed": fault,
  "data.imported": (data) => joined(data.mode, `collections ${data.collections}`, `records ${data.records}`),
  "state.reset": (data) => data.parts.join(", "),
  "fixture.loaded": (data) => joined(data.name, data.parts.join(", ")),
  "order.placed": (data, formats) =>
    joined(data.name ?? data.out_trade_no, data.trade_type, formats.money(data.amount)),
  "order.not_placed": (data) => joined(data.name ?? data.out_trade_no, data.code ?? data.placement),
  "order.closed": (data) => joined(data.name ?? data.out_trade_no, data.trade_state),
  "payment.settled": (data, formats) => joined(data.name ?? data.out_trade_no, formats.money(data.amount)),
  "payment.refused": refused,
  "payment.failed": (data, formats) => joined(data.out_trade_no, data.reason, formats.money(data.amount)),
  "receiver.checked": (data) => joined(`check ${data.check}`, `orders ${data.orders.length}`),
  "payment.ignored": refused,
  "refund.changed": (data, formats) => joined(data.name ?? data.out_refund_no, data.status, formats.money(data.amount)),
  "provider.not_simulated": (data) => joined(`${data.method} ${data.path}`, data.product),
  "model.pulled": model,
  "model.loaded": model,
  "model.unloaded": model,
};

/** Summarizes the event in one line: with the name of what it is about, where it is known, else in words of the wire. */
export function summarize(event: CloudEvent, formats: Formats, say: Say = (text) => text): string {
  const text = isKnownEvent(event.type) ? summaryOf(event.type, event.data, formats, say) : undefined;
  return text ?? JSON.stringify(event.data) ?? "";
}

function summaryOf<Type extends EventName>(type: Type, data: unknown, formats: Formats, say: Say): string | undefined {
  const parsed = eventSchemas[type].safeParse(data);
  return parsed.success ? summaries[type](parsed.data as HearthEvents[Type], formats, say) : undefined;
}

/** Whether the type is one of Hearth's own, for which there are words; programs may post others. */
export const isKnownEvent = (type: string): type is EventName => type in eventSchemas;

const namedSchema = z.object({ name: z.string() });

/** The name of the user, order or item that the event is about, if it has one. */
export function nameIn({ type, data }: CloudEvent): string | undefined {
  if (!/^(session|user|resource|order|payment|refund)[.]/.test(type)) return undefined;
  return namedSchema.safeParse(data).data?.name;
}
