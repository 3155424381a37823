import type { RequestSender, RequestService } from "../../../contract/console/traffic/requests.ts";

/** A recorded request, with its columns. */
export interface RequestRow {
  readonly id: number;
  /** Unix ms. */
  readonly time: number;
  readonly service: RequestService;
  readonly method: string;
  readonly path: string;
  /** Without the '?'. */
  readonly query: string;
  /** Null when there was no answer. */
  readonly status: number | null;
  readonly complete: 0 | 1;
  readonly ms: number;
  readonly session_id: number | null;
  readonly user_id: number | null;
  readonly client: string;
  readonly request_id: string;
  readonly trace_id: string | null;
  readonly span_id: string | null;
  /** The span of the request that caused it. */
  readonly parent_id: string | null;
  readonly replay_of: number | null;
  readonly sender: RequestSender;
  /** The login or order that it is part of, if any. */
  readonly flow: string | null;
  /** Bytes of the bodies. */
  readonly request_size: number;
  readonly response_size: number;
  /** JSON, or null. */
  readonly error: string | null;
  /** JSON: the faults that hit it, or null. */
  readonly faults: string | null;
  /** The warning in the answer, or null. */
  readonly warning: string | null;
  /** JSON: alternating names and values. */
  readonly request_headers: string;
  readonly response_headers: string;
  /** Why no byte of the body is kept; null when it is. */
  readonly request_withheld: string | null;
  readonly response_withheld: string | null;
  readonly request_truncated: 0 | 1;
  readonly response_truncated: 0 | 1;
  /** The beginning of the bodies, as text or as bytes. */
  readonly request_body: string | Buffer | null;
  readonly response_body: string | Buffer | null;
  /** JSON: alternating bytes and ms of each write of a streamed answer; null where they were not timed. */
  readonly response_chunks: string | null;
}

/** A row without headers and bodies. Its columns come first, so that no page of a large body is read for them. */
export type RequestSummaryRow = Pick<RequestRow, (typeof requestSummaryColumns)[number]>;

/** The columns of a summary, the first of the table. */
export const requestSummaryColumns = [
  "id",
  "time",
  "service",
  "method",
  "path",
  "query",
  "status",
  "complete",
  "ms",
  "session_id",
  "user_id",
  "client",
  "request_id",
  "trace_id",
  "span_id",
  "parent_id",
  "replay_of",
  "sender",
  "flow",
  "request_size",
  "response_size",
  "error",
  "warning",
  "faults",
] as const;
const otherColumns = [
  "request_headers",
  "response_headers",
  "request_withheld",
  "response_withheld",
  "request_truncated",
  "response_truncated",
  "response_chunks",
  "request_body",
  "response_body",
] as const;
export const columns = [...requestSummaryColumns, ...otherColumns];
