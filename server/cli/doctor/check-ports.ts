import { createServer } from "node:http";
import { loopback, ownUrl } from "../../contract/own-url.ts";
import { defaultConsolePort } from "../../contract/process/port-settings.ts";
import { closed, listen, PortInUseError } from "../../http/connection/listen.ts";
import { portHolder } from "../../model/wire/ollama/port-holder.ts";
import { findings, type DoctorCheck, type DoctorContext, type Finding } from "./check.ts";

const services = {
  app: "app_port",
  console: "console_port",
  provider: "provider_port",
  model: "model_port",
  stand_in: "stand_in_port",
} as const;
type Listener = keyof typeof services;

async function checkPort(name: Listener, { settings, running }: DoctorContext): Promise<Finding> {
  const { ok, problem } = findings(services[name]);
  const { [services[name]]: port = settings.app_port === 0 ? 0 : defaultConsolePort } = settings;
  const host = name === "stand_in" ? loopback : settings.host;
  const at = running?.urls?.[name];
  if (at !== undefined) return ok(`used by this Hearth: ${at}`);
  if (port === 0) return ok("any free port");
  const flag = `--${services[name].replaceAll("_", "-")}`;
  const server = createServer();
  try {
    const { listeners } = await listen(server, { host, port });
    await Promise.all(listeners.map(closed));
    return ok(`${String(port)} is free`);
  } catch (error) {
    if (!(error instanceof PortInUseError))
      return problem(
        `Hearth cannot listen at ${host} port ${String(port)} (${(error as Error).message}): choose another port with ${flag}, or another address with --host`,
      );
    if (name === "console" && settings.console_port === undefined)
      return ok(`${String(port)} is used by another program: the console uses the next free port`);
    const holder = name === "model" ? await portHolder(host, port) : undefined;
    if (holder?.program === "Ollama")
      return ok(`an Ollama runs at ${holder.url}: Hearth uses it instead of its own models`);
    return problem(
      `${String(port)} is used by another program (${ownUrl(host, port)}): stop it, or choose another port with ${flag}`,
    );
  }
}

export const checkPorts: DoctorCheck = async function* (context) {
  for (const name of Object.keys(services) as Listener[])
    if (name !== "stand_in" || context.settings.stand_in) yield checkPort(name, context);
};
