/** A restore believes nothing that a backup says about itself. */
import { randomBytes } from "node:crypto";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { open } from "node:fs/promises";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import fc from "fast-check";
import { Header } from "tar/header";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { manifestPath, type BackupManifest } from "../../../server/cli/backup/backup-format.ts";
import { readBackup } from "../../../server/cli/backup/read-backup.ts";
import { createTarWriter, readTar } from "../../../server/cli/backup/tar-file.ts";
import { addUpload, backupScene, filesIn, nothing, put, signal } from "../../support/app/backup-scene.ts";
import { Sqlite } from "../../../server/store/native-sqlite.ts";

const scene = backupScene();
const { backUp, newData, newFolder, restore } = scene;
afterAll(() => scene[Symbol.dispose]());

describe("an incomplete or altered backup", () => {
  let path: string;
  let bytes: Buffer;
  let target: string;
  beforeAll(async () => {
    const data = await newData();
    addUpload(data, randomBytes(700));
    put(data, "routes.json", "{}");
    ({ path } = await backUp(data));
    bytes = readFileSync(path);
    target = await newData();
  });

  const scratch = () => join(newFolder(), "broken.tar");
  async function refusal(write: (file: string) => Promise<void> | void): Promise<string> {
    const file = scratch();
    await write(file);
    const before = filesIn(target);
    const reason = await restore(file, target).then(
      () => "restored",
      (error: unknown) => (error as Error).message,
    );
    expect(filesIn(target)).toEqual(before);
    expect(readdirSync(join(target, "backups"))).toEqual([]);
    return reason;
  }

  const read = async (content: Buffer) => {
    const file = scratch();
    writeFileSync(file, content);
    await using handle = await open(file);
    return (await readBackup(handle, { onProgress: nothing, signal })).manifest;
  };

  it("is detected wherever it ends too early", async () => {
    const end = bytes.length - 1024;
    const cut = fc.asyncProperty(fc.nat(end - 1), async (length) => {
      await expect(read(bytes.subarray(0, length))).rejects.toThrow(/ends too early|cut off|not a tar archive/);
    });
    const inManifest = bytes.lastIndexOf('"contents"');
    await fc.assert(cut, { numRuns: 40, examples: [[inManifest], [end - 512], [end - 513]] });
  });

  it("is detected whichever bit is flipped, unless its files stay the same", async () => {
    const manifest = await read(bytes);
    const flip = fc.asyncProperty(fc.nat(bytes.length - 1), fc.nat(7), async (at, bit) => {
      const changed = Buffer.from(bytes);
      changed[at] = (changed[at] ?? 0) ^ (1 << bit);
      const found: BackupManifest | "refused" = await read(changed).catch(() => "refused" as const);
      if (found !== "refused") expect(found.files).toEqual(manifest.files);
    });
    await fc.assert(flip, { numRuns: 60 });
  });

  it("is refused when it is another kind of file", async () => {
    expect(await refusal((file) => writeFileSync(file, randomBytes(4096)))).toMatch(/not a tar archive/);
    expect(await refusal((file) => writeFileSync(file, ""))).toMatch(/ends too early/);
  });

  /** An archive with what it has, changed, and a file more. */
  async function archive(file: string, change: (path: string, content: Buffer) => Buffer, ...more: [string, string][]) {
    await using from = await open(path);
    await using to = await open(file, "wx+");
    const tar = createTarWriter(to, new Date());
    for (const [name, content] of more) await tar.add(name, content.length, [Buffer.from(content)]);
    for await (const entry of readTar(from)) {
      const content = change(entry.path, await buffer(entry.chunks()));
      await tar.add(entry.path, content.length, [content]);
    }
    await tar.end();
  }
  const same = (_path: string, content: Buffer) => content;

  it.each([
    "../outside",
    "/tmp/outside",
    "collections/../../outside",
    "collections/a\\..\\b",
    "collections/.hidden",
    "uploads/orphans/a",
    "lock.db",
    "models/m.gguf",
  ])("is refused with %s in it", async (name) => {
    expect(await refusal((file) => archive(file, same, [name, "x"]))).toMatch(/which is not part of a backup/);
    expect(existsSync(join(target, "..", "outside"))).toBe(false);
  });

  it("is refused with a link in it", async () => {
    const reason = await refusal((file) => {
      const link = Buffer.alloc(512);
      new Header({ path: "routes.json", linkpath: "/etc/passwd", type: "SymbolicLink", size: 0 }).encode(link);
      writeFileSync(file, Buffer.concat([link, bytes]));
    });
    expect(reason).toMatch(/routes.json is not a plain file/);
  });

  it("is refused with a file that its manifest does not know", async () => {
    expect(await refusal((file) => archive(file, same, ["collections/b.json", "{}"]))).toMatch(
      /its file .*b.json is damaged/,
    );
  });

  it("is refused from a newer Hearth, with the way on", async () => {
    const newer = await newData();
    const sqlite = new Sqlite(join(newer, "provider.db"));
    sqlite.exec("insert into kysely_migration values ('9999_later', '2030-01-01')");
    sqlite.close();
    const written = await backUp(newer);
    expect(await refusal((file) => writeFileSync(file, readFileSync(written.path)))).toMatch(
      /a newer Hearth created it \(unknown migration 9999_later\): restore it with that version/,
    );
  });

  it("is refused from a trial version, whose tables this Hearth does not make", async () => {
    const old = await newData();
    const sqlite = new Sqlite(join(old, "provider.db"));
    sqlite.exec("update kysely_migration set name = '0' || name");
    sqlite.close();
    const written = await backUp(old);
    expect(await refusal((file) => writeFileSync(file, readFileSync(written.path)))).toMatch(
      /a trial version before Hearth 0\.1\.0 created it \(migration 0001_identity\), and later versions cannot restore it/,
    );
  });

  it("is refused when an upload's content is missing in it", async () => {
    const reason = await refusal(async (file) => {
      await using from = await open(path);
      await using to = await open(file, "wx+");
      const tar = createTarWriter(to, new Date());
      for await (const entry of readTar(from)) {
        if (entry.path.startsWith("uploads/")) continue;
        let content = await buffer(entry.chunks());
        if (entry.path === manifestPath)
          content = Buffer.from(
            JSON.stringify({ ...(JSON.parse(String(content)) as object), contents: { count: 0, bytes: 0 } }),
          );
        await tar.add(entry.path, content.length, [content]);
      }
      await tar.end();
    });
    expect(reason).toMatch(/does not contain the upload content [0-9a-f]{64}/);
  });
});
