/** Checks of system limits that are reached only under load. */
import { readFileSync, watch } from "node:fs";
import { openFilesWarning } from "../../process/open-files.ts";
import { findings, type DoctorCheck } from "./check.ts";

/** Hearth needs a watch for each folder. Old kernels have fewer than this, and editors use many. */
const enoughWatches = 8_192;

function limit(name: string): number | undefined {
  try {
    return Number(readFileSync(`/proc/sys/fs/inotify/${name}`, "utf8"));
  } catch {
    return undefined;
  }
}

export const checkLimits: DoctorCheck = async function* () {
  const files = findings("open files");
  const tooFew = openFilesWarning();
  yield tooFew === undefined ? files.ok("enough for 2,000 connections") : files.warning(tooFew);
  if (process.platform !== "linux") return;
  const watches = findings("file watches");
  const most = limit("max_user_watches");
  try {
    // Other programs of the user share the limits.
    watch("/", () => undefined).close();
    yield most !== undefined && most < enoughWatches
      ? watches.warning(
          `only ${String(most)} folders can be watched: raise fs.inotify.max_user_watches to ${String(enoughWatches)} or more`,
        )
      : watches.ok(`${most === undefined ? "some" : String(most)} folders can be watched`);
  } catch (error) {
    const setting = (error as NodeJS.ErrnoException).code === "ENOSPC" ? "max_user_watches" : "max_user_instances";
    yield watches.warning(
      `no folder can be watched, because other programs use all watches: raise fs.inotify.${setting} (now ${String(limit(setting))})`,
    );
  }
};
