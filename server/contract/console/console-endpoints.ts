/** The operations of the console's own API. The whole of /console/api needs the run's console token, or its cookie. */
import { z } from "zod";
import {
  banPageSchema,
  eventCountsSchema,
  eventHistogramQuery,
  eventListQuery,
  eventPageSchema,
  overviewSchema,
  restartRequestSchema,
  serviceLogSchema,
  servicesMemorySchema,
  tokenRequestSchema,
  tokenSchema,
} from "./console.ts";
import { endpoint } from "../endpoint.ts";
import { histogramSchema } from "./traffic/histogram.ts";
import { cloudEventSchema, eventDeliverySchema } from "./traffic/events.ts";
import { idParams } from "../app/resources.ts";
import { serviceNameSchema } from "../process/services.ts";
import { uploadPageQuery, uploadPageSchema } from "./data/stored-uploads.ts";

/** Answers what runs: the processes with their states, the addresses of the services, the data directory. */
export const getOverview = endpoint({
  id: "getOverview",
  tag: "services",
  method: "GET",
  path: "/console/api/overview",
  access: "console",
  status: 200,
  data: overviewSchema,
});

/** Answers the last 200 lines that a process printed, oldest first; none where nobody supervises the processes. */
export const getServiceLog = endpoint({
  id: "getServiceLog",
  tag: "services",
  method: "GET",
  path: "/console/api/services/{name}/log",
  access: "console",
  status: 200,
  params: z.object({ name: serviceNameSchema }),
  data: serviceLogSchema,
});

/** Answers the resident memory of each process, where the system tells it. */
export const getServicesMemory = endpoint({
  id: "getServicesMemory",
  tag: "services",
  method: "GET",
  path: "/console/api/services/memory",
  access: "console",
  status: 200,
  data: servicesMemorySchema,
});

/**
 * Restarts a service, on another port where the body names one. It is accepted, not finished, when the answer comes: the
 * overview and the events show how it goes on. Restarting `app` cuts this very connection.
 */
export const restartService = endpoint({
  id: "restartService",
  tag: "services",
  method: "POST",
  path: "/console/api/services/{name}/restarts",
  access: "console",
  status: 202,
  params: z.object({ name: serviceNameSchema }),
  body: restartRequestSchema,
});

/**
 * Answers a page of the stored events that match the filter, the newest first; `before` with the last id of a page
 * requests the next one.
 */
export const listEvents = endpoint({
  id: "listEvents",
  tag: "events",
  method: "GET",
  path: "/console/api/events",
  access: "console",
  status: 200,
  query: eventListQuery,
  data: eventPageSchema,
});

/** Answers how many stored events match the filter, over time, as the histogram of requests does. */
export const getEventHistogram = endpoint({
  id: "getEventHistogram",
  tag: "events",
  method: "GET",
  path: "/console/api/events/histogram",
  access: "console",
  status: 200,
  query: eventHistogramQuery,
  data: histogramSchema,
});

/** Answers how many events of each source and of each type are stored. */
export const countEvents = endpoint({
  id: "countEvents",
  tag: "events",
  method: "GET",
  path: "/console/api/events/counts",
  access: "console",
  status: 200,
  data: eventCountsSchema,
});

/**
 * Sends every event as it is stored, as server-sent events named `event` whose data is the event's JSON and whose id is its
 * own. With Last-Event-ID, what has been stored since then comes first, so that a client which reconnects misses nothing. A
 * message named `activity`, without an id, says that requests have been recorded; it comes at most twice a second.
 */
export const streamStoredEvents = endpoint({
  id: "streamStoredEvents",
  tag: "events",
  method: "GET",
  path: "/console/api/events/stream",
  access: "console",
  status: 200,
  produces: ["text/event-stream"],
  requestHeaders: ["Last-Event-ID"],
});

/** Stores an event that another process has seen, and sends it to all who listen. */
export const createEvent = endpoint({
  id: "createEvent",
  tag: "events",
  method: "POST",
  path: "/console/api/events",
  access: "console",
  status: 201,
  body: eventDeliverySchema,
  data: cloudEventSchema,
});

/** Answers a page of everybody's uploaded files, the newest first. */
export const listStoredUploads = endpoint({
  id: "listStoredUploads",
  tag: "files",
  method: "GET",
  path: "/console/api/uploads",
  access: "console",
  status: 200,
  query: uploadPageQuery,
  data: uploadPageSchema,
});

/** Answers the bytes of an uploaded file; as a download, unless it is a picture that browsers can show. */
export const getStoredUploadContent = endpoint({
  id: "getStoredUploadContent",
  tag: "files",
  method: "GET",
  path: "/console/api/uploads/{id}/content",
  access: "console",
  status: 200,
  params: idParams,
  produces: ["application/octet-stream", "image/png", "image/apng", "image/jpeg", "image/gif", "image/webp"],
  replyHeaders: ["Content-Security-Policy", "X-Content-Type-Options"],
  errors: [404],
});

/** Lists the IP addresses that the application server answers 403. */
export const listBans = endpoint({
  id: "listBans",
  tag: "bans",
  method: "GET",
  path: "/console/api/bans",
  access: "console",
  status: 200,
  data: banPageSchema,
});

const banParams = z.object({
  ip: z
    .string()
    .max(45)
    .describe("An IPv4 or IPv6 address.")
    .meta({ examples: ["192.0.2.7"] }),
});

/** Bans an IP address: every request of it under /api is answered 403 from then on. Doing it twice changes nothing. */
export const createBan = endpoint({
  id: "createBan",
  tag: "bans",
  method: "PUT",
  path: "/console/api/bans/{ip}",
  access: "console",
  status: 204,
  params: banParams,
});

/** Lifts the ban of an IP address. */
export const deleteBan = endpoint({
  id: "deleteBan",
  tag: "bans",
  method: "DELETE",
  path: "/console/api/bans/{ip}",
  access: "console",
  status: 204,
  params: banParams,
  errors: [404],
});

/**
 * Answers a session token of a simulated user, whom it logs in completely, as a client would. While that session is
 * valid, further calls answer the same token.
 */
export const createToken = endpoint({
  id: "createToken",
  tag: "tokens",
  method: "POST",
  path: "/console/api/tokens",
  access: "console",
  status: 201,
  body: tokenRequestSchema,
  data: tokenSchema,
  errors: [503],
});
