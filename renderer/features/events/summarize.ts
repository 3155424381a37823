import {
  eventSchemas,
  type CloudEvent,
  type EventName,
  type HearthEvents,
} from "../../../server/contract/console/events.ts";
import type { Formats } from "../../i18n/formats.ts";

type Summaries = { [Name in EventName]: (data: HearthEvents[Name], formats: Formats) => string };

const joined = (...parts: (string | undefined)[]): string => parts.filter(Boolean).join(" · ");
const session = (data: HearthEvents["session.created"]) => `session_id ${data.session_id} · user_id ${data.user_id}`;
const resource = (data: HearthEvents["resource.created"]) => `${data.collection}/${data.id}`;
const model = (data: HearthEvents["model.loaded"]) => joined(data.model, data.detail);

const device = (data: HearthEvents["device.waiting"]) => joined(data.name, data.address, data.id);

const fault = (data: HearthEvents["collection.failed"]) =>
  joined(`${data.file}:${data.line}:${data.column}`, data.message);

const fen = (data: { amount: number }) => `${data.amount} fen`;
const refused = (data: Omit<HearthEvents["payment.refused"], "order_id">) =>
  joined(data.out_trade_no, data.reason, data.text);

const summaries: Summaries = {
  "session.created": session,
  "session.ended": session,
  "session.changed": (data) => joined(session(data), `expires_in ${data.expires_in}`),
  "user.updated": (data) => `user_id ${data.user_id} · ${data.field}`,
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
  "file.changed": (data) => joined(data.ev, data.df),
  "watch.changed": (data) => joined(data.path, data.state, data.reason),
  "service.changed": (data) => joined(data.name, data.state, data.reason),
  "database.damaged": (data) => data.text,
  "device.waiting": device,
  "device.admitted": device,
  "device.removed": device,
  "lan.changed": (data) => joined(...data.urls, ...data.problems),
  "collection.loaded": (data) => joined(data.name, data.added > 0 ? `+${data.added}` : undefined, data.file),
  "collection.removed": (data) => joined(data.name, data.file),
  "collection.failed": fault,
  "routes.loaded": (data) => joined(`${data.routes}`, data.file),
  "routes.removed": (data) => data.file,
  "routes.failed": fault,
  "data.imported": (data) => joined(data.mode, `collections ${data.collections}`, `records ${data.records}`),
  "state.reset": (data) => data.parts.join(", "),
  "fixture.loaded": (data) => joined(data.name, data.parts.join(", ")),
  "order.placed": (data) => joined(data.out_trade_no, data.trade_type, fen(data)),
  "order.closed": (data) => joined(data.out_trade_no, data.trade_state),
  "payment.settled": (data) => joined(data.out_trade_no, fen(data), data.transaction_id),
  "payment.refused": refused,
  "payment.ignored": refused,
  "refund.changed": (data) => joined(data.out_refund_no, data.status, fen(data)),
  "model.pulled": model,
  "model.loaded": model,
  "model.unloaded": model,
};

/** Summarizes the event in one line, in words of the wire. */
export function summarize(event: CloudEvent, formats: Formats): string {
  const text = isKnown(event.type) ? summaryOf(event.type, event.data, formats) : undefined;
  return text ?? JSON.stringify(event.data) ?? "";
}

function summaryOf<Name extends EventName>(name: Name, data: unknown, formats: Formats): string | undefined {
  const parsed = eventSchemas[name].safeParse(data);
  return parsed.success ? summaries[name](parsed.data as HearthEvents[Name], formats) : undefined;
}

const isKnown = (type: string): type is EventName => type in eventSchemas;
