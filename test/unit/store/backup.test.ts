/** What a backup holds, whatever is deleted, lost or damaged meanwhile. */
import { randomBytes } from "node:crypto";
import { existsSync, readFileSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { open } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { contentPath } from "../../../server/cli/backup/backup-format.ts";
import { isLocked, lockFile } from "../../../server/process/file-lock.ts";
import { noteBucket } from "../../../server/store/blobs/notes.ts";
import { readJournal, toLine } from "../../../server/watcher/journal/journal-file.ts";
import { lockOf, queueFileIn } from "../../../server/watcher/journal/queue-file.ts";
import { noteText } from "../../../server/supervisor/data-directory/data-version.ts";
import {
  addUpload,
  backupScene,
  backupVersion,
  deleteUpload,
  filesIn,
  put,
  sha256Of,
} from "../../support/app/backup-scene.ts";
import { Sqlite } from "../../../server/store/native-sqlite.ts";

const scene = backupScene();
const { backUp, newData, newFolder, restore } = scene;
afterAll(() => scene[Symbol.dispose]());

describe("a backup", () => {
  it("holds what must not be lost, and nothing else", async () => {
    const data = await newData();
    const kept = addUpload(data, randomBytes(3_000_000));
    const aside = addUpload(data, Buffer.from("aside"), "orphans");
    for (const path of ["routes.json", "hearth.config.json", "collections/deep/books.json"]) put(data, path, path);
    for (const path of ["watch/folder-3.jsonl", "watch/0123456789abcdef.jsonl"]) put(data, path, path);
    put(
      data,
      `fixtures/${"long-name-".repeat(15)}/blobs/${"0".repeat(64)}`,
      "a name that needs more than a header has",
    );
    for (const path of ["models/m.gguf", "requests.db", "run.json", "fixtures/.new-a/data.json", "watch/other.jsonl"])
      put(data, path, path);
    put(data, `uploads/orphans/${"1".repeat(64)}`, "nobody's");
    const { path, manifest } = await backUp(data);
    const to = newFolder();
    await restore(path, to);
    const expected = filesIn(data);
    for (const name of Object.keys(expected))
      if (/^(models|requests|run|fixtures\/\.new|watch\/other|uploads\/orphans)/.test(name)) delete expected[name];
    expected[contentPath(aside)] = aside;
    expected["written-by.json"] = sha256Of(Buffer.from(noteText(backupVersion)));
    const restored = filesIn(to);
    for (const name of ["hearth.db", "provider.db"])
      for (const one of [expected, restored]) one[name] = name in one ? "there" : "missing";
    expect(restored).toEqual(expected);
    expect(manifest.contents).toEqual({ count: 2, bytes: 3_000_005 });
    expect(restored[contentPath(kept)]).toBe(kept);
  });

  it("leaves the contents of uploads in their bucket, says where that is, and gives all else back", async () => {
    const data = await newData();
    addUpload(data, Buffer.from("in the bucket"), "nowhere");
    await noteBucket(join(data, "uploads"), "s3://team/hearth");
    const { path, manifest } = await backUp(data);
    expect(manifest).toMatchObject({ contents_in: "s3://team/hearth", contents: { count: 0, bytes: 0 }, lost: [] });
    const to = newFolder();
    await restore(path, to);
    expect(existsSync(join(to, "hearth.db"))).toBe(true);
  });

  it("has the content of every upload that it names, although others are deleted meanwhile", async () => {
    const data = await newData();
    const [gone = "", ...kept] = ["gone", "one", "two"].map((text) => addUpload(data, Buffer.from(text)));
    const { path, manifest } = await backUp(data, (status) => {
      // The moment of the databases has been chosen.
      if (status === "copying provider.db" && existsSync(join(data, contentPath(gone)))) deleteUpload(data, gone);
    });
    expect([existsSync(join(data, contentPath(gone))), manifest.lost]).toEqual([false, []]);
    const to = newFolder();
    await restore(path, to);
    const sqlite = new Sqlite(join(to, "hearth.db"), { readOnly: true });
    expect(sqlite.prepare("select sha256 from uploads order by id").values()).toEqual(kept);
    sqlite.close();
    expect(
      Object.keys(filesIn(join(to, "uploads")))
        .map((one) => one.slice(3))
        .sort(),
    ).toEqual(kept.sort());
  });

  it("keeps an event that is delivered meanwhile", async () => {
    const data = await newData();
    const [file, event] = ["watch/folder-1.jsonl", { id: "one", df: "/a", ev: "create" }] as const;
    const queued = toLine({ events: [event] });
    put(data, file, queued);
    const { path } = await backUp(data, (status) => {
      // The moment of the databases has been chosen: they do not have it.
      if (status === "copying hearth.db") put(data, file, queued + toLine({ done: event.id }));
    });
    const to = newFolder();
    await restore(path, to);
    expect(readJournal(join(data, file)).undelivered).toEqual([]);
    expect(readJournal(join(to, file)).undelivered).toEqual([event]);
  });

  it("takes the place of the queue of a watch that has ended, not of one that runs", async () => {
    const data = await newData();
    const queue = queueFileIn(data, "/photos", "http://127.0.0.1:3080/api/inotify/");
    put(dirname(queue), basename(queue), "before");
    const { path } = await backUp(data);
    writeFileSync(queue, "after");
    const watch = lockFile(lockOf(queue));
    await expect(restore(path, data)).rejects.toThrow(`a running "hearth watch" uses the queue ${queue}`);
    expect(readFileSync(queue, "utf8")).toBe("after");
    if (typeof watch === "object") watch.release();
    const { before = "" } = await restore(path, data);
    const kept = join(before, "watch", basename(queue));
    expect([queue, kept].map((file) => readFileSync(file, "utf8"))).toEqual(["before", "after"]);
    expect(isLocked(lockOf(queue))).toBe(false);
  });

  it("is made all the same when contents are lost or damaged, and says which", async () => {
    const data = await newData();
    const lost = addUpload(data, Buffer.from("lost"), "nowhere");
    const damaged = addUpload(data, Buffer.from("damaged"));
    put(data, contentPath(damaged), "something else");
    addUpload(data, Buffer.from("whole"));
    const { path, manifest } = await backUp(data);
    expect(manifest.lost.sort()).toEqual([lost, damaged].sort());
    const { manifest: read } = await restore(path, newFolder());
    expect(read.contents.count).toBe(1);
  });

  it.each(["watch", "collections", "fixtures"])(
    "is refused when %s cannot be read, instead of lacking it",
    async (folder) => {
      const data = await newData();
      // A link to itself, which nobody can follow, not even root.
      symlinkSync(folder, join(data, folder));
      await expect(backUp(data)).rejects.toThrow(folder);
    },
  );

  it("is refused of a damaged database", async () => {
    const data = await newData();
    const file = join(data, "hearth.db");
    const { size } = statSync(file);
    const handle = await open(file, "r+");
    await handle.write(Buffer.alloc(8192, 0xa7), 0, 8192, Math.floor(size / 2 / 4096) * 4096);
    await handle.close();
    await expect(backUp(data)).rejects.toThrow("hearth.db is damaged");
  });
});
