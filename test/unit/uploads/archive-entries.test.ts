import { Readable } from "node:stream";
import { expect, it } from "vitest";
import { archiveEntries } from "../../../server/app/uploads/archive-entries.ts";
import { zipBytes } from "../../support/files.ts";

const members = Array.from({ length: 900 }, (_, at) => [`${"x".repeat(900)}${String(at)}.txt`, ""] as const);
const archive = Buffer.from(zipBytes(Object.fromEntries(members)));

/** What is asked of the archive; `onRead` is called after each time. */
function counted(onRead = (): void => undefined) {
  const ranges: { start: number; end: number }[] = [];
  const read = (range: { start: number; end: number }) => {
    ranges.push(range);
    onRead();
    return Readable.from([archive.subarray(range.start, range.end + 1)], { objectMode: false });
  };
  return { ranges, read };
}

it("the directory of an archive is read in few blocks, however many entries it has", async () => {
  const { ranges, read } = counted();
  const { entries, complete } = await archiveEntries(archive.length, read, new AbortController().signal);
  expect([entries.map(({ name }) => name), complete]).toEqual([members.map(([name]) => name), true]);
  expect(ranges.length).toBeLessThan(8);
});

it("nothing more of an archive is read once its client has left", async () => {
  const left = new AbortController();
  const { ranges, read } = counted(() => left.abort());
  await expect(archiveEntries(archive.length, read, left.signal)).rejects.toThrow("aborted");
  expect(ranges).toHaveLength(1);
});

it("an archive whose content is shorter than it should be is damaged", async () => {
  const reading = archiveEntries(archive.length + 10, counted().read, new AbortController().signal);
  await expect(reading).rejects.toMatchObject({ status: 400, code: "archive_damaged" });
});
