/** The input of `hearth types`. */
import { z } from "zod";
import { settingFlags, text, toggle } from "../../process/command-line/inputs.ts";

export const typesInput = z
  .object({
    out: text("FILE.js", "default hearth-client.js; a name that ends in .mjs gives .d.mts"),
    check: toggle("write nothing; exit with 1 where the files are not what would be written, for CI"),
    url: text("URL", "ask the application server that runs there instead"),
    ...settingFlags("collections_dir", "routes_file", "data_dir"),
  })
  .describe(
    `Writes a client of the application server's API, FILE.js, and its types, FILE.d.ts. Both hold the project's own collections and \
routes beside Hearth's, and need no package:

  import { createHearthClient } from "./hearth-client.js";
  const hearth = createHearthClient({ baseUrl: "http://127.0.0.1:3080", token });
  const { body } = await hearth.listArticles({ query: { page_size: 5 } });

The API is that of a Hearth that is started for this with the settings of the working directory: collections_dir and routes_file, \
else the files of the data directory. It ends afterwards and touches no data.`,
  );

export type TypesInput = z.output<typeof typesInput>;
