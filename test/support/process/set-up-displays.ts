/**
 * Once before all tests: displays where there is none, and the Electron that the test set-up has fetched, so that one test
 * file can be run by itself too.
 */
import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import type { TestProject } from "vitest/node";
import { findElectronForTests } from "../../../build/install/electron-for-tests.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** One for each file that runs at the same time; none where there is a display anyway. */
    displays: readonly string[];
  }
}

interface Display {
  readonly name: string;
  readonly server: ChildProcess;
}

/** Starts a virtual display of its own choice of number; undefined where the system has none. */
async function startDisplay(): Promise<Display | undefined> {
  // By itself it begins anew when its last client has gone: a program that starts in that moment, as one that restarts
  // itself does, finds no display and ends.
  const server = spawn("Xvfb", ["-displayfd", "1", "-screen", "0", "1440x1000x24", "-nolisten", "tcp", "-noreset"], {
    stdio: ["ignore", "pipe", "ignore"],
  });
  const chosen = once(server.stdout, "data").then(([digits]) => `:${String(digits).trim()}`);
  const name = await Promise.race([chosen, once(server, "error").then(() => undefined)]);
  return name === undefined ? undefined : { name, server };
}

/** Has Electron run as the test set-up has fetched it. */
function useElectron(): void {
  const electron = findElectronForTests();
  if (electron !== undefined && !electron.official) process.env["ELECTRON_OVERRIDE_DIST_PATH"] = electron.dist;
}

async function startDisplays(count: number): Promise<Display[]> {
  if (process.platform !== "linux" || process.env["DISPLAY"] !== undefined) return [];
  const displays: Display[] = [];
  // One after another: each chooses the first number that is free.
  while (displays.length < count) {
    const display = await startDisplay();
    if (!display) break;
    displays.push(display);
  }
  return displays;
}

async function end(displays: readonly Display[]): Promise<void> {
  for (const { server } of displays) {
    const ended = once(server, "exit");
    server.kill();
    await ended;
  }
}

/** For a script: one display, which it inherits. @returns what ends it */
export async function setUpDisplay(): Promise<() => Promise<void>> {
  useElectron();
  const displays = await startDisplays(1);
  if (displays[0]) process.env["DISPLAY"] = displays[0].name;
  return () => end(displays);
}

export default async function setUp(project: TestProject): Promise<() => Promise<void>> {
  useElectron();
  const displays = await startDisplays(project.vitest.config.maxWorkers);
  project.provide(
    "displays",
    displays.map(({ name }) => name),
  );
  return () => end(displays);
}
