import { BlockList, isIP } from "node:net";
import { networkInterfaces } from "node:os";
import type { LanInterface } from "../../contract/console/machine/lan-access-endpoints.ts";

/** Names of interfaces of virtual machines, containers and tunnels: a phone is behind none of them. */
const virtual = /^(?:docker|br-|veth|virbr|vmnet|vboxnet|vethernet|utun|tun|tap|wg|tailscale|zt|awdl|llw|bridge)/i;
const isPrivate = /^(?:10\.|192\.168\.|172\.(?:1[6-9]|2\d|3[01])\.)/;
/** Addresses of one link only: browsers accept none of version 6. */
const isLinkLocal = /^(?:fe80:|169\.254\.)/i;

function likelihood({ name, address }: LanInterface): number {
  return (virtual.test(name) ? 0 : 4) + (isPrivate.test(address) ? 2 : 0) + (isIP(address) === 4 ? 1 : 0);
}

/**
 * The interfaces by which devices may reach this machine, the likeliest first; each with one address, of version 4 where it
 * has one: an address of version 6 may be reached from all over the world.
 */
export function lanInterfaces(): LanInterface[] {
  const found = Object.entries(networkInterfaces()).flatMap(([name, addresses = []]) => {
    const usable = addresses.filter(({ internal, address }) => !internal && !isLinkLocal.test(address));
    const chosen = usable.find(({ family }) => family === "IPv4") ?? usable[0];
    return chosen ? [{ name, address: chosen.address, network: chosen.cidr ?? chosen.address }] : [];
  });
  return found.sort((a, b) => likelihood(b) - likelihood(a));
}

/** Tells whether an address lies in the network of an address with a prefix. */
export function isInNetwork(address: string, network: string): boolean {
  const [base = "", prefix] = network.split("/", 2);
  if (prefix === undefined || isIP(address) !== isIP(base)) return false;
  const family = isIP(base) === 6 ? "ipv6" : "ipv4";
  const list = new BlockList();
  list.addSubnet(base, Number(prefix), family);
  return list.check(address, family);
}
