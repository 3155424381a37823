/** A member of a request's body where `null` means "not given", as in Ollama's decoder. */
import type { z } from "zod";

export const maybe = <T extends z.ZodType>(schema: T) => schema.nullish().transform((value) => value ?? undefined);
