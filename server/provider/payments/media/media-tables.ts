import { z } from "zod";
import type { Migrations } from "../../../store/database.ts";
import { column, createTable, type TableOf } from "../../../store/define-table.ts";

/** Uploaded files of merchants. */
const payMedia = {
  id: column.id,
  media_id: column.text(z.string(), (c) => c.unique()),
  mch_id: column.text(),
  name: column.text(),
  /** Base64. */
  content: column.text(),
};

export interface MediaTables {
  pay_media: TableOf<typeof payMedia>;
}

export const mediaMigrations: Migrations = {
  "019_media": {
    async up(db) {
      await createTable(db, "pay_media", payMedia).execute();
    },
  },
};
