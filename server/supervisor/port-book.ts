import { ownUrl, portOf } from "../contract/own-url.ts";
import type { ServiceName, ServiceStatus } from "../contract/process/services.ts";
import type { Settings } from "../contract/process/settings.ts";

type Ports = Pick<Settings, "app_port" | "console_port" | "provider_port" | "stand_in_port" | "model_port">;

const portSettings = {
  app: "app_port",
  console: "console_port",
  provider: "provider_port",
  stand_in: "stand_in_port",
  model: "model_port",
} as const;
const isListenerName = (name: string): name is keyof typeof portSettings => name in portSettings;

/** Records the services' ports. A port chosen for 0 stays the same when its service restarts. */
export function createPortBook(settings: Pick<Settings, keyof Ports | "host">) {
  const ports: Ports = {
    app_port: settings.app_port,
    console_port: settings.console_port,
    provider_port: settings.provider_port,
    stand_in_port: settings.stand_in_port,
    model_port: settings.model_port,
  };
  /** Where the application server answered before a restart moved it; known until it answers again. */
  let before: number | undefined;
  let standInPort = settings.stand_in_port;
  return {
    current: (): Ports => ({ ...ports }),
    /** Records where a service answers, unless it is external. */
    learn({ state, urls }: ServiceStatus): void {
      if (state !== "up") return;
      for (const [name, url] of Object.entries(urls)) if (isListenerName(name)) ports[portSettings[name]] = portOf(url);
      if (urls["app"] !== undefined) before = undefined;
    },
    /** Gives up a port that was chosen where none was set; false for any other. */
    giveUp(port: number): boolean {
      const setting = Object.values(portSettings).find((one) => ports[one] === port && !settings[one]);
      if (setting === "console_port") ports.console_port = settings.console_port;
      else if (setting !== undefined) ports[setting] = 0;
      return setting !== undefined;
    },
    /** Takes any free port in place of this one. */
    leave(port: number): void {
      for (const setting of Object.values(portSettings)) if (ports[setting] === port) ports[setting] = 0;
    },
    /** Takes over the stand-in's port from changed settings: no other service knows it. */
    take({ stand_in_port: port }: Readonly<Record<string, unknown>>): void {
      if (typeof port === "number" && port !== standInPort) ports.stand_in_port = standInPort = port;
    },
    move(name: ServiceName, port: number): void {
      if (name === "app") before ??= ports.app_port;
      if (isListenerName(name)) ports[portSettings[name]] = port;
    },
    /** Takes the application server back to where it answered before it was moved; false if it was not. */
    moveBack(): boolean {
      if (before === undefined) return false;
      ports.app_port = before;
      before = undefined;
      return true;
    },
    /** Where the application server answers, or will answer; undefined while its port is unknown. */
    appUrl(): string | undefined {
      if (ports.app_port === 0) return undefined;
      return ownUrl(settings.host, ports.app_port);
    },
  };
}
