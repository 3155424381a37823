/**
 * Keeps the window when the GPU process ends. Chromium starts it anew, but ends the whole program when that happens too
 * often; Hearth's services must not end with a driver. From the next start on, the window is then drawn in software.
 */
import type { App } from "electron";

/** Chromium's own switch for what follows: the process is started anew however often it ends. */
export const noCrashLimit = "disable-gpu-process-crash-limit";

const maxCrashes = 3;
const crashesWithinMs = 60_000;

/** @param onRepeated called once, when it has ended more often than a driver may */
export function watchGpu(app: Pick<App, "on">, onRepeated: () => void): void {
  let crashes: number[] = [];
  let isReported = false;
  app.on("child-process-gone", (_event, { type, reason }) => {
    if (type !== "GPU" || reason === "clean-exit" || isReported) return;
    const now = Date.now();
    crashes = [...crashes.filter((at) => now - at < crashesWithinMs), now];
    if (crashes.length <= maxCrashes) return;
    isReported = true;
    onRepeated();
  });
}
