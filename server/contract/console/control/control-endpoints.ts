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

/** Returns the server's current time. */
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
 * Moves the clock by which sessions, login codes and session keys expire. The application server and the platform
 * simulator use the same clock. A restart resets it to real time.
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

/** Lists the injected faults with the number of requests that each has hit. */
export const listFaults = endpoint({
  id: "listFaults",
  tag: "faults",
  method: "GET",
  path: "/console/api/faults",
  access,
  status: 200,
  data: faultListSchema,
});

/**
 * Replaces all faults with these. A fault delays the requests that it matches, fails them or closes their connection.
 */
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
 * Adds a fault. If several faults match a request, each waits its `delay_ms` in turn. The first one with a `status` or
 * `abort` ends the request. The header `X-Hearth-Fault` of the reply lists the faults that hit the request.
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
 * Resets all or part of the state to that of the first start. Ids start at 1 again. User ids do so only if records,
 * uploads and orders are also reset. Otherwise a new user would get another user's data.
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

/** Lists the fixtures. A fixture is a state of the server, saved under a name. */
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

/**
 * Saves the current state as a fixture, or replaces the fixture with this name. Tokens that are valid now are valid
 * again after a load.
 */
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

/** Returns the content of a fixture. */
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
 * Restores the state that a fixture contains. If the load fails, nothing changes. Unless the fixture contains records,
 * uploads and orders, the next user gets an id that was never used.
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

/** Deletes a fixture. */
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
