/** The operations of the console's own API. The whole of /console/api needs the run's console token, or its cookie. */
import { z } from "zod";
import {
  banPageSchema,
  overviewSchema,
  restartRequestSchema,
  serviceLogSchema,
  servicesMemorySchema,
  tokenRequestSchema,
  tokenSchema,
} from "./console.ts";
import { endpoint } from "../endpoint.ts";
import { serviceNameSchema } from "../process/services.ts";

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
