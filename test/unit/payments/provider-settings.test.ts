/** The simulated platform's stored settings, some of them by another version. */
import { join } from "node:path";
import { expect, it } from "vitest";
import { identityMigrations, type IdentityTables } from "../../../server/provider/identity/identity-tables.ts";
import { defaultSimSettings, openSimSettings } from "../../../server/provider/identity/sim-settings.ts";
import { openDatabase } from "../../../server/store/sqlite/open-database.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";

it.each(["601", '"often"', "not JSON"])(
  "a value that this version does not know counts as unset alone: %s",
  async (value) => {
    using folder = temporaryFolder();
    const file = join(folder.path, "provider.db");
    const { db, close } = await openDatabase<IdentityTables>({ file, migrations: identityMigrations });
    const rows = [
      { name: "login_rotates_key", value },
      { name: "errmsg_rid", value: "false" },
    ];
    await db.insertInto("sim_settings").values(rows).execute();
    const settings = await openSimSettings(db, undefined, () => expect.unreachable());
    expect(settings.current()).toEqual({ ...defaultSimSettings, errmsg_rid: false });
    await close();
  },
);
