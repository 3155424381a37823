import { readdirSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { pngBytes, zipBytes } from "../support/files.ts";
import { startTestApp, type TestApp } from "../support/app/test-app.ts";
import { bodyOf, send } from "./spec-client.ts";

let app: TestApp;
let headers: Record<string, string>;
beforeAll(async () => {
  app = await startTestApp({ settings: { MaxSizeOfSigleFile_MB: 1 } });
  headers = await app.loggedIn();
});
afterAll(() => app[Symbol.asyncDispose]());

interface Part {
  readonly name: string;
  readonly content: string | File;
}
const filePart = (name: string, content = pngBytes(2, 2), fileName = "picture.png"): Part => ({
  name,
  content: new File([content], fileName),
});
async function post(path: string, parts: readonly Part[]) {
  const body = new FormData();
  for (const { name, content } of parts) body.append(name, content);
  return fetch(`${app.url}${path}`, { method: "POST", body, headers, redirect: "manual" });
}
const upload = (...parts: readonly Part[]) => post("/api/uploads", parts);
const storedFiles = () =>
  readdirSync(join(app.folder, "uploads"), { recursive: true, withFileTypes: true }).filter((one) => one.isFile());

/** The beginning of a file of each accepted kind, as programs write it. */
const bytes = (...parts: (string | number[])[]): Uint8Array<ArrayBuffer> => {
  const head = Buffer.concat(parts.map((one) => Buffer.from(one as string, "latin1")));
  return new Uint8Array(Buffer.concat([head, Buffer.alloc(64)]));
};
const samples: Record<string, Uint8Array<ArrayBuffer>> = {
  zip: zipBytes({ "a.txt": "a" }),
  rar: bytes("Rar!", [0x1a, 7, 0]),
  "7z": bytes("7z", [0xbc, 0xaf, 0x27, 0x1c]),
  psd: bytes("8BPS", [0, 1]),
  ai: bytes("%PDF-1.5\n"),
  cdr: bytes("RIFF", [0, 0, 0, 0], "CDR9vrsn"),
  jpg: bytes([0xff, 0xd8, 0xff, 0xe0, 0, 16], "JFIF"),
  png: pngBytes(1, 1),
  gif: bytes("GIF89a", [1, 0, 1, 0]),
  tif: bytes("II", [42, 0, 8, 0, 0, 0]),
  webp: bytes("RIFF", [64, 0, 0, 0], "WEBPVP8 "),
};

describe("Upload result", () => {
  it("[Upload result 1] success is true for a stored file and false for a refused one", async () => {
    expect((await bodyOf(await upload(filePart("[]")))).success).toBe(true);
    expect((await bodyOf(await upload(filePart("[]", pngBytes(1, 1), "run.exe")))).success).toBe(false);
  });

  it("[Upload result 2] err_msg says why it failed, and is not there on success", async () => {
    const failed = await bodyOf(await upload(filePart("[]", pngBytes(1, 1), "run.exe")));
    expect(failed).toEqual({ success: false, err_msg: expect.stringContaining("run.exe") });
    expect(await bodyOf(await upload(filePart("[]")))).not.toHaveProperty("err_msg");
  });

  it("[Upload result 3] id is an integer under which the file is found, and is not there on failure", async () => {
    const [one, other] = [await upload(filePart("[]")), await upload(filePart("[]", zipBytes({ a: "b" }), "a.zip"))];
    const [first, second] = [(await bodyOf(one)).id, (await bodyOf(other)).id];
    expect([Number.isInteger(first), Number.isInteger(second), first === second]).toEqual([true, true, false]);
    const found = await bodyOf(await send(`${app.url}/api/uploads/${String(second)}`, "GET", headers));
    expect(found.data).toMatchObject({ id: second, file_name: "a.zip" });
    expect(await bodyOf(await upload())).not.toHaveProperty("id");
  });
});

describe("Avatar upload", () => {
  it("[Avatar upload 1] a POST of multipart/form-data is taken, nothing else is", async () => {
    expect((await post("/api/avatars", [filePart("Avatar")])).status).toBe(302);
    const json = await send(`${app.url}/api/avatars`, "POST", headers, { Avatar: "picture" });
    expect([json.status, (await bodyOf(json)).success]).toEqual([400, false]);
    expect((await send(`${app.url}/api/avatars`, "PUT", headers)).status).toBe(405);
  });

  it("[Avatar upload 2] the file is in the one part Avatar", async () => {
    for (const parts of [[filePart("avatar")], [filePart("[]")], [filePart("Avatar"), filePart("Avatar")]])
      expect((await post("/api/avatars", parts)).status).toBe(400);
  });

  it("[Avatar upload 3] it redirects to a page, which shows the picture", async () => {
    const content = pngBytes(3, 3);
    const reply = await post("/api/avatars", [filePart("Avatar", content)]);
    expect(reply.status).toBe(302);
    const page = await fetch(`${app.url}${reply.headers.get("location") ?? ""}`);
    expect([page.status, page.headers.get("content-type")]).toEqual([200, "text/html; charset=utf-8"]);
    const [, address = ""] = /<img[^>]* src="([^"]+)"/.exec(await page.text()) ?? [];
    const picture = await fetch(`${app.url}${address}`);
    expect(Buffer.from(await picture.arrayBuffer())).toEqual(Buffer.from(content));
  });
});

