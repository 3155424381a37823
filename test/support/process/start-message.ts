/** The first message of the parent, for tests that fork a service themselves. */
import { join } from "node:path";
import type { StartMessage } from "../../../server/contract/process/process-messages.ts";
import type { Settings } from "../../../server/contract/process/settings.ts";
import { configFileName } from "../../../server/process/settings/config-file.ts";
import { resolveSettings } from "../../../server/process/settings/read-settings.ts";

export const startMessage = (settings: Settings, more: Partial<StartMessage> = {}): StartMessage => ({
  type: "start",
  settings,
  origins: { file: join(settings.data_dir, configFileName), origins: {} },
  variables: {},
  ...more,
});

/** What a service that somebody starts by hand would read from its environment. */
export const startOfEnvironment = (env: NodeJS.ProcessEnv): StartMessage =>
  startMessage(resolveSettings({}, env), {
    token: env["HEARTH_CONSOLE_TOKEN"],
    appUrl: env["HEARTH_APP_URL"],
    runnerSocket: env["HEARTH_RUNNER_SOCKET"],
  });
