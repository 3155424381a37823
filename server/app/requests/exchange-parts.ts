import type { Exchange } from "../../http/recording/request-recorder.ts";

/** The value of a header in a list of alternating names and values; `name` in lower case. Empty without one. */
export function valueIn(headers: readonly string[], name: string): string {
  const at = headers.findIndex((text, index) => index % 2 === 0 && text.toLowerCase() === name);
  return at < 0 ? "" : (headers[at + 1] ?? "");
}

/** The path of a request target, without its query. */
export function pathOfTarget(target: Exchange["target"]): string {
  const at = target.indexOf("?");
  return at < 0 ? target : target.slice(0, at);
}
