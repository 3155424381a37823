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
