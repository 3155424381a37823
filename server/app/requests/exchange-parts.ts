import type { Exchange } from "../../http/recording/request-recorder.ts";

/** The value of a header in a list of alternating names and values; `name` in lower case. Empty without one. */
export function valueIn(headers: readonly string[], name: string): string {
  for (let at = 0; at < headers.length; at += 2) {
    const text = headers[at] ?? "";
    if (text.length === name.length && text.toLowerCase() === name) return headers[at + 1] ?? "";
  }
  return "";
}

/** The path of a request target, without its query. */
export function pathOfTarget(target: Exchange["target"]): string {
  const at = target.indexOf("?");
  return at < 0 ? target : target.slice(0, at);
}
