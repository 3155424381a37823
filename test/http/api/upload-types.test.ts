/** Files of each accepted type as programs write them, most of them longer than what is looked at. */
import sharp from "sharp";
import { afterAll, beforeAll, expect, it } from "vitest";
import { startTestApp, type TestApp } from "../../support/app/test-app.ts";
import { zipBytes } from "../../support/files.ts";

let app: TestApp;
let headers: Record<string, string>;
beforeAll(async () => {
  app = await startTestApp();
  headers = await app.loggedIn();
});
afterAll(() => app[Symbol.asyncDispose]());

const long = "x".repeat(20_000);
const file = (head: string) => Buffer.from(head + long, "latin1");
const noise = Buffer.alloc(120 * 120 * 3, Buffer.from(Array.from({ length: 251 }, (_, n) => (n * n) % 256)));
const picture = () => sharp(noise, { raw: { width: 120, height: 120, channels: 3 } });
const photo = () =>
  picture()
    .withExif({ IFD0: { ImageDescription: long } })
    .withIccProfile("p3");

/** A TIFF of one grey pixel per byte, whose directory lies behind the pixels or before them. */
function tiff(order: "II" | "MM", { directory, entries = 10 }: { directory: "first" | "last"; entries?: number }) {
  const is = order === "II";
  const pixels = 12_000;
  const directoryBytes = 2 + entries * 12 + 4;
  const at =
    directory === "first" ? { directory: 8, pixels: 8 + directoryBytes } : { directory: 8 + pixels, pixels: 8 };
  const bytes = Buffer.alloc(8 + directoryBytes + pixels, 0x55);
  const put16 = (value: number, to: number) => (is ? bytes.writeUInt16LE(value, to) : bytes.writeUInt16BE(value, to));
  const put32 = (value: number, to: number) => (is ? bytes.writeUInt32LE(value, to) : bytes.writeUInt32BE(value, to));
  bytes.write(order, "latin1");
  put16(42, 2);
  put32(at.directory, 4);
  put16(entries, at.directory);
  const known: [tag: number, value: number][] = [
    [254, 0],
    [256, 120],
    [257, 100],
    [258, 8],
    [259, 1],
    [262, 1],
    [273, at.pixels],
    [277, 1],
    [278, 100],
    [279, pixels],
  ];
  for (let n = 0; n < entries; n += 1) {
    const [tag, value] = known[n] ?? [60_000 + n, 0]; // tags of nobody fill the rest
    const entry = at.directory + 2 + n * 12;
    put16(tag, entry);
    put16(4, entry + 2);
    put32(1, entry + 4);
    put32(value, entry + 8);
  }
  put32(0, at.directory + directoryBytes - 4);
  return bytes;
}

const office = { "word/document.xml": long, "[Content_Types].xml": "<Types/>" };
const drawing = { mimetype: "application/x-vnd.corel.zcf.draw.document+zip", "content/riffData.cdr": long };
const files: Record<string, () => Uint8Array | Promise<Uint8Array>> = {
  "plain.zip": () => zipBytes({ "a.txt": long }),
  "empty.zip": () => zipBytes({}),
  "a document.zip": () => zipBytes(office),
  "a sheet.zip": () => zipBytes({ "[Content_Types].xml": `<Override PartName="/xl/workbook.xml"/>${long}` }),
  "a program.zip": () => zipBytes({ "META-INF/MANIFEST.MF": long }),
  "a program for phones.zip": () => zipBytes({ "AndroidManifest.xml": long }),
  "a book.zip": () => zipBytes({ mimetype: "application/epub+zip", "a.xhtml": long }),
  "version 4.rar": () => file("Rar!\x1a\x07\0"),
  "version 5.rar": () => file("Rar!\x1a\x07\x01\0"),
  "an archive.7z": () => file("7z\xbc\xaf\x27\x1c\0\x04"),
  "picture.psd": () => file("8BPS\0\x01"),
  "large picture.psd": () => file("8BPS\0\x02"),
  "with PDF.ai": () => file("%PDF-1.6\r%\xe2\xe3\xcf\xd3\r\n"),
  "version 3.ai": () => file("%!PS-Adobe-3.0 \r%%Creator: Adobe Illustrator(R) 24.0\r"),
  "encapsulated.ai": () => file("%!PS-Adobe-3.0 EPSF-3.0\r%%Creator: Adobe Illustrator(TM) 7.0\r"),
  "with preview.ai": () => file("\xc5\xd0\xd3\xc6\x1e\0\0\0"),
  "version 9.cdr": () => file("RIFF\x28\x4e\0\0CDR9vrsn"),
  "version 13.cdr": () => file("RIFF\x28\x4e\0\0CDRDvrsn"),
  "version 16.cdr": () => zipBytes(drawing),
  "photo.jpg": () => photo().jpeg().toBuffer(),
  "progressive.jpeg": () => photo().jpeg({ progressive: true }).toBuffer(),
  "four inks.jpg": () => picture().toColourspace("cmyk").jpeg().toBuffer(),
  "plain.png": () => picture().png().toBuffer(),
  "with a profile.png": () => photo().png().toBuffer(),
  "few colours.png": () => picture().png({ palette: true }).toBuffer(),
  "picture.gif": () => picture().gif().toBuffer(),
  "old.gif": () => file("GIF87a\x01\0\x01\0"),
  "with loss.webp": () => photo().webp().toBuffer(),
  "without loss.webp": () => picture().webp({ lossless: true }).toBuffer(),
  "directory last.tif": () => picture().tiff({ compression: "none" }).toBuffer(),
  "packed.tiff": () => picture().tiff({ compression: "lzw" }).toBuffer(),
  "big.tif": () => picture().tiff({ bigtiff: true }).toBuffer(),
  "other order.tif": () => tiff("MM", { directory: "last" }),
  "directory first.tif": () => tiff("II", { directory: "first" }),
  "many entries.tif": () => tiff("II", { directory: "first", entries: 28 }),
};

async function upload(content: Uint8Array, name: string) {
  const body = new FormData();
  body.append("type", "doc");
  body.append("[]", new File([new Uint8Array(content)], name));
  const reply = await fetch(`${app.url}/api/uploads`, { method: "POST", body, headers });
  return [reply.status, ((await reply.json()) as { err_msg?: string }).err_msg];
}

it.each(Object.keys(files))("an upload of %s is accepted", async (name) => {
  expect(await upload((await files[name]?.()) ?? Buffer.alloc(0), name)).toEqual([201, undefined]);
});

it.each([
  ["a sound", "a.cdr", "RIFF\x28\x4e\0\0WAVEfmt "],
  ["a web picture", "a.cdr", "RIFF\x28\x4e\0\0WEBPVP8 "],
  ["text", "a.tif", "II, the second"],
  ["a picture", "a.ai", "GIF89a\x01\0\x01\0"],
])("%s named %s is refused", async (_what, name, head) => {
  expect(await upload(file(head), name)).toEqual([400, expect.stringContaining("does not match its name")]);
});
