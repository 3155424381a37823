/** Hearth in the place of the real platform's hosts: one port for a proxy, and for their HTTPS. */
import { platformHosts } from "../contract/platform-hosts.ts";
import type { Authority } from "./certificates.ts";
import { createDestinations } from "./destinations.ts";
import { listenAsProxy } from "./proxy.ts";
import { serverContext } from "./server-context.ts";

interface StandInOptions {
  /** The simulator's base URL. */
  readonly provider: string;
  /** The run's console token, with which the simulator trusts the reported client certificate. */
  readonly consoleToken: string;
  /** Certifies the hosts. */
  readonly authority: Authority;
  /** The setting stand_in_passes. */
  readonly passes: readonly string[];
  /** 0: any free one. */
  readonly port: number;
  /** Called once for each refused host. */
  readonly onRefused: (host: string) => void;
  /** Unix ms. */
  readonly at: number;
}

/** @throws PortInUseError */
export async function openStandIn({ authority, passes, onRefused, at, ...options }: StandInOptions) {
  const context = serverContext(authority, platformHosts, at);
  const refused = new Set<string>();
  return listenAsProxy({
    ...options,
    contextFor: () => context,
    destinationOf: createDestinations(passes),
    onRefused(host) {
      if (!refused.has(host)) onRefused(host);
      refused.add(host);
    },
  });
}
