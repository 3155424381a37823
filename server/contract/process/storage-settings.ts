/** Settings of where the data are kept, and how. */
import { z } from "zod";
import { databaseUrl } from "./setting-values.ts";

export const storageSettings = {
  durability: z
    .enum(["full", "normal"])
    .default("full")
    .describe(
      "What a power cut may take of what was answered: nothing (full), or the last moments (normal), which is quicker. The end of a process takes nothing either way.",
    ),
  database_url: databaseUrl
    .optional()
    .describe(
      "PostgreSQL database for the application server and the provider simulator, postgres://user:password@host/database; its password is never shown again. Default: files of SQLite in the data directory.",
    ),
};
