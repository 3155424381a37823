/**
 * Where a request may go that Hearth sends for somebody: a program on this machine could go anywhere itself; whoever is
 * beyond it reaches through Hearth what the internet reaches, himself, and what the setting allowed_targets names.
 */
import { lookup as systemLookup } from "node:dns/promises";
import type { LookupAddress } from "node:dns";
import { BlockList, isIP } from "node:net";
import { plainAddress } from "../connection/addresses.ts";
import { HttpError } from "../http-error.ts";
import { addNetwork, isIn, reachOf } from "./address-reach.ts";
import type { Asker } from "./asker.ts";

/** Somebody beyond this machine asked for a request to where he may not go. */
export class TargetRefused extends HttpError {
  constructor(host: string) {
    super(
      403,
      "target_refused",
      `${host} is not asked for somebody on another machine. If it shall be, name it in the setting allowed_targets (--allowed-targets ${host}).`,
    );
  }
}

export type Lookup = (host: string, options: { readonly all: true }) => Promise<LookupAddress[]>;

export interface Targets {
  /**
   * The addresses of the URL's host that may be asked for the asker; empty where the name has none.
   * @throws TargetRefused where it has others only
   */
  addressesOf(url: URL, asker: Asker): Promise<readonly LookupAddress[]>;
}

/** The host of a URL without the brackets of an address. */
export const hostOf = ({ hostname }: URL): string => hostname.replace(/^\[(.*)\]$/, "$1");

interface Rules {
  readonly names: ReadonlySet<string>;
  readonly domains: readonly string[];
  readonly networks: BlockList;
  /** What the setting names one by one: only so may it be an address of this machine. */
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

/** @param allowed the setting allowed_targets @param lookup that of the system unless given */
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
