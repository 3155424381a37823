/** Settings of where the data are kept, and how. */
import { z } from "zod";
import { databaseUrl } from "./setting-values.ts";

export const storageSettings = {
  durability: z
    .enum(["full", "normal", "none"])
    .default("full")
    .describe(
      "Durability after a power cut. full: nothing is lost. normal (faster): the last moments may be lost. none: all data may be lost. A process that ends never loses data.",
    ),
  database_url: databaseUrl
    .optional()
    .describe(
      "PostgreSQL database of the application server and the platform simulator: postgres://user:password@host/database. The password is never shown again. Default: SQLite files in the data directory.",
    ),
};
