/**
 * The installer of each system's packages, by electron-updater: it knows them all, and compares the SHA-512 that the
 * feed names; macOS compares the signature, too. A bundle of its own, since few starts need it.
 */
import { readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import electronUpdater from "electron-updater";
import { leaveOutWorkingDirectory } from "../../server/process/system-programs.ts";
import type { Installer } from "./installer.ts";

/** Private in electron-updater, and the only way to the folder of its downloads. */
interface WithDownloads {
  getOrCreateDownloadHelper: () => Promise<{ cacheDirForPendingUpdate: string; clear: () => Promise<void> }>;
}

/** Private in electron-updater, and the only way to how an AppImage is started, which it cannot be installed without. */
interface WithStart {
  spawnLog: (program: string) => Promise<boolean>;
}

/** A download while it is written. */
const unfinished = /^(\d+-)?temp-/;

/**
 * @param feed address of the folder with the packages and their `latest*.yml`
 * @param relaunch starts the program again once it has ended; at this path, if it has another one now
 */
export function createElectronInstaller(feed: string, relaunch: (program?: string) => void): Installer {
  // It starts the system's installers by bare names.
  leaveOutWorkingDirectory();
  const { autoUpdater: updater, AppImageUpdater } = electronUpdater;
  updater.setFeedURL({ provider: "generic", url: feed });
  updater.autoDownload = false;
  // On macOS, the system's own updater takes the download over from there, and then installs it at the end.
  updater.autoInstallOnAppQuit = process.platform === "darwin";
  updater.logger = null;
  // On Linux it would start the new version with no arguments, or with those that were meant for this start alone.
  const isLinuxPackage = process.platform === "linux" && !(updater instanceof AppImageUpdater);
  updater.autoRunAppAfterInstall = !isLinuxPackage;
  if (updater instanceof AppImageUpdater)
    (updater as unknown as WithStart).spawnLog = async (program) => {
      relaunch(program);
      return true;
    };
  let failed = false;
  // It reports each failure here as well as to the caller, and an event "error" without a listener ends the program.
  updater.on("error", () => (failed = true));

  /** Removes what a killed download has left, and without an offer a package, too: it is installed, or withdrawn. */
  async function removeLeft(isOffered: boolean): Promise<void> {
    const downloads = await (updater as unknown as WithDownloads).getOrCreateDownloadHelper();
    const folder = downloads.cacheDirForPendingUpdate;
    if (!isOffered) return downloads.clear();
    const names = await readdir(folder).catch(() => []);
    for (const name of names.filter((one) => unfinished.test(one))) await rm(join(folder, name), { force: true });
  }

  return {
    async check() {
      if (!updater.isUpdaterActive()) throw new Error("this program was unpacked from an archive, not installed");
      const result = await updater.checkForUpdates();
      const isOffered = result?.isUpdateAvailable === true;
      await removeLeft(isOffered);
      return isOffered ? result.updateInfo.version : undefined;
    },
    async download(onProgress, signal) {
      // It hands out one token for each question, and a used one would cancel again.
      const result = await updater.checkForUpdates();
      const cancel = () => result?.cancellationToken?.cancel();
      const progress = ({ percent }: { percent: number }) => onProgress(percent / 100);
      signal.throwIfAborted();
      signal.addEventListener("abort", cancel);
      updater.on("download-progress", progress);
      try {
        await updater.downloadUpdate(result?.cancellationToken);
      } finally {
        updater.off("download-progress", progress);
        signal.removeEventListener("abort", cancel);
      }
    },
    install() {
      failed = false;
      updater.quitAndInstall(false, true);
      // If it failed, since a password was not given, for one, the old version goes on.
      if (failed || isLinuxPackage) relaunch();
    },
  };
}
