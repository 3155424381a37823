/** The first steps of reading a notification of either version. */
import { isUtf8 } from "node:buffer";
import { maxNotificationBytes } from "../../../contract/app/payment-endpoints.ts";
import { NotificationRefused } from "./provider-client.ts";

/** @throws NotificationRefused too_long, malformed */
export function notificationText(body: Buffer): string {
  if (body.length > maxNotificationBytes)
    throw new NotificationRefused("too_long", `A notification has at most ${String(maxNotificationBytes)} bytes.`);
  if (!isUtf8(body)) throw new NotificationRefused("malformed", "The notification is not UTF-8.");
  return body.toString("utf8");
}

/** @throws NotificationRefused malformed, which names the field */
export function required(name: string, value: string | undefined): string {
  if (value === undefined) throw new NotificationRefused("malformed", `The notification has no ${name}.`);
  return value;
}
