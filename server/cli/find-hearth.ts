/** Selects the Hearth on this machine that a command is for. */
import { existsSync, realpathSync } from "node:fs";
import { resolve } from "node:path";
import { defaultDataDir } from "../process/settings/read-settings.ts";
import { findRunning, type RunningInstance } from "../supervisor/data-directory/instance-lock.ts";
import { RunError } from "../supervisor/run-error.ts";
import { notedDataDirs } from "../supervisor/runner-socket.ts";

export interface RunningHearth extends RunningInstance {
  readonly dataDir: string;
}

async function runningOn(dataDir: string): Promise<RunningHearth[]> {
  const running = await findRunning(dataDir);
  return running ? [{ ...running, dataDir }] : [];
}

/** All running Hearths of the user. */
export async function allHearths(env = process.env): Promise<RunningHearth[]> {
  const folders = new Set(notedDataDirs(env).flatMap((path) => (existsSync(path) ? [realpathSync(path)] : [])));
  return (await Promise.all([...folders].map(runningOn))).flat();
}

/**
 * The Hearth on a data directory. Without one on the default directory, when the user named no other, all of the user's
 * running Hearths.
 */
export async function findHearths(dataDir: string, env = process.env): Promise<RunningHearth[]> {
  const own = await runningOn(dataDir);
  if (own.length > 0 || dataDir !== resolve(defaultDataDir(env))) return own;
  return allHearths(env);
}

/** The only one of them. @throws RunError when there are several, which it names, or none */
export function onlyOne(found: readonly RunningHearth[], dataDir: string): RunningHearth {
  const [one, ...others] = found;
  if (one === undefined)
    throw new RunError(
      `no Hearth uses the data directory ${dataDir}; start it with "hearth start", or name another with --data-dir`,
    );
  if (others.length === 0) return one;
  const all = found.map((each) => `${each.dataDir} (${each.urls?.["app"] ?? `pid ${String(each.pid)}`})`);
  throw new RunError(`several Hearths run with the data directories ${all.join(", ")}: name one with --data-dir`);
}

export const stillStarting = (dataDir: string) =>
  new RunError(`the Hearth with the data directory ${dataDir} is still starting; try again in a moment`);
