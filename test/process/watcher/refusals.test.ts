/** What the watcher does not start with, and what does not keep it from starting. */
import { mkdirSync, rmdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { lockFile } from "../../../server/process/file-lock.ts";
import { createAskFolder } from "../../../server/watcher/folder/ask-folder.ts";
import { runWatch } from "../../../server/watcher/run-watch.ts";
import { fileEventReceiver } from "../../support/process/file-event-receiver.ts";
import { quietLog } from "../../support/quiet-log.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";

describe("the watcher refuses", () => {
  const start = (folder: { path: string }, options: Partial<Parameters<typeof runWatch>[0]>) =>
    runWatch(
      {
        dir: folder.path,
        to: "http://127.0.0.1:1/",
        exclude: [],
        patternDeadlineMs: 250,
        queueFile: join(folder.path, "q"),
        ...options,
      },
      quietLog,
    );
  const refusal = async (options: Partial<Parameters<typeof runWatch>[0]>) => {
    using folder = temporaryFolder();
    return await start(folder, options).then(
      () => "started",
      (error: Error) => `${error.name}: ${error.message}`,
    );
  };

  it("a folder that does not exist, a file, a bad URL and a bad pattern, naming each", async () => {
    expect(await refusal({ dir: "/no/such/folder" })).toBe("SettingsError: /no/such/folder: no such folder");
    expect(await refusal({ dir: "/etc/passwd/x" })).toBe("SettingsError: /etc/passwd/x: no such folder");
    expect(await refusal({ dir: "/etc/passwd" })).toContain("/etc/passwd: is not a folder");
    expect(await refusal({ to: "ftp://x/" })).toContain('--to: "ftp://x/"');
    expect(await refusal({ to: "ftp://me:sec/r@et@x/?token=secret" })).toContain('--to: "ftp://…@x/…"');
    expect(await refusal({ exclude: ["fine", "(("] })).toContain('--exclude: "(("');
  });

  it("a folder in the data directory, by whatever link either is named", async () => {
    using folder = temporaryFolder();
    const at = (name: string) => join(folder.path, name);
    const [data, inner, link, dir] = [at("data"), at("data/inner"), at("link"), at("watched")];
    mkdirSync(inner, { recursive: true });
    symlinkSync(data, link);
    symlinkSync(inner, dir);
    for (const ownFolder of [data, link])
      expect(await refusal({ dir, ownFolder })).toContain(`SettingsError: ${dir}: contains Hearth's own files`);
  });

  it("a data directory that cannot be written, as a start does", async () => {
    using folder = temporaryFolder();
    const file = join(folder.path, "file");
    writeFileSync(file, "");
    const ownFolder = join(file, "data");
    const text = `SettingsError: data directory ${ownFolder} cannot be written (ENOTDIR); choose another with --data-dir`;
    expect(await refusal({ ownFolder, queueFile: join(ownFolder, "watch", "q") })).toBe(text);
  });

  it("a folder whose file system does not answer, without looking at it", async () => {
    const askFolder = createAskFolder(() => new Promise(() => undefined), 1);
    const problem = "/no/such/folder: cannot be read, because a file system does not respond";
    expect(await refusal({ dir: "/no/such/folder", askFolder })).toBe(`Error: ${problem}`);
  });

  it("a second process with the same queue, naming its file", async () => {
    using temporary = temporaryFolder();
    await using receiver = await fileEventReceiver();
    const queueFile = join(temporary.path, "queue.jsonl");
    const lock = lockFile(`${queueFile}.lock.db`);
    expect(await refusal({ to: receiver.url, queueFile })).toContain(`${queueFile}.lock.db; stop it`);
    if (typeof lock === "object") lock.release();
  });

  it("a queue that is no file, and no more once it is one", async () => {
    using temporary = temporaryFolder();
    const queueFile = join(temporary.path, "queue.jsonl");
    mkdirSync(queueFile);
    expect(await refusal({ queueFile })).toContain("EISDIR");
    rmdirSync(queueFile);
    await (await start(temporary, { queueFile })).stop();
  });

  it("no start over a queue whose process has ended or is ending", async () => {
    using temporary = temporaryFolder();
    const queueFile = join(temporary.path, "queue.jsonl");
    const lock = lockFile(`${queueFile}.lock.db`);
    const started = start(temporary, { queueFile });
    setImmediate(() => typeof lock === "object" && lock.release()); // it has asked once by then
    await (await started).stop();
  });
});
