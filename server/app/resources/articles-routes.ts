import type { Kysely, Selectable } from "kysely";
import {
  createArticle,
  deleteArticle,
  getArticle,
  listArticles,
  replaceArticle,
  updateArticle,
  type Article,
} from "../../contract/articles.ts";
import type { EventBus } from "../../events/event-bus.ts";
import { HttpError, notFound } from "../../http/http-error.ts";
import { pageHeaders } from "../../http/paging.ts";
import { route, sessionOf, type Route } from "../../http/route.ts";
import type { ArticlesTable, ArticlesTables } from "./articles-table.ts";

interface Deps {
  readonly db: Kysely<ArticlesTables>;
  readonly bus: EventBus;
  readonly now: () => number;
}

interface Fields {
  readonly title?: string | undefined;
  readonly body?: string | undefined;
  readonly private?: boolean | undefined;
}

/** Articles: everybody reads public ones, only the owner reads private ones and changes or deletes. */
export function articlesRoutes({ db, bus, now }: Deps): Route[] {
  const publish = (
    type: "article.created" | "article.updated" | "article.deleted",
    { id, title }: { id: number; title: string },
  ) => bus.publish({ type, source: "/app/articles", subject: String(id), data: { id, title } });

  async function find(id: number) {
    const row = await db.selectFrom("articles").selectAll().where("id", "=", id).executeTakeFirst();
    if (!row) throw notFound(`There is no article ${String(id)}.`);
    return row;
  }

  /** @throws HttpError 403 when the article is another user's (spec: Errors, "deleting another user's article"). */
  async function findOwn(id: number, userId: number) {
    const row = await find(id);
    if (row.owner_id !== userId)
      throw new HttpError(403, "not_the_owner", `Article ${String(id)} belongs to another user.`);
    return row;
  }

  async function change(id: number, userId: number, fields: Fields) {
    const row = await findOwn(id, userId);
    const updated = await db
      .updateTable("articles")
      .set({
        title: fields.title ?? row.title,
        body: fields.body ?? row.body,
        private: Number(fields.private ?? row.private),
        updated_at: now(),
      })
      .where("id", "=", id)
      .returningAll()
      .executeTakeFirstOrThrow();
    publish("article.updated", updated);
    return toArticle(updated);
  }

  return [
    route(listArticles, async ({ query }, context) => {
      const { userId } = sessionOf(context);
      const readable = db.selectFrom("articles").where((e) => e.or([e("private", "=", 0), e("owner_id", "=", userId)]));
      const { total } = await readable.select((e) => e.fn.countAll<number>().as("total")).executeTakeFirstOrThrow();
      const rows = await readable
        .selectAll()
        .orderBy("id", "desc")
        .limit(query.page_size)
        .offset((query.page - 1) * query.page_size)
        .execute();
      return { data: rows.map(toArticle), headers: pageHeaders(context.req, query, total) };
    }),

    route(createArticle, async ({ body }, context) => {
      const time = now();
      const row = await db
        .insertInto("articles")
        .values({
          ...body,
          private: Number(body.private),
          owner_id: sessionOf(context).userId,
          created_at: time,
          updated_at: time,
        })
        .returningAll()
        .executeTakeFirstOrThrow();
      publish("article.created", row);
      return { data: toArticle(row), headers: { Location: `/api/articles/${String(row.id)}` } };
    }),

    route(getArticle, async ({ params }, context) => {
      const row = await find(params.id);
      if (row.private === 1 && row.owner_id !== sessionOf(context).userId)
        throw new HttpError(403, "private", `Article ${String(params.id)} is private.`);
      return { data: toArticle(row) };
    }),

    route(replaceArticle, async ({ params, body }, context) => ({
      data: await change(params.id, sessionOf(context).userId, body),
    })),
    route(updateArticle, async ({ params, body }, context) => ({
      data: await change(params.id, sessionOf(context).userId, body),
    })),

    route(deleteArticle, async ({ params }, context) => {
      const row = await findOwn(params.id, sessionOf(context).userId);
      await db.deleteFrom("articles").where("id", "=", row.id).execute();
      publish("article.deleted", row);
      return {};
    }),
  ];
}

const toArticle = (row: Selectable<ArticlesTable>): Article => ({
  id: row.id,
  title: row.title,
  body: row.body,
  private: row.private === 1,
  owner_uid: `u${String(row.owner_id)}`,
  created_at: new Date(row.created_at).toISOString(),
  updated_at: new Date(row.updated_at).toISOString(),
});
