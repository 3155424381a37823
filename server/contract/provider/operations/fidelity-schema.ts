/** A published operation as `hearth fidelity` and `GET /sim/fidelity` print it. */
import { z } from "zod";

export const operationClass = z
  .enum(["exact", "partial", "not_simulated"])
  .describe("`exact`: as published. `partial`: parts are missing. `not_simulated`: returns 501.");
export type OperationClass = z.infer<typeof operationClass>;

export const fidelitySchema = z
  .object({
    method: z.string(),
    path: z.string(),
    product: z.string().describe("Platform product of the operation."),
    class: operationClass,
    missing: z.array(z.string()).optional().describe("Missing parts of a partial operation."),
  })
  .meta({ title: "Fidelity" });
export type Fidelity = z.infer<typeof fidelitySchema>;
