/** Draws a QR code as PNG, of two colours. */
import { crc32, deflateSync } from "node:zlib";
import encodeQR from "qr";

export interface CodeLook {
  /** Pixels of each side. */
  readonly width: number;
  readonly color: readonly [red: number, green: number, blue: number];
  readonly transparent: boolean;
}

function chunk(type: string, data: Uint8Array): Buffer {
  const body = Buffer.concat([Buffer.from(type, "latin1"), data]);
  const frame = Buffer.alloc(body.length + 8);
  frame.writeUInt32BE(data.length);
  body.copy(frame, 4);
  frame.writeUInt32BE(crc32(body), body.length + 4);
  return frame;
}

export function drawCode(text: string, { width, color, transparent }: CodeLook): Buffer {
  const modules = encodeQR(text, "raw", { ecc: "low", border: 4 });
  const scale = Math.max(1, Math.floor(width / modules.length));
  const side = Math.max(width, modules.length);
  const margin = Math.floor((side - scale * modules.length) / 2);
  const isDark = (x: number, y: number) =>
    modules[Math.floor((y - margin) / scale)]?.[Math.floor((x - margin) / scale)] === true;

  // A row is a filter byte, then a bit for each pixel: 0 the ground, 1 the colour.
  const rowBytes = 1 + Math.ceil(side / 8);
  const pixels = Buffer.alloc(rowBytes * side);
  for (let y = 0; y < side; y++)
    for (let x = 0; x < side; x++) if (isDark(x, y)) pixels[y * rowBytes + 1 + (x >> 3)]! |= 0x80 >> (x & 7);

  const header = Buffer.from([0, 0, 0, 0, 0, 0, 0, 0, 1, 3, 0, 0, 0]);
  header.writeUInt32BE(side);
  header.writeUInt32BE(side, 4);
  return Buffer.concat([
    Buffer.from("89504e470d0a1a0a", "hex"),
    chunk("IHDR", header),
    chunk("PLTE", Buffer.from([255, 255, 255, ...color])),
    ...(transparent ? [chunk("tRNS", Buffer.from([0]))] : []),
    chunk("IDAT", deflateSync(pixels)),
    chunk("IEND", Buffer.alloc(0)),
  ]);
}
