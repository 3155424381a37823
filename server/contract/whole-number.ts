import { z } from "zod";

/** Whole numbers as paths and queries spell them: JavaScript takes `0x1`, `1e0`, `+1` and a space for numbers, too. */
const decimal = /^-?\d+$/;

/** A whole number of a path or a query. @param number its bounds */
export const wholeNumber = (number: z.ZodNumber) =>
  z.preprocess((text) => (typeof text === "string" ? (decimal.test(text) ? Number(text) : NaN) : text), number);
