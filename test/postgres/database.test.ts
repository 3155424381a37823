/** The database that a team may have. */
import { randomUUID } from "node:crypto";
import { openDatabase } from "../../server/store/postgres/open-database.ts";
import { testDatabaseUrl } from "../support/store/test-database.ts";
import { itIsADatabase } from "../unit/store/database-contract.ts";

itIsADatabase(() => {
  const name = `things-${randomUUID()}`;
  return {
    open: async (migrations) =>
      openDatabase({ url: (await testDatabaseUrl(name)) ?? "", schema: "things", migrations }),
    dispose: () => undefined,
  };
});
