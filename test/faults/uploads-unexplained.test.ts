/** Databases and files of uploads that do not belong together, or are damaged: nothing is deleted, and nothing served that is not whole. */
import { mkdirSync, readFileSync, readdirSync, renameSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { zipBytes } from "../support/files.ts";
import { forkApp, type ForkedApp } from "../support/process/forked-app.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

interface Row {
  id: number;
  sha256: string;
  size: number;
}

const archive = zipBytes({ "a.txt": "what somebody has uploaded ".repeat(1_000) });
let folder: ReturnType<typeof temporaryFolder>;
let app: ForkedApp;
beforeEach(async () => {
  folder = temporaryFolder();
  app = await forkApp(folder.path);
});
afterEach(async () => {
  await app.kill();
  folder[Symbol.dispose]();
});

async function uploaded(): Promise<Row> {
  expect((await app.upload("a.zip", archive)).status).toBe(201);
  return rows().then(([newest]) => newest as Row);
}
const rows = async () => ((await (await app.console("/uploads?limit=100")).json()) as { uploads: Row[] }).uploads;
const contentOf = ({ id }: Row) => app.console(`/uploads/${String(id)}/content`);
const bytesOf = async (row: Row) => Buffer.from(await (await contentOf(row)).arrayBuffer());
const fileOf = ({ sha256 }: Row) => join(folder.path, "uploads", sha256.slice(0, 2), sha256);
const orphans = () => readdirSync(join(folder.path, "uploads/orphans"));
async function restart(meanwhile: () => void): Promise<void> {
  await app.kill();
  meanwhile();
  app = await forkApp(folder.path);
}
const lost = {
  status: 404,
  body: { code: "content_lost", Message: expect.stringContaining("upload the file again") as string },
};
async function answer(row: Row) {
  const reply = await contentOf(row);
  return { status: reply.status, body: await reply.json() };
}

describe("a start", () => {
  it.each([
    ["is gone", (database: string) => rmSync(database)],
    ["is empty", (database: string) => writeFileSync(database, "")],
  ])("keeps all contents when the database %s, and takes them back with it", async (_what, harm) => {
    const row = await uploaded();
    const database = join(folder.path, "hearth.db");
    const kept = join(folder.path, "kept.db");
    await restart(() => {
      for (const end of ["-wal", "-shm"])
        if (readdirSync(folder.path).includes(`hearth.db${end}`)) renameSync(`${database}${end}`, `${kept}${end}`);
      writeFileSync(kept, readFileSync(database));
      harm(database);
    });
    expect(await rows()).toEqual([]);
    expect(orphans()).toEqual([row.sha256]);
    await restart(() => {
      for (const end of ["", "-wal", "-shm"]) {
        rmSync(`${database}${end}`, { force: true });
        if (readdirSync(folder.path).includes(`kept.db${end}`)) renameSync(`${kept}${end}`, `${database}${end}`);
      }
    });
    expect(await rows()).toEqual([row]);
    expect((await bytesOf(row)).equals(archive)).toBe(true);
    expect(orphans()).toEqual([]);
  });

  it("keeps all rows when contents are gone, says so in each, and goes on when they are back", async () => {
    const row = await uploaded();
    const kept = join(folder.path, "kept");
    await restart(() => renameSync(fileOf(row), kept));
    expect(await rows()).toEqual([{ ...row, lost: "missing" }]);
    expect(await answer(row)).toMatchObject(lost);
    renameSync(kept, fileOf(row));
    expect((await bytesOf(row)).equals(archive)).toBe(true);
  });

  it("keeps what it finds among the contents and cannot explain", async () => {
    const row = await uploaded();
    const stranger = "ab".repeat(32);
    const note = join(folder.path, "uploads", "note.txt");
    await restart(() => {
      mkdirSync(join(folder.path, "uploads/ab"), { recursive: true });
      writeFileSync(join(folder.path, "uploads/ab", stranger), "from somewhere");
      writeFileSync(note, "mine");
    });
    expect(await rows()).toEqual([row]);
    expect(readFileSync(join(folder.path, "uploads/orphans", stranger), "utf8")).toBe("from somewhere");
    expect(readFileSync(note, "utf8")).toBe("mine");
  });
});

describe("content that is damaged", () => {
  it("is not served when it is short, and replaced by the next upload of it", async () => {
    const row = await uploaded();
    truncateSync(fileOf(row), 100);
    expect(await answer(row)).toMatchObject(lost);
    const again = await uploaded();
    for (const one of [row, again]) expect((await bytesOf(one)).equals(archive)).toBe(true);
  });

  it("is found by its hash once it has been asked for, and replaced by the next upload of it", async () => {
    const row = await uploaded();
    const bytes = Buffer.from(archive);
    bytes.writeUInt8(bytes.readUInt8(50) ^ 1, 50);
    writeFileSync(fileOf(row), bytes);
    await contentOf(row);
    await expect.poll(() => answer(row)).toMatchObject(lost);
    expect(orphans()).toEqual([row.sha256]);
    const again = await uploaded();
    for (const one of [row, again]) expect((await bytesOf(one)).equals(archive)).toBe(true);
  });
});
