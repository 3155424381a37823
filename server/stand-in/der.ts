/** Encodes and decodes the part of ASN.1 (DER, X.690) that certificates need. */

/** @param tag the identifier octet */
export function encode(tag: number, ...contents: readonly Uint8Array[]): Buffer {
  const content = Buffer.concat(contents);
  const length: number[] = [];
  for (let rest = content.length; rest > 0; rest >>>= 8) length.unshift(rest & 0xff);
  const head = content.length < 0x80 ? [content.length] : [0x80 | length.length, ...length];
  return Buffer.concat([Uint8Array.of(tag, ...head), content]);
}

export const sequence = (...items: readonly Uint8Array[]) => encode(0x30, ...items);
export const set = (...items: readonly Uint8Array[]) => encode(0x31, ...items);
export const boolean = (value: boolean) => encode(0x01, Uint8Array.of(value ? 0xff : 0));
/** @param bytes big-endian two's complement, without redundant leading bytes */
export const integer = (...bytes: readonly number[]) => encode(0x02, Uint8Array.from(bytes));
export const octetString = (bytes: Uint8Array) => encode(0x04, bytes);
export const utf8String = (text: string) => encode(0x0c, Buffer.from(text));
/** @param unused the number of unused bits at the end */
export const bitString = (bytes: Uint8Array, unused = 0) => encode(0x03, Uint8Array.of(unused), bytes);
/** A member with an explicit tag number. */
export const explicit = (number: number, ...items: readonly Uint8Array[]) => encode(0xa0 | number, ...items);
/** A member whose tag number replaces that of a primitive type. */
export const implicit = (number: number, bytes: Uint8Array) => encode(0x80 | number, bytes);

/** An object identifier, as in `2.5.29.19`. */
export function oid(dotted: string): Buffer {
  const [first = 0, second = 0, ...others] = dotted.split(".").map(Number);
  const bytes = [40 * first + second, ...others].flatMap((number) => {
    const groups = [number & 0x7f];
    for (let rest = number >>> 7; rest > 0; rest >>>= 7) groups.unshift(0x80 | (rest & 0x7f));
    return groups;
  });
  return encode(0x06, Uint8Array.from(bytes));
}

/** A point in time of a certificate: years from 2050 on have four digits (RFC 5280, 4.1.2.5). @param at Unix ms */
export function time(at: number): Buffer {
  const digits = `${new Date(at).toISOString().replace(/[-:T]|[.].*/g, "")}Z`;
  return digits < "2050" ? encode(0x17, Buffer.from(digits.slice(2))) : encode(0x18, Buffer.from(digits));
}

/** The encoded members of a constructed value. @throws RangeError for any other encoding */
export function members(encoded: Buffer): Buffer[] {
  const found: Buffer[] = [];
  const [start, end] = extentOf(encoded, 0);
  for (let at = start; at < end;) {
    const [, next] = extentOf(encoded, at);
    found.push(encoded.subarray(at, next));
    at = next;
  }
  return found;
}

/** The beginning of the content of the value at `at`, and its end. */
function extentOf(bytes: Buffer, at: number): [number, number] {
  const first = bytes.readUInt8(at + 1);
  const more = first < 0x80 ? 0 : first & 0x7f;
  const start = at + 2 + more;
  const end = start + (more === 0 ? first : bytes.readUIntBE(at + 2, more));
  if (end > bytes.length) throw new RangeError("a value ends behind what it is part of");
  return [start, end];
}
