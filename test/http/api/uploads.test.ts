import { readdir } from "node:fs/promises";
import { connect } from "node:net";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { largePng, pngBytes, zipBytes } from "../../support/files.ts";
import { consoleToken, startTestApp, type TestApp } from "../../support/app/test-app.ts";

let app: TestApp;
let headers: Record<string, string>;
beforeAll(async () => {
  app = await startTestApp({ settings: { MaxSizeOfSigleFile_MB: 1 } });
  headers = await app.loggedIn();
});
afterAll(() => app[Symbol.asyncDispose]());

interface UploadResult {
  success: boolean;
  id?: number;
  err_msg?: string;
  status?: object;
}
async function upload(content: Uint8Array<ArrayBuffer>, name: string, part = "[]") {
  const form = new FormData();
  form.append("type", "doc");
  form.append(part, new File([content], name));
  const response = await fetch(`${app.url}/api/uploads`, { method: "POST", body: form, headers });
  return { response, result: (await response.json()) as UploadResult };
}
async function storedFiles() {
  const entries = await readdir(join(app.folder, "uploads"), { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map(({ name }) => name);
}
const listed = async () =>
  (await (
    await fetch(`${app.url}/console/api/uploads`, { headers: { Authorization: `Bearer ${consoleToken}` } })
  ).json()) as {
    uploads: { id: number; file_name: string; size: number; type: string }[];
    total: number;
  };

describe("POST /api/uploads", () => {
  it("stores the file whole and answers success, its id and the status package", async () => {
    const content = pngBytes(3, 2);
    const { response, result } = await upload(content, "图 und Ärger.png");
    expect(response.status).toBe(201);
    expect(result).toEqual({
      success: true,
      id: expect.any(Number),
      status: expect.objectContaining({ access_token: expect.any(String) }),
    });
    expect((await listed()).uploads[0]).toMatchObject({
      id: result.id,
      file_name: "图 und Ärger.png",
      size: content.length,
      type: "doc",
    });
    const back = await fetch(`${app.url}/console/api/uploads/${String(result.id)}/content`, {
      headers: { Authorization: `Bearer ${consoleToken}` },
    });
    expect(Buffer.from(await back.arrayBuffer()).equals(Buffer.from(content))).toBe(true);
    expect(back.headers.get("x-content-type-options")).toBe("nosniff");
  });

  it("stores the same content once", async () => {
    const content = zipBytes({ "a.txt": "same" });
    await upload(content, "one.zip");
    const before = await storedFiles();
    const { result } = await upload(content, "two.zip");
    expect(result.success).toBe(true);
    expect(await storedFiles()).toEqual(before);
  });

  it.each([
    [
      "a file over the limit",
      new Uint8Array(1_048_577),
      "big.zip",
      "[]",
      /larger than 1 MB \(setting MaxSizeOfSigleFile_MB\)/,
    ],
    [
      "an extension that is not taken",
      new Uint8Array(10),
      "run.exe",
      "[]",
      /"run.exe" is not an accepted file type. Send one of zip, rar/,
    ],
    [
      "a web page named .png",
      new TextEncoder().encode("<!doctype html><script>alert(1)</script>"),
      "page.png",
      "[]",
      /does not match its name/,
    ],
    ["a file in another part", pngBytes(1, 1), "a.png", "file", /part named "\[\]"/],
  ])("answers 400 and success:false for %s, and keeps nothing", async (_what, content, name, part, message) => {
    const before = { files: await storedFiles(), total: (await listed()).total };
    const { response, result } = await upload(content, name, part);
    expect(response.status).toBe(400);
    expect(result).toEqual({ success: false, err_msg: expect.stringMatching(message) });
    expect({ files: await storedFiles(), total: (await listed()).total }).toEqual(before);
  });

  it("refuses several files with the advice to use one archive", async () => {
    const form = new FormData();
    form.append("[]", new File([pngBytes(1, 1)], "a.png"));
    form.append("[]", new File([pngBytes(1, 1)], "b.png"));
    const response = await fetch(`${app.url}/api/uploads`, { method: "POST", body: form, headers });
    expect([response.status, await response.json()]).toEqual([
      400,
      { success: false, err_msg: expect.stringContaining("archive") },
    ]);
  });

  it("answers 400 when there is no file, or no multipart body at all", async () => {
    const empty = await fetch(`${app.url}/api/uploads`, { method: "POST", body: new FormData(), headers });
    expect([empty.status, ((await empty.json()) as UploadResult).success]).toEqual([400, false]);
    const json = await app.post(`${app.url}/api/uploads`, {}, headers);
    expect([json.status, ((await json.json()) as UploadResult).success]).toEqual([400, false]);
  });

  it("answers 401 before it reads the file when the login is not complete", async () => {
    const form = new FormData();
    form.append("[]", new File([pngBytes(1, 1)], "a.png"));
    const response = await fetch(`${app.url}/api/uploads`, { method: "POST", body: form });
    expect([response.status, response.headers.get("www-authenticate")]).toEqual([401, "Bearer"]);
  });
});

describe("POST /api/avatars", () => {
  it("redirects to a page that shows the picture to anybody", async () => {
    const form = new FormData();
    form.append("Avatar", new File([pngBytes(4, 4)], "me.png"));
    const response = await fetch(`${app.url}/api/avatars`, { method: "POST", body: form, headers, redirect: "manual" });
    expect(response.status).toBe(302);
    const location = response.headers.get("location") ?? "";
    expect(location).toMatch(/^\/avatars\/[0-9a-f-]{36}$/);
    const page = await (await fetch(`${app.url}${location}`)).text();
    const image = /src="([^"]+)"/.exec(page)?.[1] ?? "";
    const picture = await fetch(`${app.url}${image}`);
    expect(picture.headers.get("content-type")).toBe("image/png");
    expect(Buffer.from(await picture.arrayBuffer()).equals(Buffer.from(pngBytes(4, 4)))).toBe(true);
  });

  it("refuses several pictures without the advice to use an archive, which it does not take", async () => {
    const form = new FormData();
    for (const name of ["a.png", "b.png"]) form.append("Avatar", new File([pngBytes(1, 1)], name));
    const response = await fetch(`${app.url}/api/avatars`, { method: "POST", body: form, headers });
    expect([response.status, await response.text()]).toEqual([
      400,
      expect.stringContaining("Send one picture per request."),
    ]);
  });
});

