/** The simulator's control routes for its people and their permissions for the app. */
import { z } from "zod";
import { endpoint } from "../endpoint.ts";
import { simAllowancesChangeSchema, simAllowancesSchema, simUserChangeSchema, simUserSchema } from "./provider.ts";

const people = { access: "control", tag: "people", status: 200 } as const;
const person = { ...people, params: z.object({ name: z.string() }) } as const;

/** Answers the people of the platform. */
export const listSimPeople = endpoint({
  ...people,
  id: "listSimPeople",
  method: "GET",
  path: "/sim/users",
  data: z.array(simUserSchema),
});
export type SimPerson = z.infer<typeof simUserSchema>;

/** Answers the data of a person, existing or not. */
export const getSimPerson = endpoint({
  ...person,
  id: "getSimPerson",
  method: "GET",
  path: "/sim/users/{name}",
  data: simUserSchema,
});

/** Changes a person, who is created if missing. */
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

/** Creates a new session key, as the platform may at any time. It invalidates data encrypted under the old one. */
export const rotateSimSessionKey = endpoint({
  ...person,
  id: "rotateSimSessionKey",
  method: "POST",
  path: "/sim/users/{name}/session-key-rotations",
  data: simUserSchema,
});

/** Answers what a person allows the app. */
export const getSimAllowances = endpoint({
  ...person,
  id: "getSimAllowances",
  method: "GET",
  path: "/sim/users/{name}/settings",
  data: simAllowancesSchema,
});

/** Changes what a person allows the app, as on the platform's settings page; null as if never asked. */
export const changeSimAllowances = endpoint({
  ...person,
  id: "changeSimAllowances",
  method: "PATCH",
  path: "/sim/users/{name}/settings",
  body: simAllowancesChangeSchema,
  data: simAllowancesSchema,
});
