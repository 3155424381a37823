import { z } from "zod";
import { message } from "../../messages/message.ts";
import { endpoint } from "../../endpoint.ts";

/** The most names in one request. */
export const mostNames = 100;

/** Answers what people call some users. Users who are gone, or have no name, are left out. */
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
      .describe("Ids of users, with commas between.")
      .meta({ examples: ["1,2"] }),
  }),
  data: z.object({ users: z.record(z.string(), z.string()).describe("Names by the id of the user.") }),
});
