/** The input of `hearth fidelity`. */
import { z } from "zod";
import { text, toggle } from "../../process/command-line/inputs.ts";

export const fidelityInput = z
  .object({
    product: text("NAME", "list the operations of the products whose name contains NAME, in English or Chinese"),
    json: toggle("print one JSON array of { method, path, product, class, missing? }"),
  })
  .describe(
    `Lists every operation of the platform's published API. Its class is exact (as described, with its errors), partial (something is \
missing, which is listed) or not_simulated: Hearth answers those with HTTP status 501 and a code that the platform never uses.`,
  );

export type FidelityInput = z.output<typeof fidelityInput>;
