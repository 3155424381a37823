/** The operations of the control API. The whole of /console/api needs the run's console token, or its cookie. */
import { z } from "zod";
import { list } from "../../bounded-lists.ts";
import {
  clockChangeSchema,
  clockSchema,
  faultInputSchema,
  faultListSchema,
  faultSchema,
  fixtureListSchema,
  fixtureName,
  fixtureRequestSchema,
  fixtureSchema,
  resetRequestSchema,
  resetResultSchema,
} from "./control.ts";
import { endpoint } from "../../endpoint.ts";
import { idParams } from "../../app/resources.ts";

const access = "console";

/** Answers what the server takes for now. */
export const getClock = endpoint({
  id: "getClock",
  tag: "clock",
  method: "GET",
  path: "/console/api/clock",
  access,
  status: 200,
  data: clockSchema,
});

/**
 * Moves the clock by which sessions, codes and session keys expire, for the application server and the provider simulator alike.
 * It is back at the real one's time after a restart.
 */
export const setClock = endpoint({
  id: "setClock",
  tag: "clock",
  method: "PUT",
  path: "/console/api/clock",
  access,
  status: 200,
  body: clockChangeSchema,
  data: clockSchema,
});

/** Puts the clock back to the real one's time. */
export const resetClock = endpoint({
  id: "resetClock",
  tag: "clock",
  method: "DELETE",
  path: "/console/api/clock",
  access,
  status: 204,
});

/** Lists what goes wrong on purpose, and how often it has. */
export const listFaults = endpoint({
  id: "listFaults",
  tag: "faults",
  method: "GET",
  path: "/console/api/faults",
  access,
  status: 200,
  data: faultListSchema,
});

/** Makes these the faults, and no others: latency, errors and cut connections for the requests that each one is for. */
export const replaceFaults = endpoint({
  id: "replaceFaults",
  tag: "faults",
  method: "PUT",
  path: "/console/api/faults",
  access,
  status: 200,
  body: z.strictObject({ faults: list(faultInputSchema).max(1000) }),
  data: faultListSchema,
});

/**
 * Adds a fault. Of several that are for the same request, each waits its `delay_ms` in turn, and the first one with a
 * `status` or `abort` ends it. The header `X-Hearth-Fault` of an answer names the faults that hit it.
 */
export const createFault = endpoint({
  id: "createFault",
  tag: "faults",
  method: "POST",
  path: "/console/api/faults",
  access,
  status: 201,
  body: faultInputSchema,
  data: faultSchema,
});

/** Removes all faults. */
export const deleteFaults = endpoint({
  id: "deleteFaults",
  tag: "faults",
  method: "DELETE",
  path: "/console/api/faults",
  access,
  status: 204,
});

/** Removes a fault. */
export const deleteFault = endpoint({
  id: "deleteFault",
  tag: "faults",
  method: "DELETE",
  path: "/console/api/faults/{id}",
  access,
  status: 204,
  params: idParams,
  errors: [404],
});

/**
 * Puts everything, or parts of it, back to how it was at the very first start; ids begin at 1 again. Those of users do so only
 * together with records, uploads and orders: else a new user would get what belonged to another one.
 */
export const createReset = endpoint({
  id: "createReset",
  tag: "state",
  method: "POST",
  path: "/console/api/resets",
  access,
  status: 200,
  body: resetRequestSchema,
  data: resetResultSchema,
  errors: [503],
});

/** Lists the fixtures: states of the server that were saved under a name. */
export const listFixtures = endpoint({
  id: "listFixtures",
  tag: "state",
  method: "GET",
  path: "/console/api/fixtures",
  access,
  status: 200,
  data: fixtureListSchema,
});

const params = z.object({ name: fixtureName });

/** Saves the present state as a fixture; one of the same name is replaced. A token that works now works after a load. */
export const saveFixture = endpoint({
  id: "saveFixture",
  tag: "state",
  method: "PUT",
  path: "/console/api/fixtures/{name}",
  access,
  status: 200,
  params,
  body: fixtureRequestSchema,
  data: fixtureSchema,
  errors: [503],
});

/** Answers what a fixture holds. */
export const getFixture = endpoint({
  id: "getFixture",
  tag: "state",
  method: "GET",
  path: "/console/api/fixtures/{name}",
  access,
  status: 200,
  params,
  data: fixtureSchema,
  errors: [404],
});

/**
 * Makes the state what it was when the fixture was saved: all of the parts that it holds, or, when that fails, nothing. The
 * next user gets an id that nobody had, unless the fixture holds records, uploads and orders.
 */
export const loadFixture = endpoint({
  id: "loadFixture",
  tag: "state",
  method: "POST",
  path: "/console/api/fixtures/{name}/loads",
  access,
  status: 200,
  params,
  data: fixtureSchema,
  errors: [404, 409, 503],
});

/** Removes a fixture. */
export const deleteFixture = endpoint({
  id: "deleteFixture",
  tag: "state",
  method: "DELETE",
  path: "/console/api/fixtures/{name}",
  access,
  status: 204,
  params,
  errors: [404],
});
