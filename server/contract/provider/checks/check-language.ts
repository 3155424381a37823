import { z } from "zod";

/** The language of a check's report. */
export const checkLanguage = z.enum(["en", "zh"]);
export type CheckLanguage = z.infer<typeof checkLanguage>;
