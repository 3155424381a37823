import { z } from "zod";

/** A flag of a query: exactly `true` or `false`. */
export const queryFlag = z.stringbool({ truthy: ["true"], falsy: ["false"], case: "sensitive" });
