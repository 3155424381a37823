/** `hearth uninstall`: removes Hearth's files outside of its own folder, and asks about the data. */
import { existsSync, readdirSync, rmdirSync, rmSync } from "node:fs";
import { homedir } from "node:os";
import { join, resolve } from "node:path";
import { backupsFolder } from "../contract/process/backup-names.ts";
import { cancelledCode } from "../process/lifetime/stop-request.ts";
import { gpuEngineRoot } from "../process/gpu-engine-files.ts";
import { removePromptCache } from "../process/prompt-cache-files.ts";
import { removePathCommand } from "../process/installation/path-command.ts";
import { updateDownloads } from "../process/installation/update-downloads.ts";
import { createUserPath } from "../process/installation/user-path.ts";
import { printLine } from "../process/terminal/print-text.ts";
import { listOfDirectories } from "../process/settings/known-directories.ts";
import { isHearthsName } from "../process/settings/data-names.ts";
import { defaultDataDir, resolveSettings, SettingsError } from "../process/settings/read-settings.ts";
import { describeHolder, takeInstanceLock } from "../supervisor/data-directory/instance-lock.ts";
import { isDataDir } from "../supervisor/data-directory/make-private.ts";
import { removeBackupsFolder } from "../store/backup/remove-backups.ts";
import { removeAuthority } from "../stand-in/authority-files.ts";
import { RunError } from "../supervisor/run-error.ts";
import { removeLeftRunnerSocket } from "../supervisor/runner-socket.ts";
import { askUser } from "./ask.ts";
import { removedText } from "./ca.ts";
import type { CommandContext } from "./command.ts";
import type { UninstallInput } from "./uninstall-input.ts";

/** Deletes Hearth's data there, and the folder unless it contains other files. */
async function deleteData(dataDir: string): Promise<void> {
  const backups: string[] = [];
  for (const entry of readdirSync(dataDir, { withFileTypes: true }).filter(({ name }) => isHearthsName(name)))
    if (entry.name === backupsFolder && entry.isDirectory()) backups.push(...(await removeBackupsFolder(dataDir)));
    else rmSync(join(dataDir, entry.name), { recursive: true, force: true, maxRetries: 5 });
  const left = readdirSync(dataDir).flatMap((name) =>
    name === backupsFolder ? backups.map((backup) => join(name, backup)) : [name],
  );
  if (left.length === 0) rmdirSync(dataDir);
  printLine(
    left.length === 0
      ? `deleted ${dataDir}`
      : `deleted Hearth's data in ${dataDir}; other files stay: ${left.join(", ")}`,
  );
}

/** @throws RunError while a Hearth uses the data directory */
export async function uninstall(
  { delete_data: deletes = false, keep_data: keeps = false, data_dir: folder }: UninstallInput,
  { env, cwd, host: { removeLoginItem } }: CommandContext,
): Promise<number> {
  if (deletes && keeps)
    throw new SettingsError("--delete-data and --keep-data contradict each other; give one of them");
  const dataDir = folder === undefined ? resolveSettings({}, env, cwd).data_dir : resolve(cwd, folder);
  const isThere = isDataDir(dataDir);
  const taken = isThere ? await takeInstanceLock(dataDir, () => ({ pid: process.pid, window: false })) : undefined;
  if (taken && !("lock" in taken)) throw new RunError(describeHolder(dataDir, taken.holder));
  const system = { platform: process.platform, home: homedir(), env, userPath: createUserPath() };
  const removed = removePathCommand(system);
  for (const file of removed) printLine(`removed the command ${file}`);
  if (removeLoginItem?.() === true) printLine("Hearth no longer opens when you log in");
  const downloads = updateDownloads(system);
  if (existsSync(downloads)) {
    rmSync(downloads, { recursive: true, force: true, maxRetries: 5 });
    printLine(`removed downloaded versions from ${downloads}`);
  }
  if (!isThere) {
    printLine(`${dataDir} contains no Hearth data: nothing was deleted there`);
    return 0;
  }
  removeLeftRunnerSocket(dataDir);
  const gpuEngine = gpuEngineRoot(dataDir);
  if (existsSync(gpuEngine)) {
    rmSync(gpuEngine, { recursive: true, force: true, maxRetries: 5 });
    printLine(`removed the engine's GPU build from ${gpuEngine}`);
  }
  // Prompts may be private, and a Hearth that is installed again evaluates them anew.
  if (removePromptCache(dataDir) > 0) printLine("removed the prompt cache");
  const authority = removeAuthority(dataDir);
  if (authority) printLine(removedText(authority.fingerprint));
  const isAsked = !deletes && !keeps && process.stdin.isTTY && process.stdout.isTTY;
  const answer = isAsked ? await askUser(`Delete the data in ${JSON.stringify(dataDir)}, with all models?`) : deletes;
  // Held during the question: a Hearth that started meanwhile would lose its data.
  await taken?.lock.release();
  if (answer === true) {
    await deleteData(dataDir);
    if (dataDir === resolve(defaultDataDir(env))) rmSync(listOfDirectories(dataDir), { force: true });
  } else printLine(`the data stays in ${dataDir}`);
  return answer === undefined ? cancelledCode : 0;
}
