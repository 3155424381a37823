/** Uploads whose contents are in a bucket of an S3-compatible store: what clients and the console see of it. */
import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import type { UploadContentsState } from "../../../server/contract/console/data/stored-uploads.ts";
import { callConsole, json } from "../../support/app/control-calls.ts";
import { startTestApp, type TestApp } from "../../support/app/test-app.ts";
import { largePng, pngBytes, zipBytes } from "../../support/files.ts";
import { recordedLog } from "../../support/quiet-log.ts";
import { startS3Server, type S3Server } from "../../support/store/s3-server.ts";
import { startSigningS3Server } from "../../support/store/signing-s3-server.ts";

let store: S3Server;
let app: TestApp;
let headers: Record<string, string>;
const { lines, log } = recordedLog();
beforeAll(async () => {
  store = await startS3Server();
  app = await startTestApp({ settings: { ...store.settings, MaxSizeOfSigleFile_MB: 12 }, log });
  headers = await app.loggedIn();
});
afterAll(async () => {
  await app[Symbol.asyncDispose]();
  await store[Symbol.asyncDispose]();
});
afterEach(() => store.answerInstead(() => undefined));

const small = zipBytes({ "docs/a.txt": "a", "b.txt": "b".repeat(1_000) });
/** More than two parts. */
const large = largePng(11_000_000);

interface Result {
  success: boolean;
  id: number;
  err_msg?: string;
}
async function upload(content: Uint8Array<ArrayBuffer>, name = "a.zip", to = app, as = headers) {
  const form = new FormData();
  form.append("[]", new File([content], name));
  const reply = await fetch(`${to.url}/api/uploads`, { method: "POST", body: form, headers: as });
  return { reply, result: (await reply.json()) as Result };
}
const get = (path: string, more: Record<string, string> = {}) =>
  fetch(`${app.url}${path}`, { headers: { ...headers, ...more } });
const contentOf = (id: number, more: Record<string, string> = {}) => get(`/api/uploads/${String(id)}/content`, more);
const bytesOf = async (reply: Response) => Buffer.from(await reply.arrayBuffer());
const nameOf = (content: Uint8Array) => {
  const sha256 = createHash("sha256").update(content).digest("hex");
  return `${sha256.slice(0, 2)}/${sha256}`;
};
const state = () => json<UploadContentsState>(callConsole(app, "GET", "/upload-contents"));

describe("an upload with a bucket", () => {
  it.each([
    ["smaller than a part", small, "a.zip"],
    ["of several parts", large, "a.png"],
  ])("is stored there under its hash, and nowhere else: %s", async (_size, content, name) => {
    const { reply, result } = await upload(content, name);
    expect([reply.status, result.success]).toEqual([201, true]);
    expect(await store.objects()).toContain(nameOf(content));
    const files = readdirSync(join(app.folder, "uploads"), { recursive: true, withFileTypes: true });
    expect(files.filter((one) => one.isFile()).map((one) => one.name)).toEqual(["bucket.txt"]);
    const whole = await contentOf(result.id);
    expect((await bytesOf(whole)).equals(Buffer.from(content))).toBe(true);
    expect(whole.headers.get("content-disposition")).toBe(`attachment; filename=${name}`);
    for (const [range, from, to] of [
      ["bytes=0-9", 0, 10],
      ["bytes=10-", 10, content.length],
      ["bytes=-5", content.length - 5, content.length],
    ] as const) {
      const part = await contentOf(result.id, { Range: range });
      expect(part.status).toBe(206);
      expect((await bytesOf(part)).equals(Buffer.from(content.subarray(from, to)))).toBe(true);
    }
  });

  it("shows its entries and thumbnails, and goes with its last row", async () => {
    const zip = await upload(small);
    const picture = pngBytes(600, 300);
    const { result } = await upload(picture, "wide.png");
    const entries = (await (await get(`/api/uploads/${String(zip.result.id)}/entries`)).json()) as {
      data: { entries: unknown[] };
    };
    expect(entries.data.entries).toHaveLength(2);
    expect((await get(`/api/uploads/${String(result.id)}/thumbnail`)).status).toBe(200);
    await callConsole(app, "POST", "/resets", { parts: ["uploads"] });
    expect(await store.objects()).toEqual([]);
  });

  it.each([
    ["too large", largePng(13_000_000), "a.png", /larger than 12 MB/],
    ["not what its name says", new Uint8Array(7_000_000), "a.zip", /does not match its name/],
  ])("leaves no object and no part behind when it is %s", async (_how, content, name, message) => {
    const before = await store.objects();
    const { reply, result } = await upload(content, name);
    expect([reply.status, result.err_msg]).toEqual([400, expect.stringMatching(message)]);
    expect([await store.objects(), await store.openUploads()]).toEqual([before, []]);
  });

  it("leaves no object and no part behind when its client leaves in the middle", async () => {
    const before = await store.objects();
    const begun = store.begunUploads().length;
    const socket = connect(app.port, "127.0.0.1");
    socket.write(
      `POST /api/uploads HTTP/1.1\r\nHost: localhost\r\nAuthorization: ${headers["Authorization"] ?? ""}\r\nContent-Type: multipart/form-data; boundary=b\r\nContent-Length: 11000000\r\n\r\n--b\r\nContent-Disposition: form-data; name="[]"; filename="a.zip"\r\n\r\n`,
    );
    socket.write(Buffer.alloc(6_000_000));
    await expect.poll(() => store.begunUploads().length).toBe(begun + 1);
    socket.destroy();
    await expect.poll(() => store.openUploads()).toEqual([]);
    await expect.poll(() => readdirSync(join(app.folder, "uploads", "incoming"))).toEqual([]);
    expect(await store.objects()).toEqual(before);
  });

  it("whose object is gone answers 404 content_lost, until it is there again", async () => {
    const { result } = await upload(small);
    await store.remove(nameOf(small));
    const lost = await contentOf(result.id);
    expect([lost.status, await lost.json()]).toEqual([
      404,
      { Message: expect.stringContaining("Put it back into the bucket") as string, code: "content_lost" },
    ]);
    expect(await state()).toMatchObject({ folder: `s3://${store.settings.uploads_bucket}`, lost: 1 });
    await store.put(nameOf(small), small);
    expect((await contentOf(result.id)).status).toBe(200);
    expect(await state()).toMatchObject({ lost: 0 });
  });
});

