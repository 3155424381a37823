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

/** Returns the processes with their states, the services' addresses and the data directory. */
export const getOverview = endpoint({
  id: "getOverview",
  tag: "services",
  method: "GET",
  path: "/console/api/overview",
  access: "console",
  status: 200,
  data: overviewSchema,
});

/**
 * Returns the last 200 lines that a process printed, oldest first. The list is empty if the processes have no
 * supervisor.
 */
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

/** Returns the resident memory of each process. A process is omitted if the system does not report its memory. */
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
 * Restarts a service, on another port if the body names one. The answer means accepted, not finished: follow the
 * overview or the events. Restarting `app` closes this connection.
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
 * Returns a page of the events that match the filter, newest first. To get the next page, pass a page's last id as
 * `before`.
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

/** Returns how many matching events occurred over time. The steps are those of the histogram of requests. */
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

/** Returns the number of events by source and by type. */
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
 * Streams each event as soon as it is stored. The stream has server-sent events named `event`: data is the event's
 * JSON, id is the event's id. With Last-Event-ID, the events since then come first, so a reconnecting client misses
 * nothing. A message named `activity` without an id reports newly recorded requests, at most twice a second.
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

/** Stores an event of another process and sends it to all listeners. */
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

/** Returns a page of all users' uploads, newest first. */
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

/** Returns the content of an uploaded file. Pictures that browsers support are shown; other files are downloaded. */
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

/** Lists the IP addresses that the application server refuses with 403. */
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

/** Bans an IP address. All its requests under /api then get 403. Banning an address again changes nothing. */
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
 * Returns a session token of a simulated user. Hearth completes every login step for this user, as a client would.
 * While the session is valid, further calls return the same token.
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
