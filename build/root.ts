import { join } from "node:path";

/** The checkout's folder. */
export const root = join(import.meta.dirname, "..");
