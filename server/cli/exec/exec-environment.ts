import type { ReadyFileContent } from "../../supervisor/ready-file.ts";

/** The variables by which a command finds the Hearth that was started for it. */
export const environmentOf = ({ app, provider, model, console }: ReadyFileContent, token: string) => ({
  HEARTH_APP_URL: app,
  HEARTH_PROVIDER_URL: provider,
  HEARTH_MODEL_URL: model ?? "",
  HEARTH_CONSOLE_URL: console,
  HEARTH_TOKEN: token,
});
