/** The input of `hearth fidelity`. */
import { z } from "zod";
import { text, toggle } from "../../process/command-line/inputs.ts";

export const fidelityInput = z
  .object({
    product: text("NAME", "list only products whose English or Chinese name contains NAME"),
    json: toggle("print one JSON array of { method, path, product, class, missing? }"),
  })
  .describe(
    `Lists every operation of the platform's published API with its class.

- exact: as described, with its errors
- partial: with a list of the missing parts
- not_simulated: HTTP status 501 with a code that the platform never uses`,
  );

export type FidelityInput = z.output<typeof fidelityInput>;
