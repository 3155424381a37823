/** Uploads that are in a bucket, whose store fails when they are read. */
import { afterAll, afterEach, beforeAll, expect, it } from "vitest";
import { startTestApp, type TestApp } from "../../support/app/test-app.ts";
import { pngBytes, zipBytes } from "../../support/files.ts";
import { startS3Server, type S3Server } from "../../support/store/s3-server.ts";

let store: S3Server;
let app: TestApp;
let headers: Record<string, string>;
beforeAll(async () => {
  store = await startS3Server();
  app = await startTestApp({ settings: store.settings });
  headers = await app.loggedIn();
});
afterAll(async () => {
  await app[Symbol.asyncDispose]();
  await store[Symbol.asyncDispose]();
});
afterEach(() => store.answerInstead(() => undefined));

async function upload(content: Uint8Array<ArrayBuffer>, name: string): Promise<string> {
  const form = new FormData();
  form.append("[]", new File([content], name));
  const reply = await fetch(`${app.url}/api/uploads`, { method: "POST", body: form, headers });
  return `${app.url}/api/uploads/${String(((await reply.json()) as { id: number }).id)}`;
}
/** Objects may be looked at, but not read. */
const forbidden = () =>
  store.answerInstead(({ method }) => (method === "GET" ? { status: 403, code: "AccessDenied" } : undefined));
/** The store goes away in the middle of an object. */
const cut = () => store.answerInstead(({ method }) => (method === "GET" ? "cut" : undefined));
const refusal = async (reply: Response) => [
  reply.status,
  reply.headers.get("retry-after"),
  ((await reply.json()) as { code: string }).code,
];

it("a thumbnail of a picture that cannot be read is 503, and works when it can be read again", async () => {
  const picture = await upload(pngBytes(8, 8), "a.png");
  const thumbnail = () => fetch(`${picture}/thumbnail`, { headers });
  forbidden();
  expect(await refusal(await thumbnail())).toEqual([503, "5", "store_forbidden"]);
  cut();
  expect(await refusal(await thumbnail())).toEqual([503, "5", "store_unreachable"]);
  store.answerInstead(() => undefined);
  expect((await thumbnail()).status).toBe(200);
});

it("a download that cannot begin is answered 503, without a word about the content", async () => {
  const zip = await upload(zipBytes({ "a.txt": "a" }), "a.zip");
  const download = () => fetch(`${zip}/content`, { headers: { ...headers, Range: "bytes=0-9" } });
  forbidden();
  const refused = await download();
  for (const name of ["content-disposition", "content-range", "etag"]) expect(refused.headers.has(name)).toBe(false);
  expect(await refusal(refused)).toEqual([503, "5", "store_forbidden"]);
  cut();
  await expect(download().then((reply) => reply.text())).rejects.toThrow();
  store.answerInstead(() => undefined);
  expect((await download()).status).toBe(206);
});

it("the listing of an archive that cannot be read is 503, and calls it damaged no more", async () => {
  const zip = await upload(zipBytes({ "b.txt": "b" }), "b.zip");
  const entries = () => fetch(`${zip}/entries`, { headers });
  forbidden();
  expect(await refusal(await entries())).toEqual([503, "5", "store_forbidden"]);
  cut();
  expect(await refusal(await entries())).toEqual([503, "5", "store_unreachable"]);
  store.answerInstead(() => undefined);
  expect((await entries()).status).toBe(200);
});
