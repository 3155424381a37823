/** The inputs of `hearth ca` and `hearth ca remove`. */
import { z } from "zod";
import { settingFlags, toggle } from "../process/command-line/inputs.ts";

const dataDir = settingFlags("data_dir");

export const caInput = z
  .object({
    env: toggle("print shell variables that send the real platform's hosts to the running Hearth (setting stand_in)"),
    ...dataDir,
  })
  .describe(
    `The authority signs certificates for the hosts that Hearth stands in for and for addresses of local networks. Hearth creates it \
at first use. No program trusts it until you tell it to.

Example: eval "$(hearth ca --env)"`,
  );

export const removeCaInput = z.object(dataDir);

export type CaInput = z.output<typeof caInput>;
export type RemoveCaInput = z.output<typeof removeCaInput>;
