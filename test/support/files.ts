import { randomBytes } from "node:crypto";
import { crc32, deflateSync } from "node:zlib";

function chunk(type: string, data: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(type, "latin1"), data]);
  const frame = Buffer.alloc(8);
  frame.writeUInt32BE(data.length, 0);
  frame.writeUInt32BE(crc32(named), 4);
  return Buffer.concat([frame.subarray(0, 4), named, frame.subarray(4)]);
}

/** A real PNG of one colour. */
export function pngBytes(
  width: number,
  height: number,
  rgb: readonly [number, number, number] = [230, 90, 40],
): Uint8Array<ArrayBuffer> {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 2, 0, 0, 0], 8);
  const row = Buffer.concat([Buffer.of(0), ...Array.from({ length: width }, () => Buffer.from(rgb))]);
  const pixels = Buffer.concat(Array.from({ length: height }, () => row));
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  return new Uint8Array(
    Buffer.concat([
      signature,
      chunk("IHDR", header),
      chunk("IDAT", deflateSync(pixels)),
      chunk("IEND", Buffer.alloc(0)),
    ]),
  );
}

/**
 * One that is followed by so many bytes of noise. It is made at once: to spread them into an array takes a busy machine
 * half a minute, in which servers give up their connections to this process.
 */
export const largePng = (noiseBytes: number): Uint8Array<ArrayBuffer> =>
  Buffer.concat([pngBytes(8, 8), randomBytes(noiseBytes)]);

/** A member of an archive whose name is not written in UTF-8, or has an extra field. */
interface ZipMember {
  readonly name: Buffer;
  readonly extra?: Buffer;
}

/** A real ZIP with stored (uncompressed) members. */
export const zipBytes = (members: Readonly<Record<string, string>>) =>
  zipOf(Object.entries(members).map(([name, text]) => ({ name: Buffer.from(name), flags: 0x800, text })));

/** One of empty members, whose names are said to be UTF-8 by nothing. */
export const foreignZip = (members: readonly ZipMember[]) =>
  zipOf(members.map((member) => ({ ...member, flags: 0, text: "" })));

function zipOf(members: readonly (ZipMember & { flags: number; text: string })[]): Uint8Array<ArrayBuffer> {
  const locals: Buffer[] = [];
  const centrals: Buffer[] = [];
  let offset = 0;
  for (const { name, extra = Buffer.alloc(0), flags, text } of members) {
    const data = Buffer.from(text);
    const common = Buffer.alloc(26);
    common.writeUInt16LE(20, 0);
    common.writeUInt16LE(flags, 2); // 0x800: the name is UTF-8
    common.writeUInt32LE(crc32(data), 10);
    common.writeUInt32LE(data.length, 14);
    common.writeUInt32LE(data.length, 18);
    common.writeUInt16LE(name.length, 22);
    const local = Buffer.concat([Buffer.from("PK\x03\x04", "latin1"), common, name, data]);
    const tail = Buffer.alloc(14);
    tail.writeUInt32LE(offset, 10);
    const central = Buffer.concat([Buffer.from("PK\x01\x02", "latin1"), Buffer.of(20, 0), common, tail, name, extra]);
    central.writeUInt16LE(extra.length, 30);
    centrals.push(central);
    locals.push(local);
    offset += local.length;
  }
  const directory = Buffer.concat(centrals);
  const end = Buffer.alloc(22);
  end.write("PK\x05\x06", 0, "latin1");
  end.writeUInt16LE(centrals.length, 8);
  end.writeUInt16LE(centrals.length, 10);
  end.writeUInt32LE(directory.length, 12);
  end.writeUInt32LE(offset, 16);
  return new Uint8Array(Buffer.concat([...locals, directory, end]));
}
