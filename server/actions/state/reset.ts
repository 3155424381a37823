import { z } from "zod";
import { createReset } from "../../contract/console/control/control-endpoints.ts";
import { resetResultSchema, statePartSchema } from "../../contract/console/control/control.ts";
import { valueArgument } from "../../process/command-line/inputs.ts";
import { action } from "../action.ts";

export const reset = action({
  name: "reset",
  group: "Faults and data",
  summary: "reset all data, or parts of it, to the state of the first start",
  input: z.object({
    parts: valueArgument(
      z.array(statePartSchema).optional(),
      "PART",
      `parts to reset: ${statePartSchema.options.join(", ")}; default: all`,
    ),
  }),
  output: resetResultSchema,
  effect: "removes",
  run: (hearth, { parts = [] }, signal) =>
    hearth.call(createReset, { body: parts.length === 0 ? {} : { parts }, signal }),
  print({ removed }) {
    const counts = Object.entries(removed).filter(([part, count]) => count > 0 && part !== "clock");
    return counts.length === 0
      ? "Nothing was stored."
      : `Removed ${counts.map(([part, count]) => `${String(count)} ${part}`).join(", ")}.`;
  },
});
