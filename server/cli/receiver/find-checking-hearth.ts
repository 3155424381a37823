/** Finds the Hearth whose simulator runs a check. */
import { resolve } from "node:path";
import { resolveSettings, SettingsError } from "../../process/settings/read-settings.ts";
import { readReadyFile } from "../../supervisor/ready-file.ts";
import { findHearths, onlyOne, stillStarting } from "../find-hearth.ts";

/** The addresses of a running Hearth; that of the application server is only for its own receiver. */
export interface Addresses {
  readonly provider: string;
  readonly app?: string | undefined;
  /** With the run's token. */
  readonly console?: string | undefined;
}

function addressesIn(file: string): Addresses {
  try {
    return readReadyFile(file);
  } catch (error) {
    throw new SettingsError(`--ready-file: ${file} cannot be read: ${(error as Error).message}`);
  }
}

/**
 * The addresses in the flags, in the environment or in the data directory, in this order; undefined when nothing runs.
 */
export async function findCheckingHearth(
  values: Readonly<Partial<Record<"provider_url" | "ready_file" | "data_dir", string | undefined>>>,
  env: NodeJS.ProcessEnv,
  cwd: string,
): Promise<Addresses | undefined> {
  if (values.provider_url !== undefined) return { provider: values.provider_url };
  if (values.ready_file !== undefined) return addressesIn(resolve(cwd, values.ready_file));
  // The variables of a command of `hearth exec`.
  const [provider, app, console] = [env["HEARTH_PROVIDER_URL"], env["HEARTH_APP_URL"], env["HEARTH_CONSOLE_URL"]];
  if (provider !== undefined && values.data_dir === undefined) return { provider, app, console };
  const folder = values.data_dir;
  const dataDir = folder === undefined ? resolveSettings({}, env, cwd).data_dir : resolve(cwd, folder);
  const found = await findHearths(dataDir, env);
  if (found.length === 0 && folder === undefined) return undefined;
  const one = onlyOne(found, dataDir);
  const { provider: running, app: itsApp } = one.urls ?? {};
  if (running === undefined) throw stillStarting(one.dataDir);
  return { provider: running, app: itsApp };
}
