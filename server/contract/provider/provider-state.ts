/** The whole state of the provider simulator as one document, for fixtures: GET, PUT and DELETE /sim/state. */
import { z } from "zod";
import { dictionary, list } from "../bounded-lists.ts";

const tableContent = z.strictObject({
  rows: list(z.record(z.string(), z.unknown())),
  last_id: z.number().int().min(0).optional().describe("Highest id ever assigned, for counted ids."),
});

/** GET answers it, PUT takes it. It contains keys of the simulated platform, but no short-lived codes and tokens. */
export const providerStateSchema = z.strictObject({
  format: z.literal("hearth-provider/1"),
  saved_at: z.iso
    .datetime()
    .optional()
    .describe("When the state was saved. Expiry times are extended by the time since then."),
  parts: dictionary(z.string(), dictionary(z.string(), tableContent)).describe(
    "Tables by part and name. Omitted tables are emptied.",
  ),
});
export type ProviderState = z.infer<typeof providerStateSchema>;

/** PUT and DELETE: the number of entries of each part, or of the removed ones; `identity` counts people. */
export const providerStateCounts = z.object({ parts: z.record(z.string(), z.number().int()) });
