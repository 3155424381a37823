import { crc32 } from "node:zlib";
import sharp from "sharp";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { foreignZip, pngBytes, zipBytes } from "../../support/files.ts";
import { startTestApp, type TestApp } from "../../support/app/test-app.ts";

let app: TestApp;
let headers: Record<string, string>;
beforeAll(async () => {
  app = await startTestApp();
  headers = await app.loggedIn();
});
afterAll(() => app[Symbol.asyncDispose]());

async function upload(content: Uint8Array<ArrayBuffer>, name: string): Promise<number> {
  const form = new FormData();
  form.append("type", "doc");
  form.append("[]", new File([content], name));
  const response = await fetch(`${app.url}/api/uploads`, { method: "POST", body: form, headers });
  return ((await response.json()) as { id: number }).id;
}

describe("a stored upload", () => {
  const get = (path: string, extra: Record<string, string> = {}) =>
    fetch(`${app.url}${path}`, { headers: { ...headers, ...extra } });
  const content = zipBytes({ "docs/": "", "docs/图.txt": "hello", "b.txt": "x".repeat(1000) });
  let id: number;
  beforeAll(async () => {
    id = await upload(content, "three.zip");
  });

  it("is listed and shown to its owner only", async () => {
    const list = (await (await get("/api/uploads?page_size=100")).json()) as { data: { id: number; sha256: string }[] };
    expect(list.data.map((one) => one.id)).toContain(id);
    expect(await (await get(`/api/uploads/${String(id)}`)).json()).toMatchObject({
      data: { file_name: "three.zip", size: content.length, media_type: "application/zip" },
    });
    const bob = await app.loggedIn("bob");
    expect((await fetch(`${app.url}/api/uploads/${String(id)}/content`, { headers: bob })).status).toBe(403);
    expect(
      ((await (await fetch(`${app.url}/api/uploads`, { headers: bob })).json()) as { data: unknown[] }).data,
    ).toEqual([]);
    expect((await get("/api/uploads/999999")).status).toBe(404);
  });

  it("is answered as an attachment, whole or in ranges", async () => {
    const whole = await get(`/api/uploads/${String(id)}/content`);
    expect(
      Object.fromEntries(
        ["content-disposition", "content-type", "x-content-type-options", "accept-ranges"].map((name) => [
          name,
          whole.headers.get(name),
        ]),
      ),
    ).toEqual({
      "content-disposition": "attachment; filename=three.zip",
      "content-type": "application/octet-stream",
      "x-content-type-options": "nosniff",
      "accept-ranges": "bytes",
    });
    expect(Buffer.from(await whole.arrayBuffer()).equals(Buffer.from(content))).toBe(true);
    for (const [range, from, to] of [
      ["bytes=0-9", 0, 10],
      ["bytes=10-", 10, content.length],
      ["bytes=-5", content.length - 5, content.length],
      ["Bytes=-99999", 0, content.length],
    ] as const) {
      const part = await get(`/api/uploads/${String(id)}/content`, { Range: range });
      expect([part.status, part.headers.get("content-range")]).toEqual([
        206,
        `bytes ${String(from)}-${String(to - 1)}/${String(content.length)}`,
      ]);
      expect(Buffer.from(await part.arrayBuffer()).equals(Buffer.from(content.subarray(from, to)))).toBe(true);
    }
    for (const Range of ["bytes=999999-", "bytes=-0"]) {
      const beyond = await get(`/api/uploads/${String(id)}/content`, { Range });
      expect([beyond.status, beyond.headers.get("content-range")]).toEqual([416, `bytes */${String(content.length)}`]);
    }
    const head = await fetch(`${app.url}/api/uploads/${String(id)}/content`, {
      method: "HEAD",
      headers: { ...headers, Range: "bytes=0-9" },
    });
    expect([head.status, head.headers.get("content-length")]).toEqual([200, String(content.length)]);
  });

  it("is not sent again to a client that has it, and not at all to one that wants another", async () => {
    const path = `/api/uploads/${String(id)}/content`;
    const etag = (await get(path)).headers.get("etag") ?? "";
    const again = await get(path, { "If-None-Match": `"other", ${etag}` });
    expect([again.status, again.headers.get("etag"), await again.text()]).toEqual([304, etag, ""]);
    expect((await get(path, { "If-None-Match": etag, Range: "bytes=0-9" })).status).toBe(304);
    expect((await get(path, { "If-None-Match": '"other"', "If-Match": etag })).status).toBe(200);
    expect((await get(path, { "If-Match": '"other"' })).status).toBe(412);
  });

  it("that is a zip lists its entries without unpacking, and a damaged one answers 400", async () => {
    const { data } = (await (await get(`/api/uploads/${String(id)}/entries`)).json()) as { data: unknown };
    expect(data).toEqual({
      complete: true,
      entries: [
        { name: "docs/", size: 0, directory: true },
        { name: "docs/图.txt", size: 5, directory: false },
        { name: "b.txt", size: 1000, directory: false },
      ],
    });
    const many = await upload(
      zipBytes(Object.fromEntries(Array.from({ length: 1500 }, (_, i) => [`${String(i)}.txt`, ""]))),
      "many.zip",
    );
    const listed = (await (await get(`/api/uploads/${String(many)}/entries`)).json()) as {
      data: { entries: unknown[]; complete: boolean };
    };
    expect([listed.data.entries.length, listed.data.complete]).toEqual([1000, false]);
    const broken = await upload(content.slice(0, 60), "broken.zip");
    expect((await get(`/api/uploads/${String(broken)}/entries`)).status).toBe(400);
  });

  it("that is a zip lists its entries by the names that its program has written, whatever they are", async () => {
    const inGbk = Buffer.from([0xcd, 0xbc, 0x2f, 0xb0, 0x5c, 0x2e, 0x74, 0x78, 0x74]); // one of its bytes is a backslash's
    const extra = Buffer.concat([Buffer.from([0x75, 0x70, 0, 0, 1, 0, 0, 0, 0]), Buffer.from("图二.txt")]);
    extra.writeUInt16LE(extra.length - 4, 2);
    extra.writeUInt32LE(crc32(inGbk), 5);
    const foreign = await upload(
      foreignZip([
        { name: inGbk },
        { name: inGbk, extra },
        { name: Buffer.from("图三.txt") },
        { name: Buffer.from([0x82, 0x2e, 0x74, 0x78, 0x74]) },
        { name: Buffer.from("../x.png") },
        { name: Buffer.from("/abs.png") },
        { name: Buffer.from("a\\b\\") },
      ]),
      "foreign.zip",
    );
    const listed = (await (await get(`/api/uploads/${String(foreign)}/entries`)).json()) as {
      data: { entries: { name: string; directory: boolean }[] };
    };
    const names = ["图/癨.txt", "图二.txt", "图三.txt", "é.txt", "../x.png", "/abs.png", "a/b/"];
    expect(listed.data.entries.map(({ name }) => name)).toEqual(names);
    expect(listed.data.entries.map(({ directory }) => directory).lastIndexOf(true)).toBe(6);
  });

  it("that is a picture has a thumbnail, of at most 256 pixels; another file has none", async () => {
    const picture = await upload(pngBytes(600, 300), "wide.png");
    const thumbnail = await get(`/api/uploads/${String(picture)}/thumbnail`);
    expect([thumbnail.status, thumbnail.headers.get("content-type")]).toEqual([200, "image/webp"]);
    const { width, height, format } = await sharp(await thumbnail.arrayBuffer()).metadata();
    expect({ width, height, format }).toEqual({ width: 256, height: 128, format: "webp" });
    // A reset gives its id away again, so that an address says nothing of the picture.
    expect(thumbnail.headers.get("cache-control")).toBe("private, no-cache");
    const tag = thumbnail.headers.get("etag") ?? "";
    const other = await get(`/api/uploads/${String(await upload(pngBytes(300, 600), "high.png"))}/thumbnail`);
    expect(other.headers.get("etag")).not.toBe(tag);
    const again = await get(`/api/uploads/${String(picture)}/thumbnail`, { "If-None-Match": tag });
    expect(again.status).toBe(304);
    expect((await get(`/api/uploads/${String(id)}/thumbnail`)).status).toBe(404);
    const broken = await upload(pngBytes(600, 300).slice(0, 100), "broken.png");
    expect((await get(`/api/uploads/${String(broken)}/thumbnail`)).status).toBe(400);
  });
});
