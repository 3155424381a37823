import { z } from "zod";
import { endpoint } from "./endpoint.ts";
import { idParams, pageQuery } from "./resources.ts";

const fields = {
  title: z.string().min(1).max(200),
  body: z.string().max(100_000).default(""),
  private: z.boolean().default(false).describe("Only the owner may read it."),
};
export const articleInputSchema = z.object(fields);
export const articleSchema = z.object({
  id: z.number().int(),
  title: z.string(),
  body: z.string(),
  private: z.boolean(),
  owner_uid: z.string(),
  created_at: z.string(),
  updated_at: z.string(),
});
export type Article = z.infer<typeof articleSchema>;

const base = { tag: "articles", access: "login" } as const;
const one = { ...base, path: "/api/articles/{id}", params: idParams } as const;

/** Lists the articles that the caller may read, newest first. */
export const listArticles = endpoint({
  ...base,
  id: "listArticles",
  method: "GET",
  path: "/api/articles",
  status: 200,
  query: pageQuery,
  data: z.array(articleSchema),
});
/** Creates an article owned by the caller. */
export const createArticle = endpoint({
  ...base,
  id: "createArticle",
  method: "POST",
  path: "/api/articles",
  status: 201,
  body: articleInputSchema,
  data: articleSchema,
});
/** Returns one article. */
export const getArticle = endpoint({
  ...one,
  id: "getArticle",
  method: "GET",
  status: 200,
  data: articleSchema,
  errors: [403, 404],
});
/** Replaces one of the caller's articles. */
export const replaceArticle = endpoint({
  ...one,
  id: "replaceArticle",
  method: "PUT",
  status: 200,
  body: articleInputSchema,
  data: articleSchema,
  errors: [403, 404],
});
/** Changes the named fields of one of the caller's articles. */
export const updateArticle = endpoint({
  ...one,
  id: "updateArticle",
  method: "PATCH",
  status: 200,
  body: z.object({
    title: fields.title.optional(),
    body: z.string().max(100_000).optional(),
    private: z.boolean().optional(),
  }),
  data: articleSchema,
  errors: [403, 404],
});
/** Deletes one of the caller's articles. */
export const deleteArticle = endpoint({
  ...one,
  id: "deleteArticle",
  method: "DELETE",
  status: 204,
  errors: [403, 404],
});
