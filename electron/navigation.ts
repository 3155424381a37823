/** Which addresses the window shows, and which links it hands to the browser. */

/** The path as the server compares it; undefined for what is no address of `origin`. */
function pathAt(url: string, origin: string | undefined): string | undefined {
  const parsed = URL.parse(url);
  if (origin === undefined || parsed?.origin !== origin) return undefined;
  try {
    return decodeURIComponent(parsed.pathname).toLowerCase();
  } catch {
    return undefined;
  }
}

const isBelow = (path: string | undefined, folder: string) =>
  path === folder || path?.startsWith(`${folder}/`) === true;

/** A page of the console. Its API is none: what it passes on from other services must not become a page. */
export function isConsolePage(url: string, origin: string | undefined): boolean {
  const path = pathAt(url, origin);
  return isBelow(path, "/console") && !isBelow(path, "/console/api");
}

/** What the console shows in a frame: the interactive description of the API. */
export const isFramedPage = (url: string, origin: string | undefined): boolean =>
  url === "about:blank" || isBelow(pathAt(url, origin), "/swagger");

/** An address that a browser may be given: of the web, for other kinds start programs, and without a password in it. */
export function webAddress(url: string): string | undefined {
  const parsed = URL.parse(url);
  const isWeb = parsed?.protocol === "http:" || parsed?.protocol === "https:";
  return isWeb && parsed.username === "" && parsed.password === "" ? parsed.href : undefined;
}
