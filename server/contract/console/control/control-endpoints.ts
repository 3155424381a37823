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

/** Answers the server's current time. */
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
 * Moves the clock by which sessions, codes and session keys expire, for the application server and the provider
 * simulator alike. A restart resets the clock to real time.
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

/** Resets the clock to real time. */
export const resetClock = endpoint({
  id: "resetClock",
  tag: "clock",
  method: "DELETE",
  path: "/console/api/clock",
  access,
  status: 204,
});

/** Lists the injected faults, each with how often it hit a request. */
export const listFaults = endpoint({
  id: "listFaults",
  tag: "faults",
  method: "GET",
  path: "/console/api/faults",
  access,
  status: 200,
  data: faultListSchema,
});

/** Replaces all faults by these. Each delays the requests that it matches, fails them or cuts their connection. */
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
 * Adds a fault. If several match the same request, each waits its `delay_ms` in turn, and the first one with a `status`
 * or `abort` ends the request. The header `X-Hearth-Fault` of a reply names the faults that hit the request.
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
 * Resets the state, or parts of it, to that of the very first start. Ids begin at 1 again. Ids of users do so only
 * together with records, uploads and orders: otherwise a new user would get another user's data.
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
