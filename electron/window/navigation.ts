/** Decides which addresses the window shows, and which links go to the browser. */

/** The path as the server compares it: in any case, but not decoded. Undefined for an address outside `origin`. */
function pathAt(url: string, origin: string | undefined): string | undefined {
  const parsed = URL.parse(url);
  return origin !== undefined && parsed?.origin === origin ? parsed.pathname.toLowerCase() : undefined;
}

const isBelow = (path: string | undefined, folder: string) =>
  path === folder || path?.startsWith(`${folder}/`) === true;

/** Whether an address is a console page. The console's API is not: its responses must never be shown as a page. */
export function isConsolePage(url: string, origin: string | undefined): boolean {
  const path = pathAt(url, origin);
  return isBelow(path, "/console") && !isBelow(path, "/console/api");
}

/** Whether the console shows an address in a frame: the interactive API description of the application server. */
export const isFramedPage = (url: string, appOrigin: string | undefined): boolean =>
  url === "about:blank" || isBelow(pathAt(url, appOrigin), "/swagger");

/** A web address that may be opened in a browser: other schemes start programs. It must not hold a password. */
export function webAddress(url: string): string | undefined {
  const parsed = URL.parse(url);
  const isWeb = parsed?.protocol === "http:" || parsed?.protocol === "https:";
  return isWeb && parsed.username === "" && parsed.password === "" ? parsed.href : undefined;
}
