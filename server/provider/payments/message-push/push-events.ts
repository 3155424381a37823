/** The events of message push and their fields, in JSON and in XML. */
import { createHash } from "node:crypto";
import type { SimPushReceiver } from "../../../contract/provider/sim-message-push.ts";

export type PushValue = string | number | PushFields | readonly PushFields[];
export interface PushFields {
  readonly [name: string]: PushValue;
}

/** An event about a person. */
export interface PushEvent {
  readonly event: string;
  readonly openid: string;
  /** Fields in JSON. */
  readonly fields: PushFields;
  /** Fields in XML, if they differ from those in JSON. */
  readonly xml?: PushFields;
  /** Events of subscription messages have the time as a text in JSON. */
  readonly timeAsText?: true;
}

/** The app's original id, which no other call returns: derived from the app id (our choice). */
export const originalId = (appId: string): string =>
  `gh_${createHash("sha1").update(appId).digest("hex").slice(0, 12)}`;

/** @param at Unix ms */
export function writePushMessage(
  { event, openid, fields, xml = fields, timeAsText }: PushEvent,
  format: SimPushReceiver["format"],
  appId: string,
  at: number,
): string {
  const seconds = Math.floor(at / 1000);
  const CreateTime = timeAsText && format === "JSON" ? String(seconds) : seconds;
  const head = { ToUserName: originalId(appId), FromUserName: openid, CreateTime, MsgType: "event", Event: event };
  return format === "JSON" ? JSON.stringify({ ...head, ...fields }) : writePushXml({ ...head, ...xml });
}

/** Texts are CDATA, lists are repeated elements. */
export const writePushXml = (fields: PushFields): string => `<xml>${elements(fields)}</xml>`;

const elements = (fields: PushFields): string =>
  Object.entries(fields)
    .flatMap(([name, value]) =>
      (Array.isArray(value)
        ? (value as readonly PushFields[])
        : [value as Exclude<PushValue, readonly PushFields[]>]
      ).map((one) => `<${name}>${content(one)}</${name}>`),
    )
    .join("");

function content(value: Exclude<PushValue, readonly PushFields[]>): string {
  if (typeof value === "number") return String(value);
  if (typeof value === "string") return `<![CDATA[${value.replaceAll("]]>", "]]]]><![CDATA[>")}]]>`;
  return elements(value);
}