describe("a bucket that cannot be used", () => {
  it.each([
    ["full", { status: 507, code: "XMinioStorageFull" }, "store_full", /is full. Nothing was stored. Free some space/],
    ["closed to this server", { status: 403, code: "AccessDenied" }, "store_forbidden", /refuses .*[.] Check its key/],
  ])("is a 503 that says what to do: %s", async (_how, answer, code, message) => {
    const { result: stored } = await upload(small);
    store.answerInstead(() => answer);
    const refused = await upload(zipBytes({ "c.txt": "c" }));
    expect([refused.reply.status, refused.reply.headers.get("retry-after"), refused.result]).toEqual([
      503,
      "5",
      expect.objectContaining({ success: false, err_msg: expect.stringMatching(message) as string }),
    ]);
    const download = await contentOf(stored.id);
    expect([download.status, await download.json()]).toMatchObject([503, { code }]);
    const chinese = await contentOf(stored.id, { "Accept-Language": "zh" });
    expect(await chinese.json()).toMatchObject({ Message: expect.stringMatching(/^存放上传内容的存储/) as string });
    expect((await callConsole(app, "GET", "/upload-contents")).status).toBe(503);
  });

  it("is a 503 of a fixture's load, too, which has nothing to do with the fixture", async () => {
    await upload(zipBytes({ "d.txt": "d" }));
    await callConsole(app, "PUT", "/fixtures/sound", { parts: ["uploads"] });
    await callConsole(app, "POST", "/resets", { parts: ["uploads"] });
    store.answerInstead(({ method }) => (method === "GET" ? undefined : { status: 507, code: "InsufficientStorage" }));
    const refused = await callConsole(app, "POST", "/fixtures/sound/loads");
    expect([refused.status, await refused.json()]).toMatchObject([503, { code: "store_full" }]);
    store.answerInstead(() => undefined);
    expect((await callConsole(app, "POST", "/fixtures/sound/loads")).status).toBe(200);
  });

  it("is a 503 while it is down, loses nothing, and is used as soon as it is back", async () => {
    const { result: before } = await upload(small);
    await store.down();
    const refused = await upload(zipBytes({ "d.txt": "d" }));
    expect([refused.reply.status, refused.result.err_msg]).toEqual([503, expect.stringContaining("does not respond")]);
    expect((await contentOf(before.id)).status).toBe(503);
    expect((await get("/api/articles")).status).toBe(200);
    await store.up();
    expect((await contentOf(before.id)).status).toBe(200);
    expect((await upload(zipBytes({ "d.txt": "d" }))).reply.status).toBe(201);
  });

  it("does not keep Hearth from starting, and its contents are looked after once it answers", async () => {
    await store.down();
    const { lines: told, log: heard } = recordedLog();
    await using second = await startTestApp({ settings: store.settings, log: heard });
    const as = await second.loggedIn();
    expect((await fetch(`${second.url}/api/articles`, { headers: as })).status).toBe(200);
    await expect.poll(() => told.join("")).toContain("the contents of the uploads cannot be checked now");
    await store.up();
    const { reply } = await upload(small, "a.zip", second, as);
    expect(reply.status).toBe(201);
    expect((await callConsole(second, "POST", "/upload-checks")).status).toBe(200);
  });
});

