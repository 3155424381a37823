/**
 * Keeps the window when the GPU process ends. Chromium starts that process again, but ends the whole program when it
 * ends too often; a driver must not end Hearth's services. The next start then draws the window in software.
 */
import type { App } from "electron";

/** Chromium's switch that starts the process again however often it ends. */
export const noCrashLimit = "disable-gpu-process-crash-limit";

const maxCrashes = 3;
const crashesWithinMs = 60_000;

/** @param onRepeated called once, when the process has ended too often */
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
