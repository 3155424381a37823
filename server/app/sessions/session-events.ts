import type { BusMessage } from "../../contract/console/events.ts";

/** What is told of a session and of what is known of a user. `source`: which part of the server did it. */
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
