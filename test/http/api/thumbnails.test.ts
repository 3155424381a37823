/** Thumbnails that many ask for at once, of pictures in a bucket whose store is slow. */
import { once } from "node:events";
import { connect } from "node:net";
import { afterAll, beforeAll, expect, it } from "vitest";
import { startTestApp, type TestApp } from "../../support/app/test-app.ts";
import { pngBytes } from "../../support/files.ts";
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

/** The path of the thumbnail of a new picture; each has a width of its own. */
async function upload(width: number): Promise<string> {
  const form = new FormData();
  form.append("[]", new File([pngBytes(width, 2_000)], "a.png"));
  const reply = await fetch(`${app.url}/api/uploads`, { method: "POST", body: form, headers });
  return `/api/uploads/${String(((await reply.json()) as { id: number }).id)}/thumbnail`;
}
const uploadAll = (widths: readonly number[]) => Promise.all(widths.map(upload));
const get = async (path: string) => (await fetch(`${app.url}${path}`, { headers })).status;
const reads = () => store.requests.filter((line) => line.startsWith("GET ")).length;

/** The store answers no request for a content until this is called. */
function holdReads(): () => void {
  const { promise, resolve } = Promise.withResolvers<void>();
  store.requests.length = 0;
  store.hold(/GetObject/, promise);
  return resolve;
}

/** Comes back when the server has the request. */
async function begin(path: string) {
  const socket = connect(app.port, "127.0.0.1");
  const closed = once(socket, "close");
  let answer = "";
  socket.on("data", (bytes) => (answer += bytes.toString("latin1")));
  const authorization = `Authorization: ${headers["Authorization"] ?? ""}`;
  const more = "Expect: 100-continue\r\nConnection: close";
  socket.write(`GET ${path} HTTP/1.1\r\nHost: localhost\r\n${authorization}\r\n${more}\r\n\r\n`);
  await once(socket, "data");
  expect(answer).toMatch("100 Continue");
  return {
    status: closed.then(() => /HTTP\/1[.]1 ([2-5]\d\d)/.exec(answer)?.[1]),
    leave: () => (socket.destroy(), closed),
  };
}
/** Those that have begun before are as far as they get: this request goes the same way. */
const othersWait = () => get("/api/uploads/1");

const statuses = (begun: readonly { readonly status: Promise<string | undefined> }[]) =>
  Promise.all(begun.map(({ status }) => status));

it("thumbnails of many pictures are made two at a time, and all are answered", async () => {
  const paths = await uploadAll([1, 2, 3, 4, 5, 6, 7, 8]);
  const release = holdReads();
  const begun = await Promise.all(paths.map(begin));
  await othersWait();
  await expect.poll(reads).toBe(2);
  release();
  expect([await statuses(begun), reads()]).toEqual([paths.map(() => "200"), 8]);
});

it("the thumbnail of a picture is made once for all clients that wait for it", async () => {
  const path = await upload(20);
  const release = holdReads();
  const begun = await Promise.all(Array.from({ length: 20 }, async () => begin(path)));
  await othersWait();
  release();
  expect([await statuses(begun), reads()]).toEqual([begun.map(() => "200"), 1]);
});

it("no thumbnail is made for clients that have left", async () => {
  const [last = "", ...paths] = await uploadAll([30, 31, 32, 33, 34]);
  const release = holdReads();
  const reading = await Promise.all(paths.slice(0, 2).map(begin));
  await expect.poll(reads).toBe(2);
  const waiting = await Promise.all(paths.slice(2).map(begin));
  await othersWait();
  await Promise.all(waiting.map(({ leave }) => leave()));
  await othersWait();
  release();
  expect([await get(last), await statuses(reading), reads()]).toEqual([200, ["200", "200"], 3]);
});
