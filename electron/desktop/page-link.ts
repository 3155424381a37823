/** Links of the scheme `hearth:`: `hearth://file-events` shows that page of the console. They never act. */
import { consolePages, type ConsolePage } from "../../server/contract/console/console-pages.ts";

export const linkScheme = "hearth";

/** The page that a link shows, whatever else stands in it; undefined if there is none. */
export function pageOfLink(link: string): ConsolePage | undefined {
  const url = URL.parse(link);
  if (url?.protocol !== `${linkScheme}:`) return undefined;
  const name = `${url.host}${url.pathname}`.replaceAll("/", "");
  if (name === "") return undefined;
  return name === "overview" ? "/" : consolePages.find((page) => page === `/${name}`);
}

export const isLink = (argument: string) => argument.toLowerCase().startsWith(`${linkScheme}:`);
