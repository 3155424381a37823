import { message } from "../contract/messages/message.ts";
/** Path patterns, with which people select requests. */

/**
 * A pattern for one path: `*` is any text without a slash, `{name}` one whole segment, and `**` at the end the path and
 * everything below it. Case and a trailing slash are ignored, as in routes.
 */
export const pathPatternRule = message("is.pathPattern", { segment: "{name}" });

const partPattern = /^(?:\{\w+\}|[^{}*?#\s]*(?:\*[^{}*?#\s]*)?)$/;

/** True for a valid pattern. */
export function isPathPattern(text: string): boolean {
  if (!text.startsWith("/")) return false;
  const parts = text.slice(1).split("/");
  if (parts.at(-1) === "**") parts.pop();
  return parts.every((part) => partPattern.test(part));
}

const escaped = (text: string) => text.replace(/[.+^$()|[\]\\]/g, "\\$&");

/**
 * Makes a test for paths without query. It takes time in proportion to the path's length.
 * @throws Error for an invalid pattern
 */
export function createPathPattern(text: string): (path: string) => boolean {
  if (!isPathPattern(text)) throw new Error(`not a path pattern: ${text}`);
  const parts = text.slice(1).split("/");
  const everythingBelow = parts.at(-1) === "**";
  if (everythingBelow) parts.pop();
  const source = parts.map((part) => (part.startsWith("{") ? "/[^/]+" : `/${escaped(part).replace("*", "[^/]*")}`));
  const pattern = new RegExp(`^${source.join("").replace(/\/$/, "")}${everythingBelow ? "(?:/.*)?" : "/?"}$`, "is");
  return (path) => pattern.test(path);
}
