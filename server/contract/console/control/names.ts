import { z } from "zod";
import { message } from "../../messages/message.ts";
import { endpoint } from "../../endpoint.ts";

/** The most names in one request. */
export const mostNames = 100;

/** Returns the names of users. Deleted users and users without a name are omitted. */
export const getNames = endpoint({
  id: "getNames",
  tag: "users",
  method: "GET",
  path: "/console/api/names",
  access: "console",
  status: 200,
  query: z.object({
    users: z
      .string()
      .regex(/^\d{1,15}(?:,\d{1,15})*$/)
      .refine((text) => text.split(",").length <= mostNames, {
        params: { problem: message("is.most", { limit: mostNames }) },
      })
      .describe("Ids of users, separated by commas.")
      .meta({ examples: ["1,2"] }),
  }),
  data: z.object({ users: z.record(z.string(), z.string()).describe("Names by the id of the user.") }),
});
