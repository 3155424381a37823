import type { Selectable } from "kysely";
import { z } from "zod";
import { contentVerdict } from "../../../contract/provider/sim-mini-program.ts";
import type { Migrations } from "../../../store/database.ts";
import { column, createTable, rowSchema, type TableOf } from "../../../store/define-table.ts";
import type { StatePart } from "../../../store/state-part.ts";

const text = z.string().max(8_192);
const count = z.number().int().nonnegative();
const person = column.integer(count, (c) => c.references("sim_users.id"));

const simTemplates = {
  template_id: column.key(text),
  title: column.text(text),
  content: column.text(text),
};

const simSubscriptions = {
  user_id: person,
  template_id: column.text(text),
  /** Messages that may still be sent. */
  sends: column.integer(count),
};

const simMessages = {
  id: column.id,
  user_id: person,
  template_id: column.text(text),
  title: column.text(text),
  text: column.text(text),
  /** JSON of the values by place. */
  data: column.text(text),
  page: column.text(text),
  /** Unix ms. */
  sent_at: column.integer(z.number().int()),
};
export type SimMessage = Selectable<TableOf<typeof simMessages>>;

const judged = {
  suggest: column.text(contentVerdict),
  label: column.integer(count),
};
const simContentRules = { id: column.id, contains: column.text(text), ...judged };
const simMediaChecks = {
  id: column.id,
  trace_id: column.text(text),
  openid: column.text(text),
  media_url: column.text(text),
  ...judged,
};

export interface MiniProgramTables {
  sim_templates: TableOf<typeof simTemplates>;
  sim_subscriptions: TableOf<typeof simSubscriptions>;
  sim_messages: TableOf<typeof simMessages>;
  sim_content_rules: TableOf<typeof simContentRules>;
  sim_media_checks: TableOf<typeof simMediaChecks>;
}

/** The part of the simulator's state document; people come before it. */
export const miniProgramState: StatePart = {
  name: "mini_program",
  tables: {
    sim_templates: rowSchema(simTemplates),
    sim_subscriptions: rowSchema(simSubscriptions),
    sim_messages: rowSchema(simMessages),
    sim_content_rules: rowSchema(simContentRules),
    sim_media_checks: rowSchema(simMediaChecks),
  },
};

export const miniProgramMigrations: Migrations = {
  "009_mini_program": {
    async up(db) {
      await createTable(db, "sim_templates", simTemplates).execute();
      await createTable(db, "sim_subscriptions", simSubscriptions)
        .addPrimaryKeyConstraint("sim_subscriptions_key", ["user_id", "template_id"])
        .execute();
      await createTable(db, "sim_messages", simMessages).execute();
      await db.schema.createIndex("sim_messages_of_user").on("sim_messages").columns(["user_id", "id"]).execute();
      await createTable(db, "sim_content_rules", simContentRules).execute();
      await createTable(db, "sim_media_checks", simMediaChecks).execute();
    },
  },
};
