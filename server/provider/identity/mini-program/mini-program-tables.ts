import type { Generated, Selectable } from "kysely";
import { z } from "zod";
import type { Migrations } from "../../../store/database.ts";
import type { StatePart } from "../../../store/state-part.ts";

interface SimTemplatesTable {
  template_id: string;
  title: string;
  content: string;
}
interface SimSubscriptionsTable {
  user_id: number;
  template_id: string;
  /** Messages that may still be sent. */
  sends: number;
}
export interface SimMessagesTable {
  id: Generated<number>;
  user_id: number;
  template_id: string;
  title: string;
  text: string;
  /** JSON of the values by place. */
  data: string;
  page: string;
  /** Unix ms. */
  sent_at: number;
}
export type SimMessage = Selectable<SimMessagesTable>;
interface SimContentRulesTable {
  id: Generated<number>;
  contains: string;
  suggest: "pass" | "review" | "risky";
  label: number;
}
interface SimMediaChecksTable {
  id: Generated<number>;
  trace_id: string;
  openid: string;
  media_url: string;
  suggest: "pass" | "review" | "risky";
  label: number;
}

export interface MiniProgramTables {
  sim_templates: SimTemplatesTable;
  sim_subscriptions: SimSubscriptionsTable;
  sim_messages: SimMessagesTable;
  sim_content_rules: SimContentRulesTable;
  sim_media_checks: SimMediaChecksTable;
}

const text = z.string().max(8_192);
const count = z.number().int().nonnegative();
const judged = { suggest: z.enum(["pass", "review", "risky"]), label: count };

/** The part of the simulator's state document; people come before it. */
export const miniProgramState: StatePart = {
  name: "mini_program",
  tables: {
    sim_templates: z.strictObject({ template_id: text, title: text, content: text }),
    sim_subscriptions: z.strictObject({ user_id: count, template_id: text, sends: count }),
    sim_messages: z.strictObject({
      ...{ id: count, user_id: count, template_id: text, title: text, text, data: text, page: text },
      sent_at: z.number().int(),
    }),
    sim_content_rules: z.strictObject({ id: count, contains: text, ...judged }),
    sim_media_checks: z.strictObject({ id: count, trace_id: text, openid: text, media_url: text, ...judged }),
  },
};

export const miniProgramMigrations: Migrations = {
  "009_mini_program": {
    async up(db) {
      await db.schema
        .createTable("sim_templates")
        .addColumn("template_id", "text", (c) => c.primaryKey())
        .addColumn("title", "text", (c) => c.notNull())
        .addColumn("content", "text", (c) => c.notNull())
        .execute();
      await db.schema
        .createTable("sim_subscriptions")
        .addColumn("user_id", "integer", (c) => c.notNull().references("sim_users.id"))
        .addColumn("template_id", "text", (c) => c.notNull())
        .addColumn("sends", "integer", (c) => c.notNull())
        .addPrimaryKeyConstraint("sim_subscriptions_key", ["user_id", "template_id"])
        .execute();
      await db.schema
        .createTable("sim_messages")
        .addColumn("id", "integer", (c) => c.primaryKey().autoIncrement())
        .addColumn("user_id", "integer", (c) => c.notNull().references("sim_users.id"))
        .addColumn("template_id", "text", (c) => c.notNull())
        .addColumn("title", "text", (c) => c.notNull())
        .addColumn("text", "text", (c) => c.notNull())
        .addColumn("data", "text", (c) => c.notNull())
        .addColumn("page", "text", (c) => c.notNull())
        .addColumn("sent_at", "integer", (c) => c.notNull())
        .execute();
      await db.schema.createIndex("sim_messages_of_user").on("sim_messages").columns(["user_id", "id"]).execute();
      await db.schema
        .createTable("sim_content_rules")
        .addColumn("id", "integer", (c) => c.primaryKey().autoIncrement())
        .addColumn("contains", "text", (c) => c.notNull())
        .addColumn("suggest", "text", (c) => c.notNull())
        .addColumn("label", "integer", (c) => c.notNull())
        .execute();
      await db.schema
        .createTable("sim_media_checks")
        .addColumn("id", "integer", (c) => c.primaryKey().autoIncrement())
        .addColumn("trace_id", "text", (c) => c.notNull())
        .addColumn("openid", "text", (c) => c.notNull())
        .addColumn("media_url", "text", (c) => c.notNull())
        .addColumn("suggest", "text", (c) => c.notNull())
        .addColumn("label", "integer", (c) => c.notNull())
        .execute();
    },
  },
};
