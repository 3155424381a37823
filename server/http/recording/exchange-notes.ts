import type { ServerResponse } from "node:http";
import type { HttpError } from "../http-error.ts";
import type { Session } from "../login.ts";

/** What the conventions learn about a call on its way, for whoever records it. */
export interface ExchangeNotes {
  /** The session that the call has proven, or begun. */
  session?: Session;
  /** What the call was refused by. */
  refusal?: Pick<HttpError, "status" | "code" | "message" | "cause">;
}

const notes: unique symbol = Symbol("exchange notes");

/** The notes of a call, which live as long as its response. */
export const notesOf = (res: ServerResponse & { [notes]?: ExchangeNotes }): ExchangeNotes => (res[notes] ??= {});
