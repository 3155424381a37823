/** Requests that Hearth sends for somebody: each goes to the address that was looked at, or is refused. */
import { lookup, type LookupAddress } from "node:dns";
import type { AgentOptions, ClientRequest } from "node:http";
import type { RequestOptions } from "node:https";
import type { LookupFunction } from "node:net";
import { urlToHttpOptions } from "node:url";
import { keepConnections } from "../connection/connections.ts";
import { reachOf } from "./address-reach.ts";
import type { Asker } from "./asker.ts";
import { hostOf, type Targets } from "./targets.ts";

interface Options {
  readonly targets: Targets;
  readonly agent?: AgentOptions;
  /** Takes certificates for which nobody vouches, as people make them for receivers of their own: from private addresses. */
  readonly takesOwnCertificates?: boolean;
}

export interface OutgoingRequests {
  /** Begins a request. @throws TargetRefused */
  begin(asker: Asker, url: URL, options: RequestOptions): Promise<ClientRequest>;
  /** Ends all connections, those in use too. */
  destroy(): void;
}

/** Leads to these addresses and no other, whatever the name means by now. Another name is that of a proxy in between. */
const pinned =
  (host: string, addresses: readonly LookupAddress[]): LookupFunction =>
  (name, options, done) => {
    if (name !== host) return lookup(name, options, done);
    const [first] = addresses;
    if (!first) done(Object.assign(new Error(`${host} is not known`), { code: "ENOTFOUND" }), "", 0);
    else if (options.all) done(null, [...addresses]);
    else done(null, first.address, first.family);
  };

export function createOutgoingRequests({
  targets,
  agent = {},
  takesOwnCertificates = false,
}: Options): OutgoingRequests {
  const kept = keepConnections(agent);
  // A connection that was made for somebody else may lead to where this one may not go.
  const single = keepConnections({ ...agent, keepAlive: false });

  return {
    async begin(asker, url, options) {
      const request = { ...urlToHttpOptions(url), ...options };
      const isEncrypted = url.protocol === "https:";
      if (asker === "here" && !(isEncrypted && takesOwnCertificates)) return kept.request(url.protocol, request);
      const addresses = await targets.addressesOf(url, asker);
      const isPrivate = addresses.length > 0 && addresses.every(({ address }) => reachOf(address) !== "public");
      return (asker === "here" ? kept : single).request(url.protocol, {
        ...request,
        lookup: pinned(hostOf(url), addresses),
        ...(isEncrypted && takesOwnCertificates && isPrivate && { rejectUnauthorized: false }),
      });
    },
    destroy() {
      kept.destroy();
      single.destroy();
    },
  };
}
