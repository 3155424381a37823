/**
 * Restricts the targets of requests on an asker's behalf. A program on this machine could connect anywhere itself.
 * Callers on other machines reach only public addresses, their own, and those in the setting allowed_targets.
 */
import { lookup as systemLookup } from "node:dns/promises";
import type { LookupAddress } from "node:dns";
import { BlockList, isIP } from "node:net";
import { plainAddress } from "../connection/peer/addresses.ts";
import { HttpError } from "../http-error.ts";
import { addNetwork, isIn, reachOf } from "./address-reach.ts";
import type { Asker } from "./asker.ts";

/** An asker on another machine requested a forbidden target. */
export class TargetRefused extends HttpError {
  constructor(host: string) {
    super(
      403,
      "target_refused",
      `${host} is not called on behalf of other machines. To allow it, add it to the setting allowed_targets (--allowed-targets ${host}).`,
    );
  }
}

export type Lookup = (host: string, options: { readonly all: true }) => Promise<LookupAddress[]>;

export interface Targets {
  /**
   * The allowed addresses of the URL's host for the asker; empty when the name has none.
   * @throws TargetRefused when all addresses are forbidden
   */
  addressesOf(url: URL, asker: Asker): Promise<readonly LookupAddress[]>;
}

/** The host of a URL without the brackets of an address. */
export const hostOf = ({ hostname }: URL): string => hostname.replace(/^\[(.*)\]$/, "$1");

interface Rules {
  readonly names: ReadonlySet<string>;
  readonly domains: readonly string[];
  readonly networks: BlockList;
  /** Single addresses in the setting. Only these may be an address of this machine. */
  readonly single: BlockList;
}

function rulesOf(allowed: readonly string[]): Rules {
  const [networks, single] = [new BlockList(), new BlockList()];
  const names = new Set<string>();
  for (const entry of allowed) {
    if (isIP(entry) !== 0) addNetwork(single, entry);
    else if (entry.includes("/")) addNetwork(networks, entry);
    else names.add(entry.toLowerCase().replace(/\.$/, ""));
  }
  return { names, domains: [...names].filter((name) => name.startsWith(".")), networks, single };
}

/** @param allowed the setting allowed_targets @param lookup by default the system's */
export function createTargets(allowed: readonly string[], lookup: Lookup = systemLookup): Targets {
  const { names, domains, networks, single } = rulesOf(allowed);
  const isNamed = (host: string) =>
    names.has(host) || domains.some((domain) => host.endsWith(domain) || host === domain.slice(1));

  function mayReach(address: string, asker: { readonly address: string | undefined }): boolean {
    const plain = plainAddress(address);
    const reach = reachOf(plain);
    if (reach === "public" || isIn(single, plain)) return true;
    return reach === "private" && (plain === asker.address || isIn(networks, plain));
  }

  async function resolve(host: string): Promise<LookupAddress[]> {
    const family = isIP(host);
    if (family !== 0) return [{ address: host, family }];
    return lookup(host, { all: true }).catch(() => []);
  }

  return {
    async addressesOf(url, asker) {
      const host = hostOf(url);
      const found = await resolve(host);
      if (asker === "here" || isNamed(host.replace(/\.$/, ""))) return found;
      const allowedOnes = found.filter(({ address }) => mayReach(address, asker));
      if (found.length > 0 && allowedOnes.length === 0) throw new TargetRefused(host);
      return allowedOnes;
    },
  };
}
