/** After an update: the data of the older version, offered in the window, and put back at its end. */
import { cpSync, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { newerVersion } from "../../server/supervisor/data-directory/data-version.ts";
import { createNodeFork } from "../../server/supervisor/processes/fork-node.ts";
import { backUpBeforeUpdate } from "../../server/supervisor/data-directory/update-backup.ts";
import { migrationsOf, newestMigration, olderVersion, writeOlderData } from "../support/app/older-data.ts";
import { pressToEnd } from "../support/console/console-page.ts";
import { openWindow } from "../support/console/window.ts";
import { patienceMs } from "../support/eventually.ts";
import { builtCommand } from "../support/process/launch.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

it("Settings offer the data of an older version, say what it means, and Hearth ends with them in place", async () => {
  using folder = temporaryFolder();
  const dataDir = join(folder.path, "data");
  const told = join(folder.path, "told");
  mkdirSync(dataDir);
  await writeOlderData(dataDir);
  const { signal } = new AbortController();
  const entry = join(builtCommand, "../update-backup.js");
  const work = { entry, fork: createNodeFork(), signal };
  await backUpBeforeUpdate({ data_dir: dataDir, update_backup: true }, "0.1.0", work);
  // The window brings a directory of its own.
  await using window = await openWindow((own) => cpSync(dataDir, own, { recursive: true }), { update_backup: false });
  expect(migrationsOf(window.dataDir)).toContain(newestMigration);
  // In place of the system's dialogs: a person who presses the first button.
  await window.electron.evaluate(({ dialog }, file) => {
    const { appendFileSync } = process.getBuiltinModule("node:fs");
    Object.assign(dialog, {
      showMessageBox: (...args: { message: string; detail: string }[]) => {
        const { message = "", detail = "" } = args.at(-1) ?? {};
        appendFileSync(file, `${message}\n${detail}\n`);
        return Promise.resolve({ response: 0, checkboxChecked: false });
      },
    });
  }, told);
  await window.open("Settings");
  const row = window.page.getByRole("group", { name: `Data of Hearth ${olderVersion}` });
  const ended = window.electron.waitForEvent("close", { timeout: patienceMs });
  await pressToEnd(row.getByRole("button", { name: "Restore…" }));
  await ended;
  expect(readFileSync(told, "utf8")).toMatch(
    /Restore the data of Hearth 0\.0\.9\?\n.*Newer data moves.*\nThe data of Hearth 0\.0\.9 is restored\nStart Hearth 0\.0\.9 now.*\nThe replaced data is in .*before-restore-/,
  );
  expect(migrationsOf(window.dataDir)).not.toContain(newestMigration);
  expect(newerVersion(window.dataDir, "0.0.8")).toBe(olderVersion);
});