describe("a start with a bucket", () => {
  it("notes which contents are lost, and where the contents are for backups", async () => {
    const { result } = await upload(zipBytes({ "e.txt": "e" }));
    await store.remove(nameOf(zipBytes({ "e.txt": "e" })));
    expect((await callConsole(app, "POST", "/upload-checks")).status).toBe(200);
    expect(await state()).toMatchObject({ lost: 1 });
    expect((await contentOf(result.id)).status).toBe(404);
    const place = readFileSync(join(app.folder, "uploads", "bucket.txt"), "utf8");
    expect(place).toBe(`s3://${store.settings.uploads_bucket}\n`);
    const sizes = await json<{ uploads_in: string }>(callConsole(app, "GET", "/storage"));
    expect(sizes.uploads_in).toBe(`s3://${store.settings.uploads_bucket}`);
  });
});

describe("links to the store", () => {
  it("send a client there for a while, with the headers of an attachment; what is recorded opens nothing", async () => {
    await using signed = await startSigningS3Server();
    await using linking = await startTestApp({ settings: { ...signed.settings, uploads_link_seconds: 60 } });
    const as = await linking.loggedIn();
    const { result } = await upload(small, "plan.zip", linking, as);
    const at = `${linking.url}/api/uploads/${String(result.id)}/content`;
    const sent = await fetch(at, { headers: as, redirect: "manual" });
    const link = sent.headers.get("location") ?? "";
    expect([sent.status, sent.headers.has("status-package"), new URL(link).searchParams.get("X-Amz-Expires")]).toEqual([
      307,
      true,
      "60",
    ]);
    const download = await fetch(link, { headers: { Range: "bytes=2-5" } });
    expect([download.status, download.headers.get("content-type")]).toEqual([206, "application/octet-stream"]);
    expect(download.headers.get("content-disposition")).toBe("attachment; filename=plan.zip");
    expect((await bytesOf(download)).equals(Buffer.from(small.subarray(2, 6)))).toBe(true);
    const forged = new URL(link);
    forged.searchParams.set("response-content-type", "text/html");
    expect((await fetch(forged)).status).toBe(403);
    expect((await fetch(at, { headers: as, method: "HEAD" })).headers.get("content-length")).toBe(String(small.length));
    const signature = new URL(link).searchParams.get("X-Amz-Signature") ?? "";
    const recorded = await (await callConsole(linking, "GET", "/requests?limit=50")).text();
    const ids = Array.from(recorded.matchAll(/"id":(\d+)/g), ([, id = ""]) => id);
    for (const id of ids)
      expect(await (await callConsole(linking, "GET", `/requests/${id}`)).text()).not.toContain(signature);
  });

  it("that a wrong key would sign are refused as the uploads are: 503", async () => {
    await using signed = await startSigningS3Server();
    const settings = { ...signed.settings, uploads_secret_key: "not-this-one" };
    await using wrong = await startTestApp({ settings });
    const { reply, result } = await upload(small, "a.zip", wrong, await wrong.loggedIn());
    expect([reply.status, result.err_msg]).toEqual([503, expect.stringContaining("refuses this server")]);
  });
});

it("the secret of the key is in no log, no answer of the console and no page of settings", async () => {
  const { uploads_secret_key: secret } = store.settings;
  const told = await Promise.all(
    ["/settings", "/upload-contents", "/storage", "/requests?limit=100", "/events"].map(async (path) =>
      (await callConsole(app, "GET", path)).text(),
    ),
  );
  expect(told.every((text) => text.length > 0)).toBe(true);
  for (const text of [...told, lines.join("")]) expect(text.includes(secret)).toBe(false);
});
