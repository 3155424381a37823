/** The console's operations on keys. */
import { z } from "zod";
import { endpoint } from "../endpoint.ts";
import { keySchema, newKeySchema } from "../process/access-keys.ts";

const base = { tag: "keys", access: "console" } as const;

export const keysPageSchema = z.object({ keys: z.array(keySchema) });

export const createdKeySchema = z
  .object({
    key: keySchema,
    secret: z
      .string()
      .describe("The key itself. It is answered here and never again: Hearth keeps its SHA-256 alone.")
      .meta({ examples: ["hearth_q0lGm0dXq3v1x8bW2u5tJd7yR4sKcPzNfA6hEiVoLgM"] }),
  })
  .meta({ title: "CreatedKey" });
export type CreatedKey = z.infer<typeof createdKeySchema>;

/** Lists all keys, the oldest first, without what they are sent as. */
export const listKeys = endpoint({
  ...base,
  id: "listKeys",
  method: "GET",
  path: "/console/api/keys",
  status: 200,
  data: keysPageSchema,
});

/** Makes a key, which every service accepts from now on. */
export const createKey = endpoint({
  ...base,
  id: "createKey",
  method: "POST",
  path: "/console/api/keys",
  status: 201,
  body: newKeySchema,
  data: createdKeySchema,
});

/**
 * Removes a key with all that was made with it: keys, codes and logins of browsers. Every service refuses them from now on.
 * Requests that have begun are answered.
 */
export const deleteKey = endpoint({
  ...base,
  id: "deleteKey",
  method: "DELETE",
  path: "/console/api/keys/{id}",
  status: 204,
  params: z.object({ id: z.string().max(32) }),
  errors: [404],
});
