/** The clock by which sessions, codes and keys expire, of the application server and the simulator alike. */
import { z } from "zod";
import { getClock, resetClock, setClock } from "../../contract/console/control/control-endpoints.ts";
import { clockSchema } from "../../contract/console/control/control.ts";
import { valueArgument } from "../../process/command-line/inputs.ts";
import { action } from "../action.ts";
import { duration } from "../duration.ts";

const msPerSecond = 1_000;

const form = {
  group: "Faults and data",
  output: clockSchema,
  effect: "changes",
  print: ({ now, offset_ms }: z.output<typeof clockSchema>) =>
    offset_ms === 0 ? now : `${now}  (${String(offset_ms / msPerSecond)} s ahead of the real time)`,
} as const;

export const clockShow = action({
  ...form,
  name: "clock show",
  summary: "show and move the clock by which sessions, codes and keys expire",
  input: z.object({}),
  effect: "reads",
  run: (hearth, _, signal) => hearth.call(getClock, { signal }),
});

export const clockAdvance = action({
  ...form,
  name: "clock advance",
  summary: "move the clock forward",
  input: z.object({ time: valueArgument(duration, "TIME", "how far, such as 30s, 10m, 2h or 1d") }),
  run: (hearth, { time }, signal) => hearth.call(setClock, { body: { advance_ms: time }, signal }),
});

export const clockSet = action({
  ...form,
  name: "clock set",
  summary: "set the clock",
  input: z.object({
    to: valueArgument(z.iso.datetime({ offset: true }), "TIME", "date and time, such as 2026-12-24T18:00:00Z"),
  }),
  run: (hearth, { to }, signal) => hearth.call(setClock, { body: { at: to }, signal }),
});

export const clockReset = action({
  ...form,
  name: "clock reset",
  summary: "set the clock to the real time",
  input: z.object({}),
  async run(hearth, _, signal) {
    await hearth.call(resetClock, { signal });
    return hearth.call(getClock, { signal });
  },
});
