import { readdir, writeFile } from "node:fs/promises";
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
