/** Instances that share a database and the folder of the uploads: none removes what another is just storing. */
import { createHash, randomUUID } from "node:crypto";
import { existsSync, mkdirSync, symlinkSync } from "node:fs";
import { request, type IncomingMessage } from "node:http";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, expect, it } from "vitest";
import { zipBytes } from "../support/files.ts";
import { startTestApp, type TestApp } from "../support/app/test-app.ts";
import { testDatabaseUrl } from "../support/store/test-database.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const shared = temporaryFolder();
const uploads = join(shared.path, "uploads");
const folders = [temporaryFolder(), temporaryFolder()] as const;
let one: TestApp;
let other: TestApp;
let headers: Record<string, string>;

async function start(folder: string, provider?: TestApp["provider"]): Promise<TestApp> {
  const database_url = await testDatabaseUrl(`shared-uploads-${shared.path.split("/").at(-1) ?? ""}`);
  return startTestApp({ folder, settings: { database_url }, ...(provider && { provider }) });
}

beforeAll(async () => {
  mkdirSync(uploads);
  for (const { path } of folders) symlinkSync(uploads, join(path, "uploads"));
  one = await start(folders[0].path);
  headers = await one.loggedIn();
});
afterAll(async () => {
  await other[Symbol.asyncDispose]();
  await one[Symbol.asyncDispose]();
  for (const folder of [...folders, shared]) folder[Symbol.dispose]();
});

const boundary = "the-boundary";
const filePart = (bytes: Uint8Array): Buffer =>
  Buffer.concat([
    Buffer.from(`--${boundary}\r\nContent-Disposition: form-data; name="[]"; filename="a.zip"\r\n\r\n`),
    bytes,
    Buffer.from(`\r\n--${boundary}\r\n`),
  ]);
const typePart = `Content-Disposition: form-data; name="type"\r\n\r\ndoc\r\n--${boundary}--\r\n`;

/** Sends the file of an upload, and the field that comes after it when `finish` is called. */
function beginUpload(app: TestApp, bytes: Uint8Array) {
  const req = request(`${app.url}/api/uploads`, {
    method: "POST",
    headers: { ...headers, "Content-Type": `multipart/form-data; boundary=${boundary}` },
  });
  const answered = new Promise<IncomingMessage>((resolve, reject) => req.on("response", resolve).on("error", reject));
  req.write(filePart(bytes));
  return {
    async finish(): Promise<{ status: number | undefined; body: { id: number } }> {
      req.end(typePart);
      const res = await answered;
      return { status: res.statusCode, body: JSON.parse(await text(res)) as { id: number } };
    },
  };
}

/** Uploads a form whose last field is too long, so that its file is received and then discarded. */
async function refused(app: TestApp, bytes: Uint8Array<ArrayBuffer>): Promise<number> {
  const form = new FormData();
  form.append("[]", new File([bytes], "a.zip"));
  form.append("type", "x".repeat(70_000));
  return (await fetch(`${app.url}/api/uploads`, { method: "POST", headers, body: form })).status;
}

it("a content that one instance has received survives the start of another, and what that one does with an equal one", async () => {
  const bytes = zipBytes({ "a.txt": randomUUID() });
  const sha256 = createHash("sha256").update(bytes).digest("hex");
  const file = join(uploads, sha256.slice(0, 2), sha256);
  const upload = beginUpload(one, bytes);
  await expect.poll(() => existsSync(file)).toBe(true);

  other = await start(folders[1].path, one.provider);
  expect(existsSync(file)).toBe(true);

  expect([await refused(other, bytes), existsSync(file)]).toEqual([400, true]);

  const { status, body } = await upload.finish();
  expect(status).toBe(201);
  const content = await fetch(`${other.url}/api/uploads/${String(body.id)}/content`, { headers });
  expect(Buffer.from(await content.arrayBuffer()).equals(bytes)).toBe(true);
});

it("a content that is refused by all who received it is removed", async () => {
  const bytes = zipBytes({ "a.txt": randomUUID() });
  const sha256 = createHash("sha256").update(bytes).digest("hex");
  for (const app of [one, other]) expect(await refused(app, bytes)).toBe(400);
  expect(existsSync(join(uploads, sha256.slice(0, 2), sha256))).toBe(false);
});
