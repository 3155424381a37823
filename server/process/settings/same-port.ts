import type { Settings } from "../../contract/process/settings.ts";

/** Settings that name the same port, of which one service alone could have it. */
export function samePort(settings: Settings) {
  const names = [
    "app_port",
    "provider_port",
    "model_port",
    ...(settings.stand_in ? ["stand_in_port" as const] : []),
  ] as const;
  const port = names.map((name) => settings[name]).find((one, at, all) => one !== 0 && all.indexOf(one) < at);
  return port === undefined ? undefined : { port, names: names.filter((name) => settings[name] === port) };
}
