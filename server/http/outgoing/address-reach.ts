/** Classifies addresses by their reach, for the rules of outgoing requests. */
import { BlockList, isIP } from "node:net";
import { isOwnAddress, plainAddress } from "../connection/peer/addresses.ts";

/**
 * `local`: this machine, or its link without routing (where clouds provide credentials). `private`: networks outside of
 * the internet. `public`: all others.
 */
export type Reach = "local" | "private" | "public";

/** A list that is created when it is first used, because a snapshot cannot hold one. */
function blockList(...networks: readonly string[]): () => BlockList {
  let list: BlockList | undefined;
  return () => {
    if (list === undefined) {
      list = new BlockList();
      for (const network of networks) addNetwork(list, network);
    }
    return list;
  };
}

/** Adds an address, or a network as CIDR. */
export function addNetwork(list: BlockList, text: string): void {
  const [address = "", prefix] = text.split("/");
  const family = isIP(address) === 6 ? "ipv6" : "ipv4";
  if (prefix === undefined) list.addAddress(address, family);
  else list.addSubnet(address, Number(prefix), family);
}

export const isIn = (list: BlockList, address: string): boolean =>
  list.check(address, isIP(address) === 6 ? "ipv6" : "ipv4");

const localNetworks = blockList("0.0.0.0/8", "127.0.0.0/8", "169.254.0.0/16", "::", "::1", "fe80::/10");

/** Not globally reachable by the registries of special-purpose addresses. */
const privateNetworks = blockList(
  ...["10.0.0.0/8", "100.64.0.0/10", "172.16.0.0/12", "192.168.0.0/16", "192.0.0.0/24", "198.18.0.0/15"],
  ...["192.0.2.0/24", "198.51.100.0/24", "203.0.113.0/24", "192.88.99.0/24", "224.0.0.0/4", "240.0.0.0/4"],
  ...["fc00::/7", "fec0::/10", "ff00::/8", "100::/64", "2001::/23", "2001:db8::/32", "3fff::/20", "5f00::/16"],
  "64:ff9b:1::/48",
);

/** The eight numbers of an IPv6 address. */
function groupsOf(address: string): number[] {
  // Normalized to a form without an IPv4 part.
  const { hostname } = new URL(`http://[${address}]`);
  const [head = "", tail = ""] = hostname.slice(1, -1).split("::");
  const numbers = (text: string) => (text === "" ? [] : text.split(":").map((group) => Number.parseInt(group, 16)));
  const [before, after] = [numbers(head), numbers(tail)];
  return [...before, ...Array<number>(8 - before.length - after.length).fill(0), ...after];
}

/** The IPv4 address that an IPv6 address leads to: translated (NAT64), tunnelled (6to4) or mapped. */
function version4In(address: string): string | undefined {
  const groups = groupsOf(address);
  const begins = (...head: readonly number[]) => head.every((group, index) => groups[index] === group);
  const at = (index: number) =>
    [groups[index] ?? 0, groups[index + 1] ?? 0].flatMap((group) => [group >> 8, group & 255]).join(".");
  if (begins(0x2002)) return at(1);
  const wraps =
    begins(0x64, 0xff9b, 0, 0, 0, 0) ||
    begins(0, 0, 0, 0, 0, 0xffff) ||
    begins(0, 0, 0, 0, 0xffff, 0) ||
    begins(0, 0, 0, 0, 0, 0);
  return wraps ? at(6) : undefined;
}

/** @param address IPv4 or IPv6, in any spelling of sockets and resolvers */
export function reachOf(address: string): Reach {
  const plain = plainAddress(address);
  if (isIn(localNetworks(), plain) || isOwnAddress(plain)) return "local";
  const inner = isIP(plain) === 6 ? version4In(plain) : undefined;
  if (inner !== undefined) return reachOf(inner);
  return isIn(privateNetworks(), plain) ? "private" : "public";
}
