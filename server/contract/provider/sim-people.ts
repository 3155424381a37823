/** The simulator's people as the console's page sees and changes them, by what its client needs of an operation. */
import { z } from "zod";
import { simAllowancesChangeSchema, simAllowancesSchema, simUserChangeSchema, simUserSchema } from "./provider.ts";

const person = { params: z.object({ name: z.string() }) } as const;

export const listSimPeople = { method: "GET", path: "/sim/users", data: z.array(simUserSchema) } as const;
export type SimPerson = z.infer<typeof simUserSchema>;

/** Who that is, or would be. */
export const getSimPerson = { ...person, method: "GET", path: "/sim/users/{name}", data: simUserSchema } as const;

/** The person comes into being, if need be. */
export const changeSimPerson = {
  ...person,
  method: "PATCH",
  path: "/sim/users/{name}",
  body: simUserChangeSchema,
  data: simUserSchema,
} as const;

export const getSimAllowances = {
  ...person,
  method: "GET",
  path: "/sim/users/{name}/settings",
  data: simAllowancesSchema,
} as const;

export const changeSimAllowances = {
  ...person,
  method: "PATCH",
  path: "/sim/users/{name}/settings",
  body: simAllowancesChangeSchema,
  data: simAllowancesSchema,
} as const;
