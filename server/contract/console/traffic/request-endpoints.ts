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

/** Returns a page of the recorded requests that match the filter, newest first. Headers and bodies are not included. */
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
 * Records requests that another process of this run has answered. The model service delivers its requests here in
 * batches. They are stored shortly afterwards, like the application server's own. While recording is off, they are
 * dropped.
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

/** Returns the number of recorded requests that match the filter. */
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
 * Returns how many matching requests were recorded over time. The steps are equal and round. They cover `since` to
 * `until`, by default from the oldest request to the newest.
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
 * Returns the calls that ended in the last five minutes, with their durations. Steps of five seconds are grouped by
 * caller and service.
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
 * Returns how often each route of the application server was called since its start, by status. All callers count, and
 * removing recorded requests changes nothing. While recording is off, nothing is counted.
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
 * Waits for requests that match the filter and returns them, newest first. If there are some already, it returns at
 * once. After the timeout, the answer is 404 with the requests that arrived instead. To exclude earlier requests, pass
 * the newest id before your action as `after`.
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
 * Asserts the number of requests that match the filter. If the number differs, the answer is 409 with the reason and
 * the nearest requests. A test needs to check the status only.
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

/** Exports the recorded requests that match the filter as HAR 1.2. Browsers and proxies import this format. */
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
 * Streams a message whenever requests are recorded or removed. The stream has server-sent events named `requests`, at
 * most 10 a second. Each has the newest id and the total, not the requests themselves. The first one is sent at once.
 */
export const streamRecording = endpoint({
  ...base,
  id: "streamRecording",
  method: "GET",
  path: "/console/api/requests/stream",
  status: 200,
  produces: ["text/event-stream"],
});

/** Returns one recorded request with headers and bodies. */
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
 * Returns a command or code that sends the recorded request again. Variables replace secrets: `HEARTH_TOKEN` for the
 * session token, and names such as `HEARTH_PASSWORD` for others. A number distinguishes several of the same name.
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
 * Replays a recorded request, changed or unchanged, and returns the new recorded request. The server fills in secrets.
 * A session token becomes a new one of the same user, which ends with the replay.
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
 * Sends a new request to a service, as a client would, and returns the recorded request. It may refer to secrets of
 * recorded requests. A session token becomes a new one of the same user, which ends with the request.
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

/** Deletes one recorded request. */
export const deleteRequest = endpoint({
  ...base,
  id: "deleteRequest",
  method: "DELETE",
  path: "/console/api/requests/{id}",
  status: 204,
  params: idParams,
  errors: [404],
});

/** Deletes all recorded requests. */
export const deleteRequests = endpoint({
  ...base,
  id: "deleteRequests",
  method: "DELETE",
  path: "/console/api/requests",
  status: 204,
});
