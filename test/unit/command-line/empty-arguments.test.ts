/** An empty argument is a variable that is not set. As a path it would be the working directory. */
import { describe, expect, it } from "vitest";
import { backupCommand } from "../../../server/cli/backup/backup-command.ts";
import { exec } from "../../../server/cli/exec/exec.ts";
import { SettingsError } from "../../../server/process/settings/read-settings.ts";
import type { ProgramHost } from "../../../server/supervisor/program-host.ts";
import { parseWatchCommand } from "../../../server/watcher/watch-command.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";

const unusedHost = {} as ProgramHost;

describe("an empty argument is refused", () => {
  it("as the folder to watch", () => {
    expect(() => parseWatchCommand([""])).toThrow(SettingsError);
    expect(() => parseWatchCommand([""])).toThrow("an argument is empty");
  });

  it("as the file of a backup, and as the folder of a restore", async () => {
    using folder = temporaryFolder();
    const context = { env: {}, cwd: folder.path, version: "1.0.0" };
    await expect(backupCommand("backup", [""], context)).rejects.toThrow("an argument is empty");
    const restore = backupCommand("restore", ["backup.tar", "--data-dir", ""], context);
    await expect(restore).rejects.toThrow("--data-dir needs a value");
  });

  it("as the command to run", async () => {
    await expect(exec(["--", ""], "/", unusedHost)).rejects.toThrow("exec needs a command");
  });
});
