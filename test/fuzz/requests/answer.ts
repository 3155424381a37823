/** Reads HTTP/1.1 answers out of bytes, strictly: what is no answer by the book is an error. */

export interface Answer {
  readonly status: number;
  /** Names in lower case; of a repeated one the values with commas between. */
  readonly headers: ReadonlyMap<string, string>;
  readonly body: Buffer;
}

interface Body {
  readonly content: Buffer;
  /** Bytes that the body takes up on the wire. */
  readonly length: number;
}

const endOfHead = Buffer.from("\r\n\r\n");

/**
 * The first answer in the bytes and its length, or undefined when it is not complete. `method` is that of the request,
 * `ended` that nothing more will come.
 * @throws Error for what is no answer
 */
export function readAnswer(
  bytes: Buffer,
  method: string,
  ended: boolean,
): { answer: Answer; length: number } | undefined {
  const end = bytes.indexOf(endOfHead);
  if (end < 0) return undefined;
  const [statusLine = "", ...lines] = bytes.subarray(0, end).toString("latin1").split("\r\n");
  const status = Number(/^HTTP\/1\.1 (\d{3})(?: |$)/.exec(statusLine)?.[1] ?? NaN);
  if (Number.isNaN(status)) throw new Error(`not a status line: ${statusLine}`);
  const headers = readHeaders(lines);
  const rest = bytes.subarray(end + endOfHead.length);
  const bodyless = method === "HEAD" || status === 204 || status === 304 || status < 200;
  const body = bodyless ? { content: Buffer.alloc(0), length: 0 } : readBody(rest, headers, ended);
  return body && { answer: { status, headers, body: body.content }, length: end + endOfHead.length + body.length };
}

function readHeaders(lines: readonly string[]): Map<string, string> {
  const headers = new Map<string, string>();
  for (const line of lines) {
    const [, name, value = ""] = /^([!#$%&'*+.^_`|~\w-]+):[ \t]*(.*?)[ \t]*$/.exec(line) ?? [];
    if (name === undefined) throw new Error(`not a header: ${line}`);
    const key = name.toLowerCase();
    const before = headers.get(key);
    headers.set(key, before === undefined ? value : `${before}, ${value}`);
  }
  return headers;
}

function readBody(rest: Buffer, headers: ReadonlyMap<string, string>, ended: boolean): Body | undefined {
  if (headers.get("transfer-encoding") === "chunked") return readChunks(rest);
  const written = headers.get("content-length");
  if (written !== undefined) {
    if (!/^\d+$/.test(written)) throw new Error(`not a length: ${written}`);
    const length = Number(written);
    return rest.length < length ? undefined : { content: rest.subarray(0, length), length };
  }
  return ended ? { content: rest, length: rest.length } : undefined;
}

function readChunks(rest: Buffer): Body | undefined {
  const parts: Buffer[] = [];
  let at = 0;
  for (;;) {
    const lineEnd = rest.indexOf("\r\n", at);
    if (lineEnd < 0) return undefined;
    const size = parseInt(rest.subarray(at, lineEnd).toString("latin1"), 16);
    if (Number.isNaN(size)) throw new Error("not the size of a chunk");
    const next = lineEnd + 2 + size + 2;
    if (rest.length < next) return undefined;
    if (rest.subarray(next - 2, next).toString("latin1") !== "\r\n") throw new Error("a chunk without its end");
    if (size === 0) return { content: Buffer.concat(parts), length: next };
    parts.push(rest.subarray(lineEnd + 2, next - 2));
    at = next;
  }
}
