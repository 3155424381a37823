import { execFile } from "node:child_process";
import { programInPath } from "../../server/process/system-programs.ts";

const answerWithinMs = 2_000;
/** Asks the session's bus whether a panel shows tray icons. */
const question = [
  ["call", "--session", "--dest", "org.freedesktop.DBus", "--object-path", "/org/freedesktop/DBus"],
  ["--method", "org.freedesktop.DBus.NameHasOwner", "org.kde.StatusNotifierWatcher"],
].flat();

/**
 * Whether the system shows tray icons; undefined if the question times out, as on a busy machine. macOS and Windows always
 * show them. Linux desktops differ, and Electron does not report it.
 */
export async function findTray(
  platform: NodeJS.Platform,
  env: NodeJS.ProcessEnv,
  withinMs = answerWithinMs,
): Promise<boolean | undefined> {
  if (platform !== "linux") return true;
  // Without an address, the question would start a bus of its own.
  if (env["DBUS_SESSION_BUS_ADDRESS"] === undefined) return false;
  const gdbus = programInPath("gdbus", env);
  if (gdbus === undefined) return undefined;
  const { promise, resolve } = Promise.withResolvers<boolean | undefined>();
  execFile(gdbus, question, { env, timeout: withinMs }, (error, stdout) =>
    resolve(error === null ? stdout.includes("true") : undefined),
  );
  return promise;
}
