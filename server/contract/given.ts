/** A member of a request's body where `null` means "not given", as in Ollama's decoder. */
import { z } from "zod";

export const maybe = <T extends z.ZodType>(schema: T) => schema.nullish().transform((value) => value ?? undefined);

/** A whole number of any size, as integers of Go have: what reads the options bounds it. Zod's own end at 2^53. */
export const anyWhole = z.number().check(({ value, issues }) => {
  if (!Number.isInteger(value)) issues.push({ code: "invalid_type", expected: "int", input: value });
});
