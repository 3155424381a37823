import type { Settings } from "../../contract/process/settings.ts";

/** The settings of the ports that a run listens at. */
export const portsOf = ({ stand_in }: Settings) =>
  ["app_port", "console_port", "provider_port", "model_port", ...(stand_in ? ["stand_in_port" as const] : [])] as const;

/** Settings that name the same port, which only one service could use. */
export function samePort(settings: Settings) {
  const names = portsOf(settings);
  const port = names.map((name) => settings[name]).find((one, at, all) => !!one && all.indexOf(one) < at);
  return port === undefined ? undefined : { port, names: names.filter((name) => settings[name] === port) };
}
