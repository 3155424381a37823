/** The simulator's control routes for its people and their permissions for the app. */
import { z } from "zod";
import { endpoint } from "../endpoint.ts";
import { simAllowancesChangeSchema, simAllowancesSchema, simUserChangeSchema, simUserSchema } from "./provider.ts";

const people = { access: "control", tag: "people", status: 200 } as const;
const person = { ...people, params: z.object({ name: z.string() }) } as const;

/** Lists the people of the platform. */
export const listSimPeople = endpoint({
  ...people,
  id: "listSimPeople",
  method: "GET",
  path: "/sim/users",
  data: z.array(simUserSchema),
});
export type SimPerson = z.infer<typeof simUserSchema>;

/** Returns the data of a person, whether or not the person exists. */
export const getSimPerson = endpoint({
  ...person,
  id: "getSimPerson",
  method: "GET",
  path: "/sim/users/{name}",
  data: simUserSchema,
});

/** Changes the data of a person. A missing person is created. */
export const changeSimPerson = endpoint({
  ...person,
  id: "changeSimPerson",
  method: "PATCH",
  path: "/sim/users/{name}",
  body: simUserChangeSchema,
  data: simUserSchema,
});

/** Removes a person. Their orders stay. */
export const deleteSimPerson = endpoint({
  ...person,
  id: "deleteSimPerson",
  method: "DELETE",
  path: "/sim/users/{name}",
  status: 204,
  errors: [404],
});

/** Creates a new session key, as the platform may do at any time. Data encrypted with the old key becomes invalid. */
export const rotateSimSessionKey = endpoint({
  ...person,
  id: "rotateSimSessionKey",
  method: "POST",
  path: "/sim/users/{name}/session-key-rotations",
  data: simUserSchema,
});

/** Returns a person's permissions for the app. */
export const getSimAllowances = endpoint({
  ...person,
  id: "getSimAllowances",
  method: "GET",
  path: "/sim/users/{name}/settings",
  data: simAllowancesSchema,
});

/**
 * Changes a person's permissions for the app, as on the platform's settings page. null means that the person was never
 * asked.
 */
export const changeSimAllowances = endpoint({
  ...person,
  id: "changeSimAllowances",
  method: "PATCH",
  path: "/sim/users/{name}/settings",
  body: simAllowancesChangeSchema,
  data: simAllowancesSchema,
});
