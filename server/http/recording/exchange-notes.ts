import type { ServerResponse } from "node:http";
import type { FaultMark } from "../../contract/fault-mark.ts";
import type { EndpointSpec } from "../../contract/endpoint.ts";
import type { HttpError } from "../http-error.ts";
import type { Span } from "../../trace/span.ts";
import type { Session } from "../login.ts";

/** Facts about a request, for the recorder and the metrics. */
export interface ExchangeNotes {
  /** Names the request in the log. */
  requestId?: string;
  /** The request's span. */
  span?: Span;
  /** The session that the request proved, or created. */
  session?: Session;
  /** The id of the key that admitted the request, or that created its session. */
  key?: string;
  /** The route that was called. */
  route?: Pick<EndpointSpec, "method" | "path">;
  /** The path of the called route, as it is defined, if only the metrics need it. */
  path?: string;
  /** The number of the request's order, if its route knows it. */
  order?: string;
  /** The simulated person whose code the request redeemed. */
  person?: string;
  /** The answer was compressed after the recorder had seen it. */
  compressed?: true;
  /** The warning in the answer's header. */
  warning?: string;
  /** The faults of a test that hit the request. */
  faults?: readonly FaultMark[];
  /** The error that refused the request. */
  refusal?: Pick<HttpError, "status" | "code" | "message" | "cause">;
}

const notes: unique symbol = Symbol("exchange notes");

/** The notes of a request, which live as long as its response. */
export const notesOf = (res: ServerResponse & { [notes]?: ExchangeNotes }): ExchangeNotes => (res[notes] ??= {});
