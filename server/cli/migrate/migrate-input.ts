/** The input of `hearth migrate`. */
import { z } from "zod";
import { text } from "../../process/command-line/inputs.ts";

export const migrateInput = z
  .object({
    to: text(
      "URL",
      "postgres://user:password@host/database; default: the variable HEARTH_DATABASE_URL, which other users of the machine cannot read",
    ),
    data_dir: text("DIR", "as for hearth serve"),
  })
  .describe(
    `Copies what the application server and the provider simulator have in the data directory into a PostgreSQL database, while no \
Hearth runs on it: users, sessions, collections, orders, events, chats, the provider's state and keys, all or nothing. The \
database must not have data of Hearth yet. What was copied is counted; the files stay as they are. Uploads, models and recorded \
requests stay in the data directory.`,
  );

export type MigrateInput = z.output<typeof migrateInput>;
