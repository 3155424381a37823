import { z } from "zod";
import { maxPageSize } from "../../contract/app/resources.ts";
import type { ResourceDefinition } from "./resource-definition.ts";

const articleFields = {
  title: z
    .string()
    .min(1)
    .max(200)
    .meta({ examples: ["A first article"] }),
  body: z
    .string()
    .max(100_000)
    .default("")
    .meta({ examples: ["Text of the article."] }),
  private: z.boolean().default(false).describe("Whether only the owner may read the article."),
};

/** Articles. Everybody can read public articles. Only the owner can read private ones, and change or delete an article. */
export const articles: ResourceDefinition = {
  name: "articles",
  singular: "Article",
  input: z.object(articleFields),
  output: z.object({
    title: z.string().meta({ examples: ["A first article"] }),
    body: z.string().meta({ examples: ["Text of the article."] }),
    private: z.boolean().meta({ examples: [false] }),
  }),
  pageLimit: maxPageSize,
  filterFields: ["title", "body", "private"],
  searchFields: ["title", "body"],
  secretFields: [],
  serverFields: [],
  uniqueFields: [],
  privateField: "private",
  ownerOnly: true,
};
