import type { ServerResponse } from "node:http";
import type { EndpointSpec } from "../../contract/endpoint.ts";
import type { HttpError } from "../http-error.ts";
import type { Session } from "../login.ts";

/** Facts about a request that its handling notes for the recorder and the metrics. */
export interface ExchangeNotes {
  /** The session that the request proved, or created. */
  session?: Session;
  /** The id of the key that let the request in, or that made what did. */
  key?: string;
  /** The route that was called. */
  route?: Pick<EndpointSpec, "method" | "path">;
  /** The path of the route that was called, as it is defined, where nothing but the metrics asks for it. */
  path?: string;
  /** The number of the order that the request is about, where its route knows it. */
  order?: string;
  /** The simulated person whose code the request redeemed. */
  person?: string;
  /** The answer was compressed after the recorder had seen it. */
  compressed?: true;
  /** What the answer's header warns of. */
  warning?: string;
  /** The error that refused the request. */
  refusal?: Pick<HttpError, "status" | "code" | "message" | "cause">;
}

const notes: unique symbol = Symbol("exchange notes");

/** The notes of a request, which live as long as its response. */
export const notesOf = (res: ServerResponse & { [notes]?: ExchangeNotes }): ExchangeNotes => (res[notes] ??= {});
