import { expect, it } from "vitest";
import { readText } from "../../../../renderer/ui/forms/read-text.ts";

const text = "名称,价格\r\n茶,3\r\n";
const gbk = [0xc3, 0xfb, 0xb3, 0xc6, 0x2c, 0xbc, 0xdb, 0xb8, 0xf1, 0x0d, 0x0a, 0xb2, 0xe8, 0x2c, 0x33, 0x0d, 0x0a];
const utf16 = Buffer.from(`\ufeff${text}`, "utf16le");
const read = (bytes: Iterable<number>) => readText(new File([Uint8Array.from(bytes)], "items.csv"));

it.each([
  ["UTF-8", Buffer.from(text)],
  ["UTF-8 with a byte-order mark", Buffer.from(`\ufeff${text}`)],
  ["UTF-16, the low byte first", utf16],
  ["UTF-16, the high byte first", Buffer.from(utf16).swap16()],
  ["GBK", gbk],
])("A file in %s is read as what it says", async (_, bytes) => expect(await read(bytes)).toBe(text));

it("An empty file is an empty text", async () => expect(await read([])).toBe(""));

it.each([
  ["a spreadsheet", Buffer.from("PK\u0003\u0004\u0000\u0000", "latin1")],
  ["a picture", Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 13])],
  ["half a character of GBK", gbk.slice(0, 1)],
  ["half a character of UTF-16", utf16.subarray(0, -1)],
  ["UTF-8 that is cut off", Buffer.from("é").subarray(0, 1)],
])("%s is not a text", async (_, bytes) => expect(await read(bytes)).toBeUndefined());

it("A folder in the place of a file cannot be read", async () => {
  const folder = { arrayBuffer: () => Promise.reject(new Error("NotFoundError")) } as unknown as Blob;
  expect(await readText(folder)).toBeUndefined();
});
