/** Which servers the program may call: the platform's domain list and its HTTPS rule. */
import { isIP } from "node:net";
import { wrongParameter, wxFailures } from "../../../contract/mini-program/wx-failures.ts";
import { failed } from "../answer.ts";
import type { ServerDomains } from "../wx.ts";

/** Never a server of a program: its secrets belong to the program's own server. */
const platformHost = "api.weixin.qq.com";

/** Whether a configured domain allows the address. `wss` domains allow every port. */
function isListed(url: URL, domain: string): boolean {
  const listed = URL.parse(domain);
  if (listed?.protocol !== url.protocol || listed.hostname !== url.hostname) return false;
  return url.protocol === "wss:" || listed.port === url.port;
}

/**
 * @param domains without them, every server may be called
 * @throws WxError when it is no address, or may not be called
 */
export function checkedUrl(api: keyof ServerDomains, text: unknown, domains: ServerDomains | undefined): URL {
  if (typeof text !== "string") throw failed(api, wrongParameter("url", "String", text));
  const url = URL.parse(text);
  const protocols = api === "connectSocket" ? ["ws:", "wss:"] : ["http:", "https:"];
  if (!url || !protocols.includes(url.protocol))
    throw failed(api, { ...wxFailures.invalidUrl, text: `invalid url "${text}"` });
  if (domains === undefined) return url;
  const isSecure = url.protocol === "https:" || url.protocol === "wss:";
  const isName = isIP(url.hostname) === 0 && url.hostname !== "localhost" && url.hostname !== platformHost;
  if (isSecure && isName && domains[api]?.some((domain) => isListed(url, domain))) return url;
  throw failed(api, wxFailures.notInDomainList);
}
