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
    `Writes a tar archive, also while Hearth runs. It contains both databases at one moment (users, sessions, articles and other \
collections, orders, events, chats, the platform's state and keys), all uploads, the settings (hearth.config.json), collections, \
routes.json, fixtures, and undelivered file events. It does not contain models, recorded requests, uploads in a bucket \
(uploads_bucket), orphaned content, earlier backups, the window's state, or files that settings place outside the data \
directory. The archive contains secrets: only its owner may read it. Hearth verifies the file after writing it.`,
  );

export const restoreInput = z
  .object({
    file: file("restore"),
    trust_settings: toggle("restore all settings and watched folders; use it only for your own backups"),
    data_dir: text("DIR", "as for hearth serve"),
  })
  .describe(
    `Checks the whole archive, then replaces the data in the data directory. Stop Hearth and hearth watch first. The replaced data is \
kept in backups/before-restore-…; models and recorded requests stay. A backup restores the data for the version that wrote it. \
An interrupted restore leaves the old data, or the next restore, start or migrate completes it; until then backup is refused.

The archive may come from somebody else. So Hearth closes the local network, and drops devices, keys and browser logins. \
A database with foreign triggers, views or tables is refused. Settings that give others access, or choose what is called, read or \
run, are ignored and listed, unless this data directory has the same ones.`,
  );
