/** The names of things whose ids are in events. */
import { z } from "zod";
import { message } from "../../messages/message.ts";
import { endpoint } from "../../endpoint.ts";

const most = 100;
/** The most names in one request, so that its address stays short enough. */
const mostCharacters = 4_000;
const listOf = (one: string, example: string) =>
  z
    .string()
    .max(mostCharacters)
    .regex(new RegExp(`^${one}(?:,${one})*$`))
    .refine((text) => text.split(",").length <= most, { params: { problem: message("is.most", { limit: most }) } })
    .optional()
    .meta({ examples: [example] });

const namesById = z.record(z.string(), z.string());

/**
 * Answers what people call some users, orders and items: nicknames, descriptions, titles. What is gone, or has no name, is
 * left out.
 */
export const getNames = endpoint({
  id: "getNames",
  tag: "events",
  method: "GET",
  path: "/console/api/names",
  access: "console",
  status: 200,
  query: z.object({
    users: listOf("\\d{1,15}", "1,2").describe("Ids of users, with commas between."),
    orders: listOf("\\d{1,15}", "7").describe("Ids of orders."),
    items: listOf("[\\w-]{1,100}\\/[\\w.~!*'()%-]{1,2400}", "articles/1").describe(
      "Items: the collection, a slash, the id, percent-encoded.",
    ),
  }),
  data: z.object({
    users: namesById.describe("By the id of the user."),
    orders: namesById.describe("By the id of the order."),
    items: namesById.describe("By collection and id, as they were asked for."),
  }),
});
