import type { Generated } from "kysely";
import type { Migrations } from "../../store/database.ts";

export interface ArticlesTable {
  id: Generated<number>;
  owner_id: number;
  title: string;
  body: string;
  /** 0 or 1. */
  private: number;
  created_at: number;
  updated_at: number;
}

export interface ArticlesTables {
  articles: ArticlesTable;
}

export const articlesMigrations: Migrations = {
  "0002_articles": {
    async up(db) {
      await db.schema
        .createTable("articles")
        .addColumn("id", "integer", (c) => c.primaryKey().autoIncrement())
        .addColumn("owner_id", "integer", (c) => c.notNull())
        .addColumn("title", "text", (c) => c.notNull())
        .addColumn("body", "text", (c) => c.notNull())
        .addColumn("private", "integer", (c) => c.notNull())
        .addColumn("created_at", "integer", (c) => c.notNull())
        .addColumn("updated_at", "integer", (c) => c.notNull())
        .execute();
    },
  },
};
