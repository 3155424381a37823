/** What the data directory takes, as the console's API tells it, and what of it goes when a person says so. */
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { StoragePart, StorageSizes } from "../../../../server/contract/console/data/storage-endpoints.ts";
import { zipBytes } from "../../../support/files.ts";
import { consoleToken, startTestApp, type TestApp } from "../../../support/app/test-app.ts";
import { onPostgres } from "../../../support/store/stored-tables.ts";

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app[Symbol.asyncDispose]());

const at = (path: string) => join(app.folder, path);
function put(path: string, bytes: number): void {
  mkdirSync(dirname(at(path)), { recursive: true });
  writeFileSync(at(path), Buffer.alloc(bytes, 1));
}
const request = (method: string, path = "") =>
  fetch(`${app.url}/console/api/storage${path}`, { method, headers: { Authorization: `Bearer ${consoleToken}` } });
const call = async (method: string, path = "") => (await request(method, path)).json();

/** Asks until the count is over. */
async function sizes(): Promise<Record<StoragePart, { files: number; bytes: number }>> {
  await request("POST", "/counts");
  let last: StorageSizes | undefined;
  await expect
    .poll(async () => (last = (await call("GET")) as StorageSizes).counting || last.counted_at === undefined)
    .toBe(false);
  return Object.fromEntries(last?.parts.map(({ name, files, bytes }) => [name, { files, bytes }]) ?? []) as Awaited<
    ReturnType<typeof sizes>
  >;
}

async function upload(): Promise<string> {
  const bytes = zipBytes({ "a.txt": "a" });
  const form = new FormData();
  form.append("[]", new File([bytes], "a.zip"));
  await fetch(`${app.url}/api/uploads`, { method: "POST", body: form, headers: await app.loggedIn() });
  return createHash("sha256").update(bytes).digest("hex");
}

describe("the storage of the console", () => {
  it("shows the size of each part", async () => {
    const sha256 = await upload();
    put(`uploads/orphans/${"0".repeat(64)}`, 20);
    put("models/blobs/one", 3_000);
    put("models/two.gguf", 4_000);
    put("backups/hearth-at-0001_a-20260101T000000Z.db", 50);
    const found = await sizes();
    expect(existsSync(at(`uploads/${sha256.slice(0, 2)}/${sha256}`))).toBe(true);
    expect(found).toMatchObject({
      uploads: { files: 1, bytes: zipBytes({ "a.txt": "a" }).length },
      orphans: { files: 1, bytes: 20 },
      models: { files: 2, bytes: 7_000 },
      backups: { files: 1, bytes: 50 },
    });
    // The sizes are those of the data directory: what lies in PostgreSQL is not counted.
    expect([found.application.bytes > 0, found.provider.files > 0]).toEqual([!onPostgres(), !onPostgres()]);
  });

  it("deletes what Hearth itself has put among the backups, and nothing of a person's", async () => {
    put("backups/provider-at-0001_a-20260101T000000Z.db", 50);
    put("backups/before-restore-20260101T000000Z/hearth.db", 50);
    put("backups/mine.tar", 7);
    expect(await call("DELETE", "/backups")).toEqual({ removed: 3 });
    expect((await sizes()).backups).toEqual({ files: 1, bytes: 7 });
  });

  it("deletes contents that no upload names, and keeps damaged ones that one does", async () => {
    const sha256 = await upload();
    rmSync(at(`uploads/${sha256.slice(0, 2)}/${sha256}`));
    put(`uploads/orphans/${sha256}`, 5);
    put(`uploads/orphans/${"1".repeat(64)}`, 30);
    put("uploads/orphans/README", 2);
    expect(await call("DELETE", "/orphans")).toEqual({ removed: 2 });
    expect((await sizes()).orphans).toEqual({ files: 2, bytes: 7 });
    expect(existsSync(at(`uploads/orphans/${sha256}`))).toBe(true);
  });
});
