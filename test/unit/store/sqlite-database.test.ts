/** The database that Hearth comes with. */
import { join } from "node:path";
import { openDatabase } from "../../../server/store/sqlite/open-database.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";
import { itIsADatabase } from "./database-contract.ts";

itIsADatabase(() => {
  const folder = temporaryFolder();
  const file = join(folder.path, "things.db");
  return { open: (migrations) => openDatabase({ file, migrations }), dispose: () => folder[Symbol.dispose]() };
});