describe("Component upload", () => {
  it("[Component upload 1] a POST of multipart/form-data is taken, nothing else is", async () => {
    expect((await upload(filePart("[]"))).status).toBe(201);
    const json = await send(`${app.url}/api/uploads`, "POST", headers, { type: "doc" });
    expect([json.status, (await bodyOf(json)).success]).toEqual([400, false]);
    expect((await send(`${app.url}/api/uploads`, "PUT", headers)).status).toBe(405);
  });

  it("[Component upload 2] the file is in the part [], with its name in any language", async () => {
    const { id } = await bodyOf(await upload(filePart("[]", pngBytes(1, 1), "图 Ä.png")));
    const { data } = await bodyOf(await send(`${app.url}/api/uploads/${String(id)}`, "GET", headers));
    expect(data.file_name).toBe("图 Ä.png");
    expect((await upload(filePart("file"))).status).toBe(400);
  });

  it("[Component upload 3] the field type is stored with the file, before or after it", async () => {
    const type: Part = { name: "type", content: "project" };
    for (const parts of [
      [type, filePart("[]")],
      [filePart("[]"), type],
    ]) {
      const { id } = await bodyOf(await upload(...parts));
      const { data } = await bodyOf(await send(`${app.url}/api/uploads/${String(id)}`, "GET", headers));
      expect(data.type).toBe("project");
    }
  });

  it("[Component upload 4] the answer is the upload result, beside the status package", async () => {
    const reply = await upload({ name: "type", content: "doc" }, filePart("[]"));
    expect(await bodyOf(reply)).toEqual({ success: true, id: expect.any(Number), status: expect.any(Object) });
  });
});

describe("Limits of uploads", () => {
  const ofSize = (size: number) => {
    const content = new Uint8Array(size);
    content.set(zipBytes({ a: "a" }));
    return filePart("[]", content, "sized.zip");
  };

  it("[Limits 1] a file of MaxSizeOfSigleFile_MB is taken, one byte more is refused and leaves nothing", async () => {
    expect((await upload(ofSize(1_048_576))).status).toBe(201);
    const before = storedFiles().length;
    const over = await upload(ofSize(1_048_577));
    expect([over.status, await bodyOf(over)]).toEqual([
      400,
      { success: false, err_msg: expect.stringContaining("MaxSizeOfSigleFile_MB") },
    ]);
    expect(storedFiles()).toHaveLength(before);
  });

  it.each(Object.entries(samples))("[Limits 2] a file .%s is taken, also in upper case", async (extension, content) => {
    for (const name of [`file.${extension}`, `FILE.${extension.toUpperCase()}`]) {
      const reply = await upload(filePart("[]", content, name));
      expect([reply.status, await bodyOf(reply)]).toEqual([201, expect.objectContaining({ success: true })]);
    }
  });

  it("[Limits 2] any other extension is refused, and the refusal lists those that are taken", async () => {
    for (const name of ["a.exe", "a.html", "a.svg", "a.png.php", "png", "a."]) {
      const reply = await upload(filePart("[]", pngBytes(1, 1), name));
      const { err_msg } = await bodyOf(reply);
      expect(reply.status, name).toBe(400);
      expect(err_msg).toContain(Object.keys(samples).join(", "));
    }
  });

  it("[Limits 3] several files are refused with the advice to use one archive, and one archive of them is taken", async () => {
    const several = await upload(filePart("[]"), filePart("[]"));
    expect([several.status, (await bodyOf(several)).err_msg]).toEqual([400, expect.stringContaining("archive")]);
    expect((await upload(filePart("[]", zipBytes({ "1.txt": "1", "2.txt": "2" }), "both.zip"))).status).toBe(201);
  });

  it("[More error rules 2] a failed upload is JSON with success false and err_msg, of either operation", async () => {
    for (const reply of [await upload(), await post("/api/avatars", [filePart("Avatar", pngBytes(1, 1), "a.zip")])]) {
      expect([reply.status, reply.headers.get("content-type")]).toEqual([400, "application/json; charset=utf-8"]);
      expect(await bodyOf(reply)).toEqual({ success: false, err_msg: expect.stringMatching(/./) });
    }
  });

  it("[More error rules 2] an upload without a login has the form of both failures", async () => {
    for (const path of ["/api/uploads", "/api/avatars"]) {
      const reply = await fetch(`${app.url}${path}`, { method: "POST" });
      const { Message, ...others } = await bodyOf(reply);
      expect([reply.status, Message]).toEqual([401, expect.stringMatching(/^The session token/)]);
      expect(others).toEqual({ success: false, err_msg: Message, code: "login_required" });
    }
  });
});
