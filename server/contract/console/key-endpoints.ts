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
      .describe("The key itself. It is returned only once, because Hearth stores only its SHA-256.")
      .meta({ examples: ["hearth_q0lGm0dXq3v1x8bW2u5tJd7yR4sKcPzNfA6hEiVoLgM"] }),
  })
  .meta({ title: "CreatedKey" });
export type CreatedKey = z.infer<typeof createdKeySchema>;

/** Lists all keys, oldest first. The keys themselves are not included. */
export const listKeys = endpoint({
  ...base,
  id: "listKeys",
  method: "GET",
  path: "/console/api/keys",
  status: 200,
  data: keysPageSchema,
});

/** Creates a key. Every service accepts it at once. */
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
 * Deletes a key together with everything created with it: keys, login codes and browser logins. Every service refuses
 * them at once. Requests that have begun are completed.
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
