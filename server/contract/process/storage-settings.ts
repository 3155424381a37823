/** Settings of where the data are kept, and how. */
import { z } from "zod";
import { databaseUrl } from "./setting-values.ts";

export const storageSettings = {
  durability: z
    .enum(["full", "normal", "none"])
    .default("full")
    .describe(
      "Durability after a power cut: nothing is lost (full), the last moments may be lost (normal, faster), or all data, which are temporary (none). A process that ends never loses data.",
    ),
  database_url: databaseUrl
    .optional()
    .describe(
      "PostgreSQL database of the application server and the platform simulator: postgres://user:password@host/database. The password is never shown again. Default: SQLite files in the data directory.",
    ),
};
