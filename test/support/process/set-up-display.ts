/**
 * Once before all tests: a display where there is none, and the Electron that the test set-up has fetched, so that one
 * test file can be run by itself too. Both are inherited by the processes that run the tests.
 */
import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { findElectronForTests } from "../../../build/install/electron-for-tests.ts";

/** Starts a virtual display of its own choice of number; undefined where the system has none. */
async function startDisplay(): Promise<{ name: string; server: ChildProcess } | undefined> {
  // By itself it begins anew when its last client has gone: a program that starts in that moment, as one that restarts
  // itself does, finds no display and ends.
  const server = spawn("Xvfb", ["-displayfd", "1", "-screen", "0", "1440x1000x24", "-nolisten", "tcp", "-noreset"], {
    stdio: ["ignore", "pipe", "ignore"],
  });
  const chosen = once(server.stdout, "data").then(([digits]) => `:${String(digits).trim()}`);
  const name = await Promise.race([chosen, once(server, "error").then(() => undefined)]);
  return name === undefined ? undefined : { name, server };
}

export default async function setUp(): Promise<(() => Promise<void>) | undefined> {
  const electron = findElectronForTests();
  if (electron !== undefined && !electron.official) process.env["ELECTRON_OVERRIDE_DIST_PATH"] = electron.dist;
  if (process.platform !== "linux" || process.env["DISPLAY"] !== undefined) return undefined;
  const display = await startDisplay();
  if (display === undefined) return undefined;
  process.env["DISPLAY"] = display.name;
  return async () => {
    const ended = once(display.server, "exit");
    display.server.kill();
    await ended;
  };
}
