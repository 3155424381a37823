/** Decides the destination of a request for a host. */
import { isIP } from "node:net";
import { platformHosts } from "../contract/platform-hosts.ts";
import { reachOf } from "../http/outgoing/address-reach.ts";

/** `simulator`: Hearth stands in for it. `itself`: the request goes to that host. `nowhere`: it is refused. */
export type Destination = "simulator" | "itself" | "nowhere";

const localDomains = [".localhost", ".local"];

/** Whether a host is not on the public internet. Names without a dot belong to a local network, or to containers. */
function isPrivate(name: string): boolean {
  // A number is an address, too: 134744072 is 8.8.8.8.
  const read = isIP(name) === 0 ? URL.parse(`http://${name}`)?.hostname : name;
  if (read !== undefined && isIP(read) !== 0) return reachOf(read) !== "public";
  return read === name && (!name.includes(".") || localDomains.some((domain) => name.endsWith(domain)));
}

/** A host in lower case, without the dot at its end and the brackets of an address. */
export const plainHost = (host: string): string =>
  host
    .toLowerCase()
    .replace(/^\[(.*)\]$/, "$1")
    .replace(/\.$/, "");

/** @param passes the setting stand_in_passes; Hearth stands in for its hosts even if they are listed */
export function createDestinations(passes: readonly string[]): (host: string) => Destination {
  const passed = passes.map(plainHost);
  const isPassed = (name: string) =>
    passed.some((one) => name === one || (one.startsWith(".") && (name.endsWith(one) || name === one.slice(1))));
  return (host) => {
    const name = plainHost(host);
    if (platformHosts.includes(name)) return "simulator";
    return isPrivate(name) || isPassed(name) ? "itself" : "nowhere";
  };
}

/** Why a host is refused, and what would let it through. */
export const refusalOfHost = (host: string): string =>
  `Hearth stands in for ${platformHosts.join(", ")}, and blocks requests to ${host}. To allow them, add the host to the setting stand_in_passes (--stand-in-passes ${host}).`;
