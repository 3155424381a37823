/** The inputs of `hearth backup` and `hearth restore`. */
import { z } from "zod";
import { argument, text, toggle } from "../../process/command-line/inputs.ts";

const file = (command: string) =>
  argument("FILE", "the backup file", `hearth ${command} needs the name of one file; see --help`);

export const backupInput = z
  .object({
    file: file("backup"),
    force: toggle("replace FILE"),
    data_dir: text("DIR", "as for hearth serve"),
  })
  .describe(
    `Writes a tar archive, also while Hearth runs. Hearth verifies the file after writing it.

The archive contains:
- both databases at one moment: users, sessions, collections, orders, events, chats, the platform's state and keys
- uploads, fixtures, collections, routes.json and hearth.config.json
- undelivered file events

The archive does not contain:
- models, recorded requests and the window's state
- uploads in a bucket (uploads_bucket), orphaned content and earlier backups
- files that settings place outside the data directory

The archive contains secrets: only its owner may read it.`,
  );

export const restoreInput = z
  .object({
    file: file("restore"),
    trust_settings: toggle("restore all settings and watched folders; use it only for your own backups"),
    data_dir: text("DIR", "as for hearth serve"),
  })
  .describe(
    `Checks the whole archive, then replaces the data in the data directory. Stop Hearth and hearth watch first. The replaced data is \
kept in backups/before-restore-…; models and recorded requests stay. A backup restores the data for the version that wrote it.

An interrupted restore keeps the old data, or the next restore, start or migrate completes it. Until then, backup is refused.

The archive may come from somebody else. So Hearth closes the local network, and drops devices, keys and browser logins. \
A database with foreign triggers, views or tables is refused. Hearth ignores and lists settings that give others access, or \
choose what it calls, reads or runs. Settings that this data directory also has are kept.`,
  );
