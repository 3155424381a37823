/** The operations on recorded requests. The whole of /console/api needs the run's console token, or its cookie. */
import { z } from "zod";
import { endpoint } from "../../endpoint.ts";
import { barsQuery, histogramSchema, routeCallsSchema, trafficSchema } from "./histogram.ts";
import { newRequestSchema, replaySchema } from "./replay.ts";
import { requestDeliverySchema } from "./request-deliveries.ts";
import {
  assertionResultSchema,
  assertionSchema,
  harQuery,
  recordedRequestSchema,
  recordedSummarySchema,
  requestFilterSchema,
  requestPageQuery,
  requestPageSchema,
  waitQuery,
} from "./requests.ts";
import { idParams } from "../../app/resources.ts";

const base = { tag: "requests", access: "console" } as const;

/** Answers a page of the recorded requests that match the filter, the newest first, without headers and bodies. */
export const listRequests = endpoint({
  ...base,
  id: "listRequests",
  method: "GET",
  path: "/console/api/requests",
  status: 200,
  query: requestPageQuery,
  data: requestPageSchema,
});

/**
 * Records calls that another process of this run has answered: the model service delivers its own here, many at a time.
 * They are stored soon after, as those that the application server has seen itself; while recording is off they are not.
 */
export const deliverRequests = endpoint({
  ...base,
  id: "deliverRequests",
  method: "POST",
  path: "/console/api/requests/deliveries",
  status: 202,
  body: requestDeliverySchema,
  maxBodyBytes: 64 * 1024 * 1024,
});

/** Answers how many recorded requests match the filter. */
export const countRequests = endpoint({
  ...base,
  id: "countRequests",
  method: "GET",
  path: "/console/api/requests/count",
  status: 200,
  query: requestFilterSchema,
  data: z.object({ count: z.number().int() }),
});

/**
 * Answers how many recorded requests the filter fits, over time: in equal, round steps from `since` to `until`, or from the
 * oldest recorded request to the newest.
 */
export const getRequestHistogram = endpoint({
  ...base,
  id: "getRequestHistogram",
  method: "GET",
  path: "/console/api/requests/histogram",
  status: 200,
  query: requestFilterSchema.extend(barsQuery.shape),
  data: histogramSchema,
});

/**
 * Answers how many calls ended in the last five minutes, and how long they took: in steps of five seconds, and by who sent
 * them to which service.
 */
export const getTraffic = endpoint({
  ...base,
  id: "getTraffic",
  method: "GET",
  path: "/console/api/requests/traffic",
  status: 200,
  data: trafficSchema,
});

/**
 * Answers how often each route of the application server was called since its start, by status: whoever called it, and
 * whatever was removed from the recorded requests since. Nothing is counted while recording is off.
 */
export const getRouteCalls = endpoint({
  ...base,
  id: "getRouteCalls",
  method: "GET",
  path: "/console/api/requests/routes",
  status: 200,
  data: routeCallsSchema,
});

/**
 * Waits until requests that match the filter have been recorded and answers them, the newest first. Answers at once if
 * they have been recorded already; 404 with the requests that came instead after the timeout. `after` with the id of
 * the newest request before an action excludes earlier ones.
 */
export const waitForRequests = endpoint({
  ...base,
  id: "waitForRequests",
  method: "GET",
  path: "/console/api/requests/wait",
  status: 200,
  query: waitQuery,
  data: z.object({ requests: z.array(recordedSummarySchema) }),
  errors: [404],
});

/**
 * Checks how many requests match the filter. 409 with the reason and the nearest requests if the number is wrong, so
 * that a test needs to check the status only.
 */
export const assertRequests = endpoint({
  ...base,
  id: "assertRequests",
  method: "POST",
  path: "/console/api/requests/assertions",
  status: 200,
  body: assertionSchema,
  data: assertionResultSchema,
  errors: [409],
});

/**
 * Answers the recorded requests that match the filter as an HTTP archive (HAR 1.2), which browsers and proxies import.
 */
export const exportHar = endpoint({
  ...base,
  id: "exportHar",
  method: "GET",
  path: "/console/api/requests/har",
  status: 200,
  query: harQuery,
  produces: ["application/json"],
  replyHeaders: ["Content-Disposition"],
});

/**
 * Sends a server-sent event named `requests` whenever requests have been recorded or removed, at most ten times a second:
 * the newest id and how many there are, not the requests themselves. The first one comes at once.
 */
export const streamRecording = endpoint({
  ...base,
  id: "streamRecording",
  method: "GET",
  path: "/console/api/requests/stream",
  status: 200,
  produces: ["text/event-stream"],
});

/** Answers one recorded request with headers and bodies. */
export const getRequest = endpoint({
  ...base,
  id: "getRequest",
  method: "GET",
  path: "/console/api/requests/{id}",
  status: 200,
  params: idParams,
  data: recordedRequestSchema,
  errors: [404],
});

export const snippetFormats = ["curl", "fetch", "httpie"] as const;

/**
 * Answers a command, or a piece of code, that sends the recorded request again. Secrets are variables in it: `HEARTH_TOKEN`
 * for the session token, and one for each other value, as `HEARTH_PASSWORD`, with a number where there are several.
 */
export const getRequestSnippet = endpoint({
  ...base,
  id: "getRequestSnippet",
  method: "GET",
  path: "/console/api/requests/{id}/snippets/{format}",
  status: 200,
  params: idParams.extend({ format: z.enum(snippetFormats) }),
  produces: ["text/plain"],
  errors: [404],
});

/**
 * Sends a recorded request again, as it was or changed, and answers how that was recorded. The server puts secrets back in:
 * a session token is a fresh one of the same user, which ends with the replay.
 */
export const replayRequest = endpoint({
  ...base,
  id: "replayRequest",
  method: "POST",
  path: "/console/api/requests/{id}/replays",
  status: 201,
  params: idParams,
  body: replaySchema,
  data: recordedRequestSchema,
  replyHeaders: ["Location"],
  errors: [404, 409, 503],
});

/**
 * Sends a new request to a service, as a client would, and answers how that was recorded. Secrets of recorded requests may
 * be referred to as in these: a session's token is a fresh one of the same user, which ends with the request.
 */
export const sendRequest = endpoint({
  ...base,
  id: "sendRequest",
  method: "POST",
  path: "/console/api/requests",
  status: 201,
  body: newRequestSchema,
  data: recordedRequestSchema,
  replyHeaders: ["Location"],
  errors: [409, 503],
});

/** Removes one recorded request. */
export const deleteRequest = endpoint({
  ...base,
  id: "deleteRequest",
  method: "DELETE",
  path: "/console/api/requests/{id}",
  status: 204,
  params: idParams,
  errors: [404],
});

/** Removes all recorded requests. */
export const deleteRequests = endpoint({
  ...base,
  id: "deleteRequests",
  method: "DELETE",
  path: "/console/api/requests",
  status: 204,
});
