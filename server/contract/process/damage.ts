/** Damage to the data of Hearth. */
import { z } from "zod";

/** A damaged file of the data directory. */
export const damageSchema = z.object({
  file: z.string().describe("Full path. For files that were set aside, the new path."),
  text: z.string().describe("Problem and remedy, in one sentence."),
});
export type Damage = z.infer<typeof damageSchema>;
