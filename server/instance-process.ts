/** The one process of an instance for tests without a model. The simulator shares its event loop. */
import { optionCode, type InstanceStart } from "./contract/process/instance-start.ts";
import type { FromService } from "./contract/process/process-messages.ts";
import { firstMessage } from "./process/lifetime/parent-channel.ts";
import type { Start } from "./process/lifetime/read-start.ts";
import { absolutePaths, resolveSettings } from "./process/settings/read-settings.ts";
import { startProviderHere } from "./provider/start-here.ts";
import { runApp } from "./run-app.ts";
import { prepareDataDir } from "./supervisor/data-directory/prepare-data-dir.ts";

/** Ends the process at an option that is not valid. */
function refuse(error: unknown): Promise<never> {
  const { message } = error as Error;
  process.send?.({ type: "failed", code: optionCode, message } satisfies FromService, () => process.exit(1));
  return new Promise(() => undefined);
}

async function readInstance(): Promise<Start> {
  const { values, folder, token, variables } = (await firstMessage()) as InstanceStart;
  Object.assign(process.env, variables);
  const settings = resolveSettings(absolutePaths(values, process.cwd()), {}, folder);
  prepareDataDir(settings);
  return { settings, token };
}

/** Runs the process until its parent, or a signal, ends it. */
export const runInstanceProcess = (): Promise<void> =>
  runApp(startProviderHere, async () => readInstance().catch(refuse));
