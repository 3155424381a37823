import type { BusMessage } from "../../contract/console/traffic/events.ts";

/** The events of sessions and user profiles. `source` names the part of the server that caused one. */
export const sessionEvent = (
  type: "session.created" | "session.ended",
  source: string,
  id: number,
  userId: number,
): BusMessage => ({ type, source, subject: String(id), data: { session_id: id, user_id: userId } });

export const userEvent = (source: string, userId: number, field: "userinfo" | "phone"): BusMessage => ({
  type: "user.updated",
  source,
  subject: String(userId),
  data: { user_id: userId, field },
});
