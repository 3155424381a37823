import { Transform, type TransformCallback } from "node:stream";

const carriageReturn = 13;
const lineFeed = 10;
const isBlank = (byte: number | undefined) => byte === 32 || byte === 9;
/** Longer padding than a line of a mail can have is passed on, so that little is held. */
const longestPadding = 998;

/**
 * Removes the blanks and tabs between a delimiter of a multipart body and its line break (RFC 2046, 5.1.1), which the
 * parser refuses. All other bytes pass unchanged. The end of a piece is held while it may be the start of a delimiter.
 */
export class DelimiterPadding extends Transform {
  readonly #delimiter: Buffer;
  /** Starts with a line break that the body does not have, because a delimiter may be its first line. */
  #held: Buffer = Buffer.from("\r\n");
  #unsent = this.#held.length;

  constructor(boundary: string) {
    super();
    this.#delimiter = Buffer.from(`\r\n--${boundary}`);
  }

  override _transform(piece: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    const bytes = this.#held.length > 0 ? Buffer.concat([this.#held, piece]) : piece;
    let from = 0;
    let heldFrom: number | undefined;
    for (let at = bytes.indexOf(this.#delimiter); at >= 0; at = bytes.indexOf(this.#delimiter, from)) {
      const end = at + this.#delimiter.length;
      const next = afterBlanks(bytes, end);
      if (isUndecided(bytes, next) && next - end <= longestPadding) {
        heldFrom = at;
        break;
      }
      this.#send(bytes.subarray(from, end));
      from = isLineBreak(bytes, next) && next - end <= longestPadding ? next : end;
    }
    heldFrom ??= this.#startOfDelimiter(bytes, from);
    this.#send(bytes.subarray(from, heldFrom));
    this.#held = bytes.subarray(heldFrom);
    done();
  }

  override _flush(done: TransformCallback): void {
    this.#send(this.#held);
    done();
  }

  #send(bytes: Buffer): void {
    const skipped = Math.min(this.#unsent, bytes.length);
    this.#unsent -= skipped;
    if (bytes.length > skipped) this.push(bytes.subarray(skipped));
  }

  /** The place of a delimiter that begins in these bytes and is cut at their end; the end where there is none. */
  #startOfDelimiter(bytes: Buffer, from: number): number {
    // A boundary has no line break, so only the last one may start a delimiter.
    const at = bytes.lastIndexOf(carriageReturn);
    const isStart = at >= from && this.#delimiter.subarray(0, bytes.length - at).equals(bytes.subarray(at));
    return isStart ? at : bytes.length;
  }
}

function afterBlanks(bytes: Buffer, from: number): number {
  let at = from;
  while (isBlank(bytes[at])) at += 1;
  return at;
}

const isLineBreak = (bytes: Buffer, at: number) => bytes[at] === carriageReturn && bytes[at + 1] === lineFeed;

/** Whether the bytes end before it shows if there is a line break. */
const isUndecided = (bytes: Buffer, at: number) =>
  at === bytes.length || (at + 1 === bytes.length && bytes[at] === carriageReturn);
