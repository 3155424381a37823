import { watchLauncher } from "./watch-launcher.ts";

/**
 * Calls `stop` at each sign that this program is to end: a signal, the end of the channel to the process that has forked
 * it, the end of the npm that has launched it.
 */
export function onStopRequest(stop: () => void): void {
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, stop);
  process.on("disconnect", stop);
  // Listening keeps the channel open, and this process with it: it must end with its own work all the same.
  process.channel?.unref();
  watchLauncher(process.env, stop);
}
