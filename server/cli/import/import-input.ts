/** The input of `hearth import`. */
import { z } from "zod";
import { argument, settingFlags, text, toggle } from "../../process/command-line/inputs.ts";

export const importInput = z
  .object({
    source: argument("FILE|URL", "an OpenAPI 3.0 or 3.1 document, as JSON or YAML", "name a file or an address"),
    name: text("NAME", "the file is called NAME.json; default: from the source"),
    yes: toggle("replace the file if it is already there and differs"),
    dry_run: toggle("write nothing and show what would be served"),
    ...settingFlags("collections_dir", "data_dir"),
  })
  .describe(
    `Writes the document as JSON into the folder apis, next to the folder of the collections. A running Hearth serves it at once. \
Each operation checks its requests and answers with the document's examples. Other values are made from its schemas. No login is needed. \
You can edit the file. A file that differs is replaced only with --yes.`,
  );

export type ImportInput = z.output<typeof importInput>;
