import type { CapturedBody, Exchange } from "../../http/recording/request-recorder.ts";

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

/** The beginning of a body as text, of at most `length` bytes. Bytes that are no text do no harm in a search. */
export function beginningOf({ chunks }: CapturedBody, length: number): string {
  const [first = ""] = chunks;
  if (typeof first === "string") return first.slice(0, length);
  if (chunks.length === 1 || first.length >= length) return first.subarray(0, length).toString("latin1");
  const bytes = Buffer.concat(chunks.map((chunk) => (typeof chunk === "string" ? Buffer.from(chunk) : chunk)));
  return bytes.subarray(0, length).toString("latin1");
}
