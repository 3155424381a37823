import type { StartMessage } from "../contract/process/process-messages.ts";
import type { ServiceName } from "../contract/process/services.ts";
import { secretSettings, settingsSchema, type SettingName, type Settings } from "../contract/process/settings.ts";
import { projectPathProblem } from "../process/settings/project-paths.ts";
import type { SettingOrigins } from "../process/settings/read-settings.ts";
import { secretVariables } from "./processes/process-environment.ts";

interface StartContext {
  /** With the ports that the services have now. */
  readonly settings: Settings;
  readonly origins: SettingOrigins;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly appUrl: string | undefined;
  readonly token: string;
  readonly runnerSocket: string;
}

/**
 * The first message to a service. The runner executes foreign weights, so it gets no secret.
 * @throws Error for a file that a project names outside its folder
 */
export function buildStartMessage(name: ServiceName, context: StartContext): StartMessage {
  const { settings, origins, env, appUrl, token, runnerSocket } = context;
  const problem = projectPathProblem(settings, origins);
  if (problem !== undefined) throw new Error(problem);
  const variables = secretVariables(name, env, settings);
  const start = { type: "start", settings, origins: { ...origins }, variables, appUrl } as const;
  if (name === "app") return { ...start, token };
  if (name === "model") return { ...start, token, runnerSocket };
  const { project: _project, ...harmless } = origins;
  const isHarmless = ([setting]: [string, unknown]) => !secretSettings.has(setting as SettingName);
  const withoutSecrets = settingsSchema.parse(Object.fromEntries(Object.entries(settings).filter(isHarmless)));
  return { ...start, settings: withoutSecrets, origins: harmless, runnerSocket };
}
