import { mkdir, readdir, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { openDiskBlobStore } from "../../../server/store/blobs/disk-blob-store.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";
import { itIsABlobStore } from "./blob-store-contract.ts";

itIsABlobStore(async () => {
  const folder = temporaryFolder();
  return {
    open: () => openDiskBlobStore(folder.path),
    halfStored: () => readdir(join(folder.path, "incoming")),
    dispose: async () => folder[Symbol.dispose](),
  };
});

it("a file that a killed process has left half written is removed", async () => {
  using folder = temporaryFolder();
  await openDiskBlobStore(folder.path);
  await writeFile(join(folder.path, "incoming", "half"), "ha");
  await (await openDiskBlobStore(folder.path)).removeRemains();
  expect(await readdir(join(folder.path, "incoming"))).toEqual([]);
});

describe.each(["incoming", "intents", "orphans", "ab"])("where a link is in the place of %s", (name) => {
  it("nothing behind it is removed, moved or counted", async () => {
    using folder = temporaryFolder();
    const [path, others] = [join(folder.path, "uploads"), join(folder.path, "documents")];
    for (const made of [path, others]) await mkdir(made);
    const names = ["ab".repeat(32), "letter"];
    for (const one of names) await writeFile(join(others, one), "");
    await symlink(others, join(path, name));
    const blobs = await openDiskBlobStore(path);
    await blobs.removeRemains();
    expect(await blobs.unsettled()).toEqual([]);
    expect(await blobs.list()).toEqual([]);
    expect(await blobs.orphans()).toEqual({ count: 0, bytes: 0 });
    expect(await blobs.removeSetAside(() => Promise.resolve(false))).toBe(0);
    expect((await readdir(others)).sort()).toEqual(names);
  });
});
