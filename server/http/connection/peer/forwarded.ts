/**
 * Trusts listed proxies about the requests that they pass on: their sender, scheme and host. Such a request never
 * counts as one of this machine: caller.ts recognizes it as forwarded, whatever its headers say.
 */
import type { IncomingMessage } from "node:http";
import { BlockList, isIP } from "node:net";
import type { Middleware } from "../../middleware.ts";
import { addNetwork, isIn } from "../../outgoing/address-reach.ts";
import { plainAddress } from "./addresses.ts";
import { setCaller, setHost } from "./caller.ts";

/** The sender of a request as one proxy reports it. An empty address is unknown. */
interface Hop {
  readonly address: string;
  readonly scheme?: string | undefined;
  readonly host?: string | undefined;
}

const partsOf = (text: string, separator: string) => text.split(separator).map((part) => part.trim());
const unquoted = (text: string) => text.replaceAll('"', "");

/** The address in `192.0.2.1`, `192.0.2.1:443`, `2001:db8::1` and `[2001:db8::1]:443`; empty for a name or nothing. */
function addressIn(text: string): string {
  const bare = unquoted(text);
  if (isIP(bare) !== 0) return bare;
  const end = bare.startsWith("[") ? bare.indexOf("]") : bare.lastIndexOf(":");
  const address = bare.startsWith("[") ? bare.slice(1, Math.max(1, end)) : bare.slice(0, Math.max(0, end));
  return isIP(address) === 0 ? "" : address;
}

/** The hops of `Forwarded` (RFC 7239), the first one first. */
function standardHops(header: string): Hop[] {
  return partsOf(header, ",").map((element) => {
    const pairs = new Map(
      partsOf(element, ";").map((pair) => {
        const [name = "", value = ""] = partsOf(pair, "=");
        return [name.toLowerCase(), value];
      }),
    );
    const host = pairs.get("host");
    return {
      address: addressIn(pairs.get("for") ?? ""),
      scheme: pairs.get("proto"),
      host: host && unquoted(host),
    };
  });
}

/** The hops of `X-Forwarded-For`. Scheme and host come from the nearest proxy. */
function usualHops({ headers }: IncomingMessage, list: string): Hop[] {
  const last = (name: string) => partsOf([headers[name] ?? []].flat().join(","), ",").at(-1) || undefined;
  const [scheme, host] = [last("x-forwarded-proto"), last("x-forwarded-host")];
  return partsOf(list, ",").map((entry) => ({ address: addressIn(entry), scheme, host }));
}

/** Without `X-Forwarded-For`, `Forwarded` counts: a proxy that writes one of them may leave the other as the client sent it. */
function hopsOf(req: IncomingMessage): Hop[] {
  const { "x-forwarded-for": list, forwarded } = req.headers;
  if (list !== undefined) return usualHops(req, [list].flat().join(","));
  return forwarded === undefined ? [] : standardHops(forwarded);
}

/** @param proxies addresses and networks (CIDR), the setting trusted_proxies; undefined without any */
export function believeProxies(proxies: readonly string[]): Middleware | undefined {
  if (proxies.length === 0) return undefined;
  const list = new BlockList();
  for (const one of proxies) addNetwork(list, one);
  const isListed = (address: string) => isIP(address) !== 0 && isIn(list, address);
  return (req, _res, next) => {
    const hops = isListed(plainAddress(req.socket.remoteAddress ?? "")) ? hopsOf(req) : [];
    // Only entries of listed proxies are trusted: the nearest address that is not listed is the sender.
    const asker = hops.findLast(({ address }) => !isListed(address)) ?? hops[0];
    if (asker) {
      setCaller(req, asker.address, asker.scheme?.toLowerCase() === "https");
      if (asker.host !== undefined) setHost(req, asker.host);
    }
    next();
  };
}
