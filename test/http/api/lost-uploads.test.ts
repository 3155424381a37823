/** What the console learns of uploads whose content is lost, and the check that takes it back while all goes on. */
import { readdirSync, readFileSync, renameSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { CloudEvent } from "../../../server/contract/console/traffic/stored-event.ts";
import type {
  StoredUpload,
  UploadCheck,
  UploadContentsState,
} from "../../../server/contract/console/data/stored-uploads.ts";
import { callConsole, json } from "../../support/app/control-calls.ts";
import { zipBytes } from "../../support/files.ts";
import { authorized } from "../../support/app/recorded-calls.ts";
import { startTestApp, type TestApp } from "../../support/app/test-app.ts";

let app: TestApp;
let alice: Record<string, string>;
let uploads: string;
beforeAll(async () => {
  app = await startTestApp();
  uploads = join(app.folder, "uploads");
});
afterAll(() => app[Symbol.asyncDispose]());

const control = (method: string, path: string, body?: unknown) => callConsole(app, method, path, body);
const state = () => json<UploadContentsState>(control("GET", "/upload-contents"));
const check = () => json<UploadCheck>(control("POST", "/upload-checks"));
const list = (query = "") => json<{ uploads: StoredUpload[]; total: number }>(control("GET", `/uploads${query}`));
const contentOf = (id: number) => control("GET", `/uploads/${String(id)}/content`);
const fileOf = ({ sha256 }: StoredUpload) => join(uploads, sha256.slice(0, 2), sha256);
const told = async (type: string) =>
  (await json<{ events: CloudEvent[] }>(control("GET", `/events?type=${type}`))).events.map(({ data }) => data);
const send = (bytes: Uint8Array<ArrayBuffer>) => {
  const form = new FormData();
  form.append("[]", new File([bytes], "plan.zip"));
  return fetch(`${app.url}/api/uploads`, { method: "POST", headers: alice, body: form });
};
async function uploaded(bytes: Uint8Array<ArrayBuffer>): Promise<StoredUpload> {
  const { id } = await json<{ id: number }>(send(bytes));
  const found = (await list()).uploads.find((upload) => upload.id === id);
  if (!found) throw new Error("it is not listed");
  return found;
}
let count = 0;
const newZip = () => zipBytes({ "a.txt": `content ${String(++count)} `.repeat(50) });

beforeEach(async () => {
  await control("POST", "/resets", {});
  rmSync(join(uploads, "orphans"), { recursive: true, force: true });
  alice = await app.loggedIn("alice");
});

describe("an upload whose content is lost", () => {
  it("is marked and counted once it was requested, reported by an event, and no longer after a new upload", async () => {
    const bytes = newZip();
    const [whole, gone] = [await uploaded(newZip()), await uploaded(bytes)];
    rmSync(fileOf(gone));
    for (let i = 0; i < 2; i++) expect((await contentOf(gone.id)).status).toBe(404);
    expect(await list("?lost=true")).toEqual({ uploads: [{ ...gone, lost: "missing" }], total: 1 });
    expect((await list()).uploads).toEqual([{ ...gone, lost: "missing" }, whole]);
    expect(await state()).toEqual({ folder: uploads, lost: 1, orphans: { count: 0, bytes: 0 } });
    await expect.poll(() => told("upload.lost")).toEqual([{ id: gone.id, file_name: "plan.zip", reason: "missing" }]);

    await uploaded(bytes);
    expect([(await state()).lost, (await list("?lost=true")).total]).toEqual([0, 0]);
    expect((await contentOf(gone.id)).status).toBe(200);
  });

  it("has it again once the file is back and read, which an event reports", async () => {
    const upload = await uploaded(newZip());
    renameSync(fileOf(upload), join(app.folder, "kept"));
    expect((await contentOf(upload.id)).status).toBe(404);
    renameSync(join(app.folder, "kept"), fileOf(upload));
    expect((await contentOf(upload.id)).status).toBe(200);
    expect((await state()).lost).toBe(0);
    await expect.poll(() => told("upload.recovered")).toEqual([{ id: upload.id, file_name: "plan.zip" }]);
  });

  it("is marked as damaged when its content is something else, and counted among the orphans", async () => {
    const upload = await uploaded(newZip());
    const bytes = readFileSync(fileOf(upload));
    bytes.writeUInt8(bytes.readUInt8(50) ^ 1, 50);
    writeFileSync(fileOf(upload), bytes);
    await contentOf(upload.id);
    await expect.poll(state).toMatchObject({ lost: 1, orphans: { count: 1, bytes: bytes.length } });
    expect((await list()).uploads[0]).toMatchObject({ lost: "damaged" });
    // It is not taken back as if it were whole.
    expect(await check()).toEqual({ recovered: 0, lost: 1, set_aside: 0 });
    expect(await state()).toMatchObject({ lost: 1, orphans: { count: 1 } });
  });
});

describe("POST /console/api/upload-checks", () => {
  it("finds lost contents, takes them back from a restored folder, and reports both", async () => {
    const upload = await uploaded(newZip());
    renameSync(uploads, join(app.folder, "moved"));
    expect(await check()).toEqual({ recovered: 0, lost: 1, set_aside: 0 });
    expect((await list()).uploads[0]).toMatchObject({ lost: "missing" });
    // An upload makes the folder anew: what was put back comes beside it.
    const other = await uploaded(newZip());
    for (const name of readdirSync(join(app.folder, "moved")).filter((one) => /^[0-9a-f]{2}$/.test(one))) {
      await mkdir(join(uploads, name), { recursive: true });
      for (const file of readdirSync(join(app.folder, "moved", name)))
        renameSync(join(app.folder, "moved", name, file), join(uploads, name, file));
    }
    rmSync(join(app.folder, "moved"), { recursive: true });
    expect(await check()).toEqual({ recovered: 1, lost: 0, set_aside: 0 });
    for (const { id } of [upload, other]) expect((await contentOf(id)).status).toBe(200);
    await expect.poll(async () => (await told("uploads.checked"))[0]).toEqual({ recovered: 1, lost: 0, set_aside: 0 });
  });

  it("takes back from orphans, and sets aside what no upload names", async () => {
    const upload = await uploaded(newZip());
    await mkdir(join(uploads, "orphans"), { recursive: true });
    renameSync(fileOf(upload), join(uploads, "orphans", upload.sha256));
    await mkdir(join(uploads, "ab"), { recursive: true });
    writeFileSync(join(uploads, "ab", "ab".repeat(32)), "from somewhere");
    expect(await check()).toEqual({ recovered: 1, lost: 0, set_aside: 1 });
    expect((await contentOf(upload.id)).status).toBe(200);
    expect(readdirSync(join(uploads, "orphans"))).toEqual(["ab".repeat(32)]);
    expect((await state()).orphans).toEqual({ count: 1, bytes: 14 });
  });

  it("shows its progress, runs once at a time, and ends when its client leaves", async () => {
    const upload = await uploaded(newZip());
    rmSync(fileOf(upload));
    expect(await check()).toMatchObject({ lost: 1 });
    writeFileSync(fileOf(upload), "");
    truncateSync(fileOf(upload), 2 ** 36); // holes, which take their time to be read
    const leaving = new AbortController();
    const cancelled = fetch(`${app.url}/console/api/upload-checks`, {
      method: "POST",
      headers: authorized,
      signal: leaving.signal,
    });
    await expect.poll(state).toMatchObject({ check: { done: 0, total: 1 } });
    const second = await control("POST", "/upload-checks");
    expect([second.status, await second.json()]).toMatchObject([409, { code: "check_running" }]);
    leaving.abort();
    await expect(cancelled).rejects.toThrow("aborted");
    await expect.poll(state).toEqual({ folder: uploads, lost: 1, orphans: { count: 0, bytes: 0 } });
    rmSync(fileOf(upload));
  });

  it("leaves content alone that is on its way to a row, at whatever moment it comes", async () => {
    let isOver = false;
    const checking = (async () => {
      for (let checks = 0; !isOver; checks++) {
        expect(await check()).toEqual({ recovered: 0, lost: 0, set_aside: 0 });
        await setImmediate();
      }
    })();
    const twice = newZip();
    const sending = (async () => {
      for (let round = 0; round < 15; round++) {
        const sent = await Promise.all([send(newZip()), send(newZip()), send(twice), send(twice)]);
        expect(sent.map(({ status }) => status)).toEqual([201, 201, 201, 201]);
      }
    })().finally(() => (isOver = true));
    await Promise.all([checking, sending]);
    for (const { id, lost } of (await list()).uploads)
      expect([id, (await contentOf(id)).status, lost]).toEqual([id, 200, undefined]);
    expect(await state()).toMatchObject({ lost: 0, orphans: { count: 0 } });
  });

  it("leaves content alone that a fixture is about to bring back", async () => {
    await Promise.all(Array.from({ length: 12 }, () => send(newZip())));
    const { uploads: saved } = await list();
    await control("PUT", "/fixtures/one", { parts: ["uploads"] });
    for (let round = 0; round < 2; round++) {
      await control("POST", "/resets", { parts: ["uploads"] });
      const load = control("POST", "/fixtures/one/loads");
      let isOver = false;
      const loaded = load.finally(() => (isOver = true));
      while (!isOver) await check();
      expect((await loaded).status).toBe(200);
      for (const { id } of saved) expect([id, (await contentOf(id)).status]).toEqual([id, 200]);
    }
  });
});
