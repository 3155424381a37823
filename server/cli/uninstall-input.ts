/** The input of `hearth uninstall`. */
import { z } from "zod";
import { text, toggle } from "../process/command-line/inputs.ts";

export const uninstallInput = z
  .object({
    delete_data: toggle("do not ask: delete the data"),
    keep_data: toggle("do not ask: keep the data, as where there is no terminal to ask on"),
    data_dir: text("DIR", "as for hearth serve"),
  })
  .describe(
    `Removes Hearth's command on the path, the entries that open it when you log in or follow a hearth:// link, newer versions that \
were downloaded, the engine's build for a GPU and the certificate authority. Then it asks whether to delete the data directory \
with its models. Files of others and your own backups stay. With the usual data directory, the list of data directories in \
projects is deleted. The program itself is removed as it was installed. Stop Hearth first.

Exit code: 0 done, 1 could not be done, 2 bad usage, 130 cancelled at the question: the data stay.`,
  );

export type UninstallInput = z.output<typeof uninstallInput>;
