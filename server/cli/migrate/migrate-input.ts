/** The input of `hearth migrate`. */
import { z } from "zod";
import { text } from "../../process/command-line/inputs.ts";

export const migrateInput = z
  .object({
    to: text(
      "URL",
      "postgres://user:password@host/database; default: HEARTH_DATABASE_URL, which other users of the machine cannot read",
    ),
    data_dir: text("DIR", "as for hearth serve"),
  })
  .describe(
    `Copies the data of the application server and the platform simulator into a PostgreSQL database, all or nothing. The data includes \
users, sessions, collections, orders, events, chats, the platform's state and keys. Stop Hearth first. The database must not contain Hearth data \
yet. The command prints how much it copied and does not change the files. Uploads, models and recorded requests stay in the data \
directory.`,
  );

export type MigrateInput = z.output<typeof migrateInput>;
