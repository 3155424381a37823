/** The keyword `x-hearth` of a schema file: what JSON Schema cannot say about a collection. */
import { z } from "zod";
import { idKinds } from "../../../contract/app/item-ids.ts";
import { conditions } from "../../../contract/messages/en/conditions.ts";

const fieldNames = z.array(z.string().min(1)).max(100);
const wait = z.number().int().min(0).max(60_000);

/** An answer that a client gets on purpose: any error but 401, which is the login's own language. */
const errorStatus = z
  .number()
  .int()
  .min(400)
  .max(599)
  .refine((status) => status !== 401, conditions["is.not401"]);

export const xHearthSchema = z
  .strictObject({
    /** One item's name, where it cannot be told from the plural. */
    singular: z
      .string()
      .regex(/^[a-z][a-z0-9]*(?:-[a-z0-9]+)*$/, conditions["is.word"])
      .optional(),
    /** Who may change and delete an item: its owner, or everybody. */
    owner: z.enum(["owner-writes", "anyone"]).optional(),
    /** The kind of ids: counted by the server, or texts that the client gives or the server makes. */
    id: z.enum(idKinds).optional(),
    /** A boolean field that hides an item from everybody but its owner. */
    private: z.string().min(1).optional(),
    /** Fields that `q` looks into; all text fields unless given. */
    search: fieldNames.optional(),
    /** Fields whose value no two items may share. */
    unique: fieldNames.default([]),
    /** The most items of a page. */
    pageLimit: z.number().int().min(1).max(1_000).optional(),
    /** Methods that answer 405. */
    disabled: z.array(z.enum(["GET", "POST", "PUT", "PATCH", "DELETE"])).default([]),
    /** Whether a client must have logged in. */
    access: z.enum(["login", "none"]).default("login"),
    /** How long each answer waits, in ms. */
    latencyMs: z
      .union(
        [wait, z.strictObject({ min: wait, max: wait }).refine(({ min, max }) => min <= max)],
        conditions["is.wait"],
      )
      .optional(),
    /** The share of calls that fail on purpose: 0 none, 1 all. */
    errorRate: z.number().min(0).max(1).default(0),
    errorStatus: errorStatus.default(503),
    /** Items to begin with: inserted while the collection is empty. */
    seed: z.array(z.record(z.string(), z.unknown())).max(10_000).default([]),
    /** Items that are made up from the schema, the same ones for the same `seed`. */
    generate: z
      .strictObject({ count: z.number().int().min(1).max(10_000), seed: z.number().int().min(0).default(1) })
      .optional(),
  })
  .refine(({ access, owner }) => access === "login" || owner !== "owner-writes", {
    path: ["owner"],
    message: conditions["is.anyone"],
  })
  .refine(({ access, private: field }) => access === "login" || field === undefined, {
    path: ["private"],
    message: conditions["is.needsLogin"],
  });

export type XHearth = z.output<typeof xHearthSchema>;
