import { z } from "zod";
import { listRequests, streamRecording } from "../../contract/console/traffic/request-endpoints.ts";
import {
  recordedSummarySchema,
  recordingStateSchema,
  requestFilterSchema,
  requestSenderSchema,
  requestServiceSchema,
} from "../../contract/console/traffic/requests.ts";
import { onOff, value, whole } from "../../process/command-line/inputs.ts";
import { action } from "../action.ts";
import type { HearthApi } from "../hearth-api.ts";
import { printRequests } from "./request-text.ts";

const { method, path, status, q } = requestFilterSchema.shape;
const services = requestServiceSchema.options.join("|");
const senders = requestSenderSchema.options.join("|");
const mostInPage = 500;

const input = z.object({
  failed: onOff("only requests that failed, were refused or cut off, or got no reply"),
  method: value(method, "METHOD", "only these methods, separated by commas"),
  path: value(path, "PATH", "only this path; `*` matches text without /, `**` at the end everything below"),
  status: value(status, "STATUS", "only these statuses, such as 404 or 4xx,5xx; none: requests without a reply"),
  service: value(requestServiceSchema.optional(), services, "only requests to this service"),
  sender: value(requestSenderSchema.optional(), senders, "only requests from this sender"),
  find: value(q, "TEXT", "only requests with this text in path, query, headers or bodies"),
  before: whole(z.int().positive().optional(), "REQUEST", "only requests before this one, for the next page"),
  limit: whole(z.int().min(1).max(mostInPage).default(20), "N", "at most this many, the newest; default: 20"),
});
type RequestsInput = z.output<typeof input>;

/** The matching requests with a greater id than `after`, the oldest first. */
async function readRequests(hearth: HearthApi, options: RequestsInput & { after?: number }, signal: AbortSignal) {
  const { find, ...filter } = options;
  const { requests } = await hearth.call(listRequests, { query: { ...filter, q: find }, signal });
  return requests.toReversed();
}

export const requests = action({
  name: "requests",
  group: "Traffic",
  summary: "list the recorded requests, newest last",
  input,
  output: z.array(recordedSummarySchema),
  effect: "reads",
  run: (hearth, options, signal) => readRequests(hearth, options, signal),
  async *follow(hearth, options, signal, listed) {
    let after = listed.at(-1)?.id ?? 0;
    for await (const { data } of hearth.stream(streamRecording, { signal })) {
      const { newest_id } = recordingStateSchema.parse(data);
      if (newest_id <= after) continue;
      yield await readRequests(hearth, { ...options, after, limit: mostInPage }, signal);
      after = newest_id;
    }
  },
  print: (list) => (list.length === 0 ? "No requests match." : printRequests(list)),
});
