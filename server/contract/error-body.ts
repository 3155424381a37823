import { z } from "zod";

/** The body of every error of the application server (our choice: the spec shows no shape). JSON or XML. */
export const errorBodySchema = z
  .object({
    Message: z.string().describe("Problem and remedy, for people."),
    code: z.string().describe("Machine-readable reason, lower case with underscores."),
    details: z
      .array(z.object({ field: z.string(), problem: z.string() }))
      .optional()
      .describe("One entry per offending field, for the first 100."),
  })
  .meta({ title: "Error" });
export type ErrorBody = z.infer<typeof errorBodySchema>;
