/** Requests that Hearth sends on an asker's behalf. Each one goes to the address that was checked, or is refused. */
import { lookup, type LookupAddress } from "node:dns";
import type { ClientRequest } from "node:http";
import type { LookupFunction } from "node:net";
import { urlToHttpOptions } from "node:url";
import { keepConnections, type ConnectionOptions, type OutgoingOptions } from "../connection/connections.ts";
import { reachOf } from "./address-reach.ts";
import type { Asker } from "./asker.ts";
import { hostOf, type Targets } from "./targets.ts";

interface Options {
  readonly targets: Targets;
  readonly agent?: ConnectionOptions;
  /** Accepts self-signed certificates, as people use for receivers of their own, from private addresses. */
  readonly takesOwnCertificates?: boolean;
}

/** Resolves the host to the checked addresses only, whatever the name means by now. Another name is that of a proxy. */
const pinned =
  (host: string, addresses: readonly LookupAddress[]): LookupFunction =>
  (name, options, done) => {
    if (name !== host) return lookup(name, options, done);
    const [first] = addresses;
    if (!first) done(Object.assign(new Error(`${host} is not known`), { code: "ENOTFOUND" }), "", 0);
    else if (options.all) done(null, [...addresses]);
    else done(null, first.address, first.family);
  };

export function createOutgoingRequests({ targets, agent = {}, takesOwnCertificates = false }: Options) {
  const kept = keepConnections(agent);
  // A connection made for another asker may lead to a target that is forbidden to this one.
  const single = keepConnections({ ...agent, keepAlive: false });

  return {
    /** Starts a request. @throws TargetRefused */
    async begin(asker: Asker, url: URL, options: OutgoingOptions): Promise<ClientRequest> {
      // In a timer's turn, a request could get its socket or error before its caller listens.
      await Promise.resolve();
      const request: OutgoingOptions = { ...urlToHttpOptions(url), ...options, headers: options.headers };
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
    /** Closes all connections, active ones too. */
    destroy(): void {
      kept.destroy();
      single.destroy();
    },
  };
}
export type OutgoingRequests = ReturnType<typeof createOutgoingRequests>;
