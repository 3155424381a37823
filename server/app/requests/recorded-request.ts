/** Converts stored rows to the contract's form. */
import type { RecordedBody, RecordedRequest, RecordedSummary } from "../../contract/console/traffic/requests.ts";
import { presentIds } from "../../trace/span.ts";
import type { RequestRow, RequestSummaryRow } from "./store/request-rows.ts";

export const recordedSummary = (row: RequestSummaryRow): RecordedSummary => ({
  id: row.id,
  time: new Date(row.time).toISOString(),
  service: row.service,
  method: row.method,
  path: row.path,
  query: row.query,
  ...(row.status !== null && { status: row.status }),
  complete: row.complete === 1,
  ms: row.ms,
  request_size: row.request_size,
  response_size: row.response_size,
  ...(row.session_id !== null && { session_id: row.session_id }),
  ...(row.user_id !== null && { uid: `u${String(row.user_id)}` }),
  client: row.client,
  request_id: row.request_id,
  ...presentIds(row),
  sender: row.sender,
  ...(row.flow !== null && { flow: row.flow }),
  ...(row.replay_of !== null && { replay_of: row.replay_of }),
  ...(row.warning !== null && { warning: row.warning }),
  ...(row.faults !== null && { faults: JSON.parse(row.faults) as NonNullable<RecordedSummary["faults"]> }),
  ...(row.error !== null && { error: JSON.parse(row.error) as NonNullable<RecordedSummary["error"]> }),
});

/** Reads a list of alternating members. */
function pairsIn<Value, Pair>(json: string, toPair: (first: Value, second: Value) => Pair): Pair[] {
  const flat = JSON.parse(json) as Value[];
  return Array.from({ length: flat.length / 2 }, (_, at) => toPair(flat[2 * at] as Value, flat[2 * at + 1] as Value));
}

const headersOf = (json: string) => pairsIn(json, (name: string, value: string) => ({ name, value }));
const chunksOf = (json: string) => pairsIn(json, (size: number, ms: number) => ({ size, ms }));

const bodyOf = (
  body: string | Buffer | null,
  size: number,
  truncated: 0 | 1,
  withheld: string | null,
): RecordedBody => ({
  size,
  truncated: truncated === 1,
  ...(typeof body === "string" && { text: body }),
  ...(body instanceof Buffer && { base64: body.toString("base64") }),
  ...(withheld !== null && { withheld }),
});

export const recordedRequest = (row: RequestRow): RecordedRequest => ({
  ...recordedSummary(row),
  request: {
    headers: headersOf(row.request_headers),
    body: bodyOf(row.request_body, row.request_size, row.request_truncated, row.request_withheld),
  },
  response: {
    headers: headersOf(row.response_headers),
    body: bodyOf(row.response_body, row.response_size, row.response_truncated, row.response_withheld),
    ...(row.response_chunks !== null && { chunks: chunksOf(row.response_chunks) }),
  },
});

/** Value of a header; undefined when there is none of this name. */
export const headerOf = (headers: RecordedRequest["request"]["headers"], name: string): string | undefined =>
  headers.find((header) => header.name.toLowerCase() === name)?.value;
