/** The input of `hearth doctor`. */
import { z } from "zod";
import { allSettingFlags, toggle } from "../../process/command-line/inputs.ts";

export const doctorInput = z
  .object({
    quick: toggle("check the sizes of uploads and models only, not their content"),
    ...allSettingFlags,
    json: toggle(
      "print one JSON object: checks (each with check, state and text) and the numbers ok, warnings and problems",
    ),
  })
  .describe(
    `Checks this installation and the data directory without changing them, also while Hearth runs. Each check prints one line. ok: it \
works. warning: it works, but not in all cases. problem: something fails or will fail. The other flags are those of hearth start.

Exit codes: 0 no problem, 1 a problem, 2 bad command line, 130 cancelled.`,
  );

export type DoctorInput = z.output<typeof doctorInput>;
