/** Constants as Go's source has them. */
import { GoError, type GoValue } from "./go-values.ts";

const singles: Readonly<Record<string, number>> = { a: 7, b: 8, f: 12, n: 10, r: 13, t: 9, v: 11, "\\": 92 };
const escape = /\\(?:x([0-9a-fA-F]{2})|([0-7]{3})|u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|([^]))/gy;

/** The bytes of what is between quotes: `\xff` is a byte and no character. */
function unescaped(text: string, quote: string): Buffer {
  const parts: Buffer[] = [];
  for (let at = 0; at < text.length;) {
    const end = text.indexOf("\\", at);
    parts.push(Buffer.from(text.slice(at, end < 0 ? text.length : end)));
    if (end < 0) break;
    escape.lastIndex = end;
    const [whole = "", byte, octal, short, long, single = ""] = escape.exec(text) ?? [];
    const code = short ?? long;
    if (code !== undefined) parts.push(Buffer.from(String.fromCodePoint(Math.min(parseInt(code, 16), 0x10ffff))));
    else {
      const value = byte
        ? parseInt(byte, 16)
        : octal
          ? parseInt(octal, 8)
          : single === quote
            ? quote.charCodeAt(0)
            : singles[single];
      if (value === undefined || value > 255) throw new GoError(`invalid escape in ${quote}${text}${quote}`);
      parts.push(Buffer.from([value]));
    }
    at = end + whole.length;
  }
  return Buffer.concat(parts);
}

export const quotedText = (token: string) => unescaped(token.slice(1, -1), '"').toString();

export function characterCode(token: string): bigint {
  const inner = token.slice(1, -1);
  const bytes = unescaped(inner, "'");
  const text = bytes.toString();
  if ([...text].length !== 1) throw new GoError(`malformed character constant: ${token}`);
  return BigInt(/^\\(?:x|[0-7])/.test(inner) ? (bytes[0] ?? 0) : (text.codePointAt(0) ?? 0));
}

const integer = /^[+-]?(?:0[xX](?:_?[0-9a-fA-F])+|0[bB](?:_?[01])+|0[oO](?:_?[0-7])+|0(?:_?[0-7])*|[1-9](?:_?\d)*)$/;
const decimal = /^[+-]?(?:\d(?:_?\d)*)?(?:\.(?:\d(?:_?\d)*)?)?(?:[eE][+-]?\d+)?$/;

/** An int, or a float64 where the text has a point or an exponent. */
export function numberLiteral(token: string): GoValue {
  const plain = token.replaceAll("_", "");
  if (integer.test(token)) {
    const digits = plain.replace(/^[+-]/, "").replace(/^0(?=[0-7])/, "0o");
    const value = BigInt(digits) * (plain.startsWith("-") ? -1n : 1n);
    if (BigInt.asIntN(64, value) !== value) throw new GoError(`${token} overflows int`);
    return value;
  }
  const value = decimal.test(token) && /\d/.test(plain) ? Number(plain) : NaN;
  if (!Number.isFinite(value)) throw new GoError(`bad number syntax: ${JSON.stringify(token)}`);
  return value;
}
