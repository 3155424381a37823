/** The input of `hearth types`. */
import { z } from "zod";
import { settingFlags, text, toggle } from "../../process/command-line/inputs.ts";

export const typesInput = z
  .object({
    out: text("FILE.js", "output file; default: hearth-client.js. With .mjs, the types are .d.mts"),
    check: toggle("write nothing and exit with 1 if the files are outdated, for CI"),
    url: text("URL", "read the API of a running application server instead"),
    ...settingFlags("collections_dir", "routes_file", "data_dir"),
  })
  .describe(
    `Writes a client of the application server's API, FILE.js, and its types, FILE.d.ts. Both include the project's collections and \
routes and need no package:

  import { createHearthClient } from "./hearth-client.js";
  const hearth = createHearthClient({ baseUrl: "http://127.0.0.1:3080", token });
  const { body } = await hearth.listArticles({ query: { page_size: 5 } });

Hearth starts briefly to read the API and changes no data. The settings collections_dir and routes_file of the working directory \
apply. Otherwise Hearth uses the data directory's files.`,
  );

export type TypesInput = z.output<typeof typesInput>;
