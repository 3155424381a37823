/** What the services ask of a peer's or a listener's address. */
import { BlockList, isIP } from "node:net";
import { networkInterfaces } from "node:os";

const loopback = new BlockList();
loopback.addSubnet("127.0.0.0", 8, "ipv4");
loopback.addAddress("::1", "ipv6");
loopback.addSubnet("::ffff:127.0.0.0", 104, "ipv6");

/** True for 127.0.0.0/8 and ::1, in any spelling. Not for names. */
export const isLoopbackAddress = (address: string) => {
  const version = isIP(address);
  return version !== 0 && loopback.check(address, version === 6 ? "ipv6" : "ipv4");
};

const near = new BlockList();
near.addSubnet("10.0.0.0", 8, "ipv4");
near.addSubnet("172.16.0.0", 12, "ipv4");
near.addSubnet("192.168.0.0", 16, "ipv4");
near.addSubnet("fc00::", 7, "ipv6");
near.addAddress("0.0.0.0", "ipv4");
near.addAddress("::", "ipv6");

/** True for addresses of this machine and of private networks, and for the unspecified one. Not for names. */
export function isNearAddress(address: string): boolean {
  const version = isIP(address);
  if (version === 0) return false;
  if (isLoopbackAddress(address) || near.check(address, version === 6 ? "ipv6" : "ipv4")) return true;
  return Object.values(networkInterfaces()).some((one) => one?.some((own) => own.address === address));
}

/** True when a listener on this host can be reached from this machine only. */
export const bindsLoopback = (host: string) => host === "localhost" || isLoopbackAddress(host);

/** Base URL at which a listener on `host` answers from this machine. */
export function urlOf(host: string, port: number): string {
  const name = host === "0.0.0.0" || host === "" ? "127.0.0.1" : host === "::" ? "::1" : host;
  return `http://${isIP(name) === 6 ? `[${name}]` : name}:${String(port)}`;
}

/** Base URL for other machines: of the first address in the network where the listener is open to all, else as `urlOf`. */
export function networkUrlOf(host: string, port: number): string {
  const isOpen = host === "0.0.0.0" || host === "::" || host === "";
  const addresses = isOpen ? Object.values(networkInterfaces()).flatMap((one) => one ?? []) : [];
  const outward = addresses.find(({ family, internal }) => family === "IPv4" && !internal);
  return outward ? `http://${outward.address}:${String(port)}` : urlOf(host, port);
}
