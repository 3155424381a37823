/**
 * The installer of each kind of package, by electron-updater, which also compares the SHA-512 that the feed names. It is
 * a bundle of its own, since few starts need it.
 */
import { readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import electronUpdater from "electron-updater";
import { leaveOutWorkingDirectory } from "../../server/process/system-programs.ts";
import type { Installer } from "./installer.ts";

/** Private in electron-updater: the folder of its downloads. */
interface WithDownloads {
  getOrCreateDownloadHelper: () => Promise<{ cacheDirForPendingUpdate: string; clear: () => Promise<void> }>;
}

/** Private in electron-updater: starts the installed AppImage. */
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
  updater.autoInstallOnAppQuit = false;
  updater.logger = null;
  // By default it would start the new version without arguments, or with flags for one start only.
  const isAppImage = updater instanceof AppImageUpdater;
  updater.autoRunAppAfterInstall = isAppImage;
  if (isAppImage)
    (updater as unknown as WithStart).spawnLog = async (program) => {
      relaunch(program);
      return true;
    };
  let failed = false;
  // It reports each failure here as well as to the caller, and an event "error" without a listener ends the program.
  updater.on("error", () => (failed = true));

  /** Removes the remains of a killed download. Without an offer it also removes a package: it is installed or withdrawn. */
  async function removeRemains(isOffered: boolean): Promise<void> {
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
      await removeRemains(isOffered);
      return isOffered ? result.updateInfo.version : undefined;
    },
    async download(onProgress, signal) {
      // Each check returns a new token; a used one would cancel again.
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
      // After a failure, such as a missing password, the old version starts again.
      if (failed || !isAppImage) relaunch();
    },
  };
}
