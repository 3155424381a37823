/** The inputs of `hearth ca` and `hearth ca remove`. */
import { z } from "zod";
import { settingFlags, toggle } from "../process/command-line/inputs.ts";

const dataDir = settingFlags("data_dir");

export const caInput = z
  .object({
    env: toggle(
      "print lines for a shell: its commands reach the running Hearth at the real platform's hosts (setting stand_in)",
    ),
    ...dataDir,
  })
  .describe(
    `Made when it is needed first, the authority vouches for what Hearth serves by HTTPS: the hosts that it stands in for, and \
addresses of local networks. Nothing trusts it until it is told to.

Use of the lines: eval "$(hearth ca --env)"; in PowerShell: hearth ca --env | Out-String | Invoke-Expression`,
  );

export const removeCaInput = z.object(dataDir);

export type CaInput = z.output<typeof caInput>;
export type RemoveCaInput = z.output<typeof removeCaInput>;
