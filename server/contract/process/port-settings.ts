/** The settings for the ports that Hearth listens at. */
import { port } from "./setting-values.ts";

/** The console's port unless another is set. */
export const defaultConsolePort = 3082;

/** Whether a setting puts other content at an origin where browsers keep what the console has stored. */
export const takesConsolesPort = (name: string, value: unknown, consolePort: unknown = defaultConsolePort): boolean =>
  name.endsWith("_port") && name !== "console_port" && Number(value) === Number(consolePort);

export const portSettings = {
  app_port: port.default(3080).describe("Port of the application server. 0: any free port."),
  console_port: port
    .optional()
    .describe(
      `Port of the console, which has a separate origin. Default: ${String(defaultConsolePort)}, or the next free port. With app_port 0: any free port.`,
    ),
  provider_port: port.default(3081).describe("Port of the platform simulator. 0: any free port."),
  model_port: port.default(11_434).describe("Port of the model service. 0: any free port."),
};
