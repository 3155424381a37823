/** The inputs of `hearth backup` and `hearth restore`. */
import { z } from "zod";
import { argument, text, toggle } from "../../process/command-line/inputs.ts";

const file = (command: string) =>
  argument("FILE", "the backup's file", `hearth ${command} needs the name of one file; --help tells more`);

export const backupInput = z
  .object({
    file: file("backup"),
    force: toggle("replace FILE"),
    data_dir: text("DIR", "as for hearth serve"),
  })
  .describe(
    `Writes a tar archive, while Hearth runs or not: the two databases as they are at one moment (users, sessions, articles and \
other collections, orders, events, chats, the provider's state and keys), the contents of all uploads that they name, the \
settings (hearth.config.json), collections, routes.json, fixtures, and file events that wait to be delivered. Not in it: models, \
recorded requests, contents of uploads in a bucket (uploads_bucket), contents that no upload names, earlier backups, the \
window's own state, and what the settings have elsewhere. It holds secrets: only its owner may read it. The file is read again \
and compared.`,
  );

export const restoreInput = z
  .object({
    file: file("restore"),
    trust_settings: toggle("take all settings over, and go on watching its folders: for a backup of your own"),
    data_dir: text("DIR", "as for hearth serve"),
  })
  .describe(
    `Checks all of the archive, then puts it in the place of what is in the data directory, while no Hearth and no hearth watch runs \
there. What was there is kept in backups/before-restore-…; models and recorded requests stay. A backup of an older Hearth gives \
its data back to that one. Cut off at any moment, it leaves what was there, or is ended by the next restore, start or migrate; \
until then backup is refused.

The archive may be somebody else's: the door to the local network is shut, devices, keys and logins of browsers are forgotten, a \
database with triggers, views or tables that no Hearth made is refused, and settings that let others in or say what is asked, \
read or run are left aside, unless this data directory has the same. They are listed.`,
  );
