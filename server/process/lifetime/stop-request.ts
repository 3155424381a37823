import { constants } from "node:os";
import { watchLauncher } from "./watch-launcher.ts";

/** Exit code of a command that was cancelled, as shells report Ctrl-C. */
export const cancelledCode = 130;

/** How a process ended, as shells report it: the signal's number on top, if there was one. */
export const exitCodeOf = (code: number | null, signal: NodeJS.Signals | null): number =>
  code ?? 128 + (signal ? constants.signals[signal] : 0);

const signals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/** Holds signals until this turn has set its listeners: without one, the system ends the process at once. */
export function holdSignals(): void {
  for (const signal of signals) process.on(signal, () => undefined);
}

/**
 * Calls `stop` on each request to end: a signal, the end of the channel to the parent process, or the end of the npm
 * that launched this process.
 */
export function onStopRequest(stop: () => void): void {
  for (const signal of signals) process.on(signal, stop);
  process.on("disconnect", stop);
  // A listener keeps the channel open, and the process alive; it must still end with its own work.
  process.channel?.unref();
  watchLauncher(process.env, stop);
}

/** The time in which signals count as one Ctrl-C: the terminal sends it to all processes, and parents pass it on. */
const sameCtrlCMs = 500;

/** Calls `hurry` on each of the signals after the first request. */
export function onSecondSignal(hurry: () => void, of: readonly NodeJS.Signals[] = signals): void {
  let first: number | undefined;
  const receive = () => {
    first ??= performance.now();
    if (performance.now() - first >= sameCtrlCMs) hurry();
  };
  for (const signal of of) process.on(signal, receive);
}

/** The same for Ctrl-C only: service managers may repeat other signals while requests drain. */
export const onSecondCtrlC = (hurry: () => void): void => onSecondSignal(hurry, ["SIGINT"]);
