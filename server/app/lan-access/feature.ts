import type { LanInterface } from "../../contract/console/machine/lan-access-endpoints.ts";
import { bindsLoopback } from "../../contract/own-url.ts";
import type { EventKernel, Feature } from "../../kernel/feature.ts";
import type { ServerLimits } from "../../http/connection/server-limits.ts";
import { LanAccess, type LanHttps } from "./lan-access.ts";
import { lanConsoleRoutes } from "./lan-console-routes.ts";
import { lanInterfaces } from "./lan-interfaces.ts";
import type { LanTables } from "./lan-tables.ts";
import { offeredServices, type ServiceDeps } from "./offered-services.ts";

interface Ports extends Omit<ServiceDeps, "corsOrigins"> {
  /** Called when devices reach the simulator elsewhere, or nowhere: undefined. */
  readonly onProviderUrl: (url: string | undefined) => void;
  /** The network interfaces of this machine; those of the system by default. */
  readonly interfaces: (() => LanInterface[]) | undefined;
  /** Undefined where devices are answered by HTTP alone. */
  readonly openHttps: (() => LanHttps) | undefined;
  readonly limits: ServerLimits;
}

/** The door for devices of the local network. */
export const lanAccessFeature: Feature<EventKernel<LanTables>, Ports, LanAccess> = {
  name: "lan-access",
  consoleTags: { "lan-access": "Phones and other devices on the local network: the switch, and the admitted devices." },
  async open(
    { settings, database, bus, log },
    { interfaces = lanInterfaces, openHttps, onProviderUrl, limits, ...ports },
  ) {
    const lanAccess = await LanAccess.open({
      db: database.db,
      services: offeredServices({ ...ports, corsOrigins: settings.cors_origins }),
      interfaces,
      onProviderUrl,
      openedByHost: !bindsLoopback(settings.host),
      limits,
      https: openHttps?.(),
      bus,
      log,
      now: Date.now, // whoever moves the simulated clock must let nobody in or out
    });
    return {
      consoleRoutes: lanConsoleRoutes(lanAccess),
      start: () => void lanAccess.start(),
      port: lanAccess,
    };
  },
};
