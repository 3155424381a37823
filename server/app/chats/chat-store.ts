import type { Kysely } from "kysely";
import type { Migrations } from "../../store/database.ts";

interface ChatsTable {
  id: string;
  /** JSON of the page. */
  content: string;
  /** Milliseconds since 1970, higher with each change of any chat: its revision, too. */
  changed_at: number;
}
export interface ChatTables {
  chats: ChatsTable;
}

export const chatMigrations: Migrations = {
  "009_chats": {
    async up(db) {
      await db.schema
        .createTable("chats")
        .addColumn("id", "text", (c) => c.primaryKey())
        .addColumn("content", "text", (c) => c.notNull())
        .addColumn("changed_at", "integer", (c) => c.notNull())
        .execute();
    },
  },
};

/** The page reads all chats at once, so there is a limit to their number and to their characters. */
const mostChats = 200;
const mostCharacters = 16_000_000;

type Content = Record<string, unknown>;

export type ChatStore = ReturnType<typeof createChatStore>;

/** Stores the chats of the console's page. No part of resets, fixtures and exports: they belong to the person. */
export function createChatStore(db: Kysely<ChatTables>, now: () => number) {
  return {
    /** The last stored chat comes first. */
    async list() {
      const rows = await db.selectFrom("chats").selectAll().orderBy("changed_at", "desc").execute();
      return rows.map((row) => ({ id: row.id, revision: row.changed_at, content: JSON.parse(row.content) as Content }));
    },
    /**
     * Stores a chat, deletes the oldest ones that exceed the limits, and returns its new revision. Stores nothing, and
     * returns undefined, when the stored chat has another revision than `revision`.
     */
    put: (id: string, content: Content, revision?: number) =>
      db.transaction().execute(async (trx) => {
        const last = await trx
          .selectFrom("chats")
          .select((the) => the.fn.max("changed_at").as("at"))
          .executeTakeFirst();
        // Two of the same millisecond keep their order, also after the clock was moved back.
        const changedAt = Math.max(now(), (last?.at ?? 0) + 1);
        const stored = { content: JSON.stringify(content), changed_at: changedAt };
        const { numInsertedOrUpdatedRows } = await trx
          .insertInto("chats")
          .values({ id, ...stored })
          .onConflict((conflict) => {
            const update = conflict.column("id").doUpdateSet(stored);
            return revision === undefined ? update : update.where("chats.changed_at", "=", revision);
          })
          .executeTakeFirst();
        if (numInsertedOrUpdatedRows === 0n) return undefined;
        const sizes = await trx
          .selectFrom("chats")
          .select((the) => ["id", the.fn<number>("length", ["content"]).as("characters")])
          .where("id", "!=", id)
          .orderBy("changed_at", "desc")
          .execute();
        let characters = stored.content.length;
        const excess = sizes.flatMap((chat, index) => {
          characters += chat.characters;
          return index + 1 >= mostChats || characters > mostCharacters ? [chat.id] : [];
        });
        if (excess.length > 0) await trx.deleteFrom("chats").where("id", "in", excess).execute();
        return changedAt;
      }),
    async remove(id: string): Promise<void> {
      await db.deleteFrom("chats").where("id", "=", id).execute();
    },
  };
}
