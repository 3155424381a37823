/** A ZIP file of small uncompressed entries. */
import { crc32 } from "node:zlib";

interface Entry {
  readonly name: Buffer;
  readonly bytes: Buffer;
}

/** The fields that an entry's header and the directory's line have in common. */
function shared({ name, bytes }: Entry): Buffer {
  const fields = Buffer.alloc(26);
  fields.writeUInt16LE(20, 0); // version 2.0
  fields.writeUInt16LE(0x21, 8); // 1 January 1980
  fields.writeUInt32LE(crc32(bytes), 10);
  fields.writeUInt32LE(bytes.length, 14);
  fields.writeUInt32LE(bytes.length, 18);
  fields.writeUInt16LE(name.length, 22);
  return fields;
}

const signature = (...codes: readonly number[]) => Buffer.from([0x50, 0x4b, ...codes]);

export function writeZip(entries: readonly Entry[]): Buffer {
  const files: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const entry of entries) {
    const file = Buffer.concat([signature(3, 4), shared(entry), entry.name, entry.bytes]);
    const place = Buffer.alloc(14);
    place.writeUInt32LE(offset, 10);
    directory.push(signature(1, 2), Buffer.from([20, 0]), shared(entry), place, entry.name);
    files.push(file);
    offset += file.length;
  }
  const lines = Buffer.concat(directory);
  const end = Buffer.alloc(18);
  end.writeUInt16LE(entries.length, 4);
  end.writeUInt16LE(entries.length, 6);
  end.writeUInt32LE(lines.length, 8);
  end.writeUInt32LE(offset, 12);
  return Buffer.concat([...files, lines, signature(5, 6), end]);
}
