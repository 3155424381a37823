/** Properties of a peer's or a listener's address. */
import { BlockList, isIP, SocketAddress } from "node:net";
import { networkInterfaces } from "node:os";
import { bindsAll, bindsLoopback, httpUrl } from "../../../contract/own-url.ts";

let loopback: BlockList | undefined;
function createLoopback(): BlockList {
  const list = new BlockList();
  list.addSubnet("127.0.0.0", 8, "ipv4");
  list.addAddress("::1", "ipv6");
  list.addSubnet("::ffff:127.0.0.0", 104, "ipv6");
  return list;
}

/** The usual peers, checked first because a list takes longer. */
const usual = new Set(["127.0.0.1", "::1", "::ffff:127.0.0.1"]);

/** True for 127.0.0.0/8 and ::1, in any spelling, but not for names. */
export const isLoopbackAddress = (address: string) => {
  if (usual.has(address)) return true;
  const version = isIP(address);
  return version !== 0 && (loopback ??= createLoopback()).check(address, version === 6 ? "ipv6" : "ipv4");
};

/**
 * The address in its canonical spelling: IPv4 without the IPv6 prefix that a listener on all addresses sees, IPv6 in
 * short and lower case, and without an interface. Other texts stay as they are.
 */
export function plainAddress(address: string): string {
  const bare = address.split("%", 1)[0] ?? "";
  if (isIP(bare) !== 6) return bare;
  return new SocketAddress({ address: bare, family: "ipv6" }).address.replace(/^::ffff:(?=\d+\.)/, "");
}

/** True for loopback and the current addresses of this machine's interfaces, but not for names. */
export function isOwnAddress(address: string): boolean {
  if (isLoopbackAddress(address)) return true;
  const plain = plainAddress(address);
  return Object.values(networkInterfaces()).some((one) => one?.some((own) => plainAddress(own.address) === plain));
}

/** Base URLs for other machines of a listener on `host`; none for a loopback address. */
export function networkUrls(host: string, port: number): string[] {
  if (bindsLoopback(host)) return [];
  if (!bindsAll(host)) return [httpUrl(host, port)];
  return Object.values(networkInterfaces())
    .flatMap((addresses) => addresses ?? [])
    .filter(({ family, internal }) => family === "IPv4" && !internal)
    .map(({ address }) => httpUrl(address, port));
}
