/** The input of `hearth doctor`. */
import { z } from "zod";
import { allSettingFlags, toggle } from "../../process/command-line/inputs.ts";

export const doctorInput = z
  .object({
    quick: toggle("measure uploads and models, and do not read them through"),
    ...allSettingFlags,
    json: toggle(
      "print one JSON object: checks (each with check, state and text), and how many are ok, warnings and problems",
    ),
  })
  .describe(
    `Checks whether this installation and the data directory are sound, whether Hearth runs on it or not, and changes nothing. A line \
for each check: ok; warning: it works, but not for ever or not for all; problem: something does not work, or will not. The other \
flags are those of a start.

Exit codes: 0 no problem, 1 a problem, 2 bad command line, 130 cancelled.`,
  );

export type DoctorInput = z.output<typeof doctorInput>;
