/** Draws the program's icons in all sizes and formats from one SVG. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import sharp from "sharp";
import { root } from "../root.ts";

const source = join(root, "renderer/public/icon.svg");

/** Edge lengths in pixels. */
export const iconSizes = [16, 24, 32, 48, 64, 128, 256, 512, 1024] as const;
type IconSize = (typeof iconSizes)[number];

/** The types of the sizes in Apple's format; those with `ic11` and so on are for displays of double density. */
const icnsTypes: readonly (readonly [string, IconSize])[] = [
  ["ic11", 32],
  ["ic12", 64],
  ["ic07", 128],
  ["ic13", 256],
  ["ic08", 256],
  ["ic14", 512],
  ["ic09", 512],
  ["ic10", 1024],
];

/** Apple's format: a header, and each PNG behind its type and length. */
function icns(png: ReadonlyMap<IconSize, Buffer>): Buffer {
  const entry = (type: string, content: Buffer) => {
    const head = Buffer.alloc(8);
    head.write(type, "latin1");
    head.writeUInt32BE(content.length + 8, 4);
    return Buffer.concat([head, content]);
  };
  const entries = icnsTypes.map(([type, size]) => entry(type, png.get(size) ?? Buffer.alloc(0)));
  return entry("icns", Buffer.concat(entries));
}

/** Windows' format: a header, a directory of 16 bytes a picture, and the PNGs. A size of 256 is written as 0. */
function ico(png: ReadonlyMap<IconSize, Buffer>): Buffer {
  const pictures = iconSizes
    .filter((size) => size <= 256)
    .map((size) => [size, png.get(size) ?? Buffer.alloc(0)] as const);
  const head = Buffer.alloc(6 + 16 * pictures.length);
  head.writeUInt16LE(1, 2);
  head.writeUInt16LE(pictures.length, 4);
  let offset = head.length;
  for (const [index, [size, { length }]] of pictures.entries()) {
    const at = 6 + 16 * index;
    head.writeUInt8(size % 256, at);
    head.writeUInt8(size % 256, at + 1);
    head.writeUInt16LE(1, at + 4); // planes
    head.writeUInt16LE(32, at + 6); // bits per pixel
    head.writeUInt32LE(length, at + 8);
    head.writeUInt32LE(offset, at + 12);
    offset += length;
  }
  return Buffer.concat([head, ...pictures.map(([, content]) => content)]);
}

export interface Icons {
  /** The folder of the PNGs, `16x16.png` and so on. */
  readonly folder: string;
  readonly icns: string;
  readonly ico: string;
  readonly svg: string;
}

/** Writes all icons below `folder`. */
export async function drawIcons(folder: string): Promise<Icons> {
  const png = new Map<IconSize, Buffer>();
  for (const size of iconSizes)
    // The density at which the SVG's 32 units become the pixels, 72 being one to one.
    png.set(
      size,
      await sharp(source, { density: (72 * size) / 32 })
        .resize(size, size)
        .png()
        .toBuffer(),
    );
  const pictures = join(folder, "png");
  mkdirSync(pictures, { recursive: true });
  for (const [size, content] of png) writeFileSync(join(pictures, `${size}x${size}.png`), content);
  const icons = { folder: pictures, icns: join(folder, "icon.icns"), ico: join(folder, "icon.ico"), svg: source };
  writeFileSync(icons.icns, icns(png));
  writeFileSync(icons.ico, ico(png));
  return icons;
}
