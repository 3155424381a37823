import { mkdir, readdir, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
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

it("nothing is removed where a link leads that somebody has put in the place of the folder", async () => {
  using folder = temporaryFolder();
  const [blobs, others] = [join(folder.path, "uploads"), join(folder.path, "documents")];
  for (const path of [blobs, others]) await mkdir(path);
  await writeFile(join(others, "letter"), "");
  await symlink(others, join(blobs, "incoming"));
  await (await openDiskBlobStore(blobs)).removeRemains();
  expect(await readdir(others)).toEqual(["letter"]);
});