describe("an upload that does not come to its end", () => {
  it("leaves nothing behind when it is over the limit though its content would fit its name", async () => {
    const before = await storedFiles();
    const { response, result } = await upload(largePng(1_200_000), "padded.png");
    expect([response.status, result.success]).toEqual([400, false]);
    await expect.poll(storedFiles).toEqual(before);
  });

  it("leaves nothing behind when a second file follows the first, or the client goes away in the middle", async () => {
    const before = await storedFiles();
    const form = new FormData();
    form.append("[]", new File([zipBytes({ "only-here.txt": "first" })], "a.zip"));
    form.append("[]", new File([pngBytes(2, 2)], "b.png"));
    expect((await fetch(`${app.url}/api/uploads`, { method: "POST", body: form, headers })).status).toBe(400);

    const head = `POST /api/uploads HTTP/1.1\r\nHost: localhost\r\nAuthorization: ${headers["Authorization"] ?? ""}\r\nContent-Type: multipart/form-data; boundary=b\r\nContent-Length: 500000\r\n\r\n--b\r\nContent-Disposition: form-data; name="[]"; filename="c.zip"\r\n\r\nPK`;
    const socket = connect(app.port, "127.0.0.1");
    socket.write(head + "x".repeat(100_000));
    await expect.poll(storedFiles).not.toEqual(before);
    socket.destroy();
    await expect.poll(storedFiles).toEqual(before);
  });
});
