/** The input of `hearth uninstall`. */
import { z } from "zod";
import { text, toggle } from "../process/command-line/inputs.ts";

export const uninstallInput = z
  .object({
    delete_data: toggle("delete the data without asking"),
    keep_data: toggle("keep the data without asking; the default without a terminal"),
    data_dir: text("DIR", "as for hearth serve"),
  })
  .describe(
    `Removes Hearth's command from the path and its entries for login and hearth:// links. Also removes downloaded updates, the \
engine's GPU build and the certificate authority. Then it asks whether to delete the data directory with its models. Other programs' files and your \
backups stay. If the data directory is the default one, its list of project data directories is deleted, too. \
Remove the program itself the way you installed it. Stop Hearth first.

Exit code: 0 done, 1 failed, 2 bad usage, 130 cancelled at the question: the data stay.`,
  );

export type UninstallInput = z.output<typeof uninstallInput>;
