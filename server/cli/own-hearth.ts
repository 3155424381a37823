import { mkdtempSync } from "node:fs";
import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { SettingName } from "../contract/process/settings.ts";
import { holdSignals } from "../process/lifetime/stop-request.ts";
import { resolveSettings } from "../process/settings/read-settings.ts";
import type { ProgramHost } from "../supervisor/program-host.ts";
import type { ReadyFileContent } from "../supervisor/ready-file.ts";
import { serveUntilStopped, type ServeOptions } from "./serve.ts";

/** @param folder of a Hearth of `withOwnHearth` */
export const ownDataDirIn = (folder: string) => join(folder, "data");

/**
 * Runs a Hearth on free ports with an empty data directory during `use`, and removes it. `over`: aborts when Hearth is
 * asked to stop, or ends before `use`. `folder`: for further temporary files. `origins`: of settings that are not the
 * caller's own. `services`: those that run, if not all.
 * @returns the exit code of `use`, but 130 instead of 0 after a requested stop; 1 when Hearth cannot run
 */
export async function withOwnHearth(
  host: ProgramHost,
  settings: Partial<Record<SettingName, unknown>>,
  use: (addresses: ReadyFileContent, over: AbortSignal, folder: string) => Promise<number>,
  { origins, services }: Pick<ServeOptions, "origins" | "services"> = {},
): Promise<number> {
  // Holds signals until `serve` handles them, so that nothing is left behind.
  holdSignals();
  const folder = mkdtempSync(join(tmpdir(), "hearth-exec-"));
  const own = {
    data_dir: ownDataDirIn(folder),
    app_port: 0,
    provider_port: 0,
    model_port: 0,
    headless: true,
    // Its data is temporary anyway.
    durability: "none",
    prompt_cache_mb: 0,
  };
  const over = new AbortController();
  try {
    const resolved = resolveSettings({ ...own, log_level: "warn", ...settings }, {}, folder);
    return await serveUntilStopped(resolved, host, {
      browser: false,
      ...(origins && { origins }),
      ...(services && { services }),
      whenReady: (addresses, stopping) => use(addresses, AbortSignal.any([over.signal, stopping]), folder),
    });
  } finally {
    over.abort();
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}
