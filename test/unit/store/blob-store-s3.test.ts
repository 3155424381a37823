import { randomBytes, randomUUID } from "node:crypto";
import { mkdir, readdir, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Readable } from "node:stream";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { openS3BlobStore } from "../../../server/store/blobs/s3-blob-store.ts";
import { startS3Server, type S3Server } from "../../support/store/s3-server.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";
import { itIsABlobStore } from "./blob-store-contract.ts";

let server: S3Server;
beforeAll(async () => {
  server = await startS3Server();
});
afterAll(() => server[Symbol.asyncDispose]());
beforeEach(() => server.answerInstead(() => undefined));

const credentials = { accessKeyId: "the-key-id", secretAccessKey: "the-secret-of-the-key" };
const open = (folder: string, more: { youngMs?: number; bucket?: string } = {}) =>
  openS3BlobStore({
    bucket: server.settings.uploads_bucket,
    endpoint: server.url,
    credentials,
    folder,
    linkSeconds: 0,
    youngMs: 0,
    ...more,
  });
const random = (bytes: number) => Readable.from([randomBytes(bytes)]);

itIsABlobStore(async () => {
  const folder = temporaryFolder();
  return {
    open: () => open(folder.path),
    async halfStored() {
      const notes = await readdir(join(folder.path, "incoming")).catch(() => []);
      const objects = (await server.objects()).filter((name) => name.startsWith("incoming/"));
      return [...notes, ...objects, ...(await server.openUploads())];
    },
    async dispose() {
      for (const name of await server.objects()) await server.remove(name);
      folder[Symbol.dispose]();
    },
  };
});

describe("a bucket", () => {
  it("takes a small content by one request, and no more memory of a large one than parts", async () => {
    using folder = temporaryFolder();
    const blobs = await open(folder.path);
    const before = server.requests.length;
    await blobs.put(random(4_000));
    expect(server.requests.slice(before).map((line) => line.split(" ")[0])).toEqual(["PUT"]);
    const parts = server.requests.length;
    await blobs.put(random(11 * 1_048_576));
    const sent = server.requests.slice(parts).filter((line) => line.includes("partNumber="));
    expect(sent.map((line) => /partNumber=(\d+)/.exec(line)?.[1])).toEqual(["1", "2", "3"]);
  });

  it("keeps nothing of what a killed process had half sent, once its data directory is used again", async () => {
    using folder = temporaryFolder();
    const blobs = await open(folder.path);
    const { promise: never } = Promise.withResolvers<undefined>();
    async function* stalled() {
      yield randomBytes(6 * 1_048_576);
      await never;
    }
    void blobs.put(Readable.from(stalled()));
    await expect.poll(() => server.openUploads()).toHaveLength(1);
    const next = await open(folder.path);
    await next.removeRemains();
    expect([await server.openUploads(), await readdir(join(folder.path, "incoming"))]).toEqual([[], []]);
  });

  it("takes what a killed process had half received into a folder for no notes of its own", async () => {
    using folder = temporaryFolder();
    const { sha256 } = await (await open(folder.path)).put(random(10));
    const [Key = ""] = (await server.objects()).filter((name) => name.endsWith(sha256));
    const incoming = join(folder.path, "incoming");
    await mkdir(incoming);
    await writeFile(join(incoming, randomUUID()), randomBytes(100_000));
    await writeFile(join(incoming, randomUUID()), JSON.stringify({ Key: `of/hearth/${Key}`, UploadId: "1" }));
    const blobs = await open(folder.path);
    await blobs.removeRemains();
    expect([await readdir(incoming), await blobs.list()]).toEqual([[], expect.arrayContaining([sha256])]);
  });

  it("removes nothing where a link leads that somebody has put in the place of its notes", async () => {
    using folder = temporaryFolder();
    const [blobs, others] = [join(folder.path, "uploads"), join(folder.path, "documents")];
    for (const path of [blobs, others]) await mkdir(path);
    await writeFile(join(others, "letter"), "");
    await symlink(others, join(blobs, "incoming"));
    await (await open(blobs)).removeRemains();
    expect(await readdir(others)).toEqual(["letter"]);
  });

  it("does not set contents aside that are so young that another instance may be about to name them", async () => {
    using folder = temporaryFolder();
    const blobs = await open(folder.path, { youngMs: 60_000 });
    const { sha256 } = await blobs.put(random(10));
    expect([await blobs.setAside(sha256), await blobs.orphans()]).toEqual([false, { count: 0, bytes: 0 }]);
  });

  it.each([
    ["store_full", { status: 507, code: "XMinioStorageFull" }],
    ["store_full", { status: 400, code: "QuotaExceeded" }],
    ["store_forbidden", { status: 403, code: "AccessDenied" }],
    ["store_unreachable", { status: 500, code: "InternalError" }],
  ])("that refuses is a problem with a name: %s", async (code, answer) => {
    using folder = temporaryFolder();
    const blobs = await open(folder.path);
    server.answerInstead(() => answer);
    const cause = { message: expect.stringContaining(answer.code) as unknown };
    await expect(blobs.put(random(10))).rejects.toMatchObject({ name: "StoreProblem", code, cause });
    await expect(blobs.put(random(6 * 1_048_576))).rejects.toMatchObject({ name: "StoreProblem", code });
    await expect(blobs.list()).rejects.toMatchObject({ code });
  });

  it("that is not there is no store without contents", async () => {
    using folder = temporaryFolder();
    const blobs = await open(folder.path, { bucket: "no-such-bucket" });
    for (const asked of [() => blobs.open("0".repeat(64)), () => blobs.list(), () => blobs.put(random(10))])
      await expect(asked()).rejects.toMatchObject({ name: "StoreProblem", code: "store_missing" });
  });
});
