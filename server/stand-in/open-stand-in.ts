/** Hearth in the place of the real platform's hosts: an authority, their HTTPS, and the proxy that leads to it. */
import { mkdirSync } from "node:fs";
import { createAuthority } from "./certificates.ts";
import { commandEnvironment } from "./command-environment.ts";
import { createDestinations } from "./destinations.ts";
import { listenAsProxy } from "./proxy.ts";
import { listenByTls } from "./tls-listener.ts";

interface StandInOptions {
  /** The simulator's base URL. */
  readonly provider: string;
  /** The setting stand_in_passes. */
  readonly passes: readonly string[];
  /** For the files that the command's variables name. */
  readonly folder: string;
  /** The environment that the command gets otherwise. */
  readonly env: NodeJS.ProcessEnv;
  /** Called once for each host that requests are refused for. */
  readonly onRefused: (host: string) => void;
  /** Unix ms. */
  readonly at: number;
}

export async function openStandIn({ provider, passes, folder, env, onRefused, at }: StandInOptions) {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const authority = createAuthority(at);
  const tls = await listenByTls(provider, authority, at);
  const refused = new Set<string>();
  const proxy = await listenAsProxy({
    provider,
    tlsPort: tls.port,
    destinationOf: createDestinations(passes),
    onRefused(host) {
      if (!refused.has(host)) onRefused(host);
      refused.add(host);
    },
  });
  return {
    /** Variables that send a command's requests through the proxy. */
    env: commandEnvironment({ proxy: proxy.url, certificate: authority.certificate, folder, env, at }),
    async close(): Promise<void> {
      await Promise.all([proxy.close(), tls.close()]);
    },
  };
}
