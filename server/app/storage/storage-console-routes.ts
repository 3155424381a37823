/** The sizes of the data directory's parts, and the deletion of expendable ones. */
import { join } from "node:path";
import {
  countStorage,
  deleteBackups,
  deleteOrphans,
  getStorage,
  storagePartSchema,
  type StoragePart,
} from "../../contract/console/data/storage-endpoints.ts";
import { backupsFolder } from "../../contract/process/backup-names.ts";
import { route, type Route } from "../../http/route.ts";
import type { Measuring, PartPaths } from "./measure-storage.ts";
import type { BlobStore } from "../../store/blobs/blob-store.ts";
import { removeBackups } from "../../store/backup/remove-backups.ts";

export interface StorageDeps {
  /** The place of the contents of uploads. */
  readonly blobs: Pick<BlobStore, "isRemote" | "place">;
  readonly contents: {
    /** Returns the number of deleted contents. */
    removeOrphans(): Promise<number>;
  };
}

interface Deps extends StorageDeps {
  readonly dataDir: string;
  readonly measuring: Measuring;
}

const orphans = join("uploads", "orphans");
const withJournal = (name: string) => ["", "-wal", "-shm"].map((end) => `${name}${end}`);

const pathsOf: Readonly<Record<StoragePart, readonly string[]>> = {
  application: withJournal("hearth.db"),
  provider: withJournal("provider.db"),
  uploads: ["uploads"],
  orphans: [orphans],
  requests: [...withJournal("requests.db"), "requests.db.broken"],
  models: ["models"],
  prompt_cache: ["prompt-cache"],
  backups: [backupsFolder],
};

/** The measured parts of a data directory. */
export const storageParts = (dataDir: string): PartPaths[] =>
  storagePartSchema.options.map((name) => ({
    name,
    paths: pathsOf[name].map((path) => join(dataDir, path)),
    without: name === "uploads" ? [join(dataDir, orphans)] : [],
  }));

/** The console's operations on the parts of a data directory. */
export function storageConsoleRoutes({ dataDir, blobs, contents, measuring }: Deps): Route[] {
  const inBucket = blobs.isRemote ? { uploads_in: blobs.place } : {};

  /** A removal that fails halfway needs a new count, too. */
  async function removing(remove: () => Promise<number>) {
    try {
      return { data: { removed: await remove() } };
    } finally {
      measuring.forget();
    }
  }
  return [
    route(getStorage, () => {
      const { counting, files, measuredAt, measured } = measuring.latest();
      const parts = measured.map((one) => ({ ...one, name: storagePartSchema.parse(one.name) }));
      const countedAt = measuredAt === undefined ? {} : { counted_at: new Date(measuredAt).toISOString() };
      return { data: { counting, counted_files: files, ...countedAt, ...inBucket, parts } };
    }),
    route(countStorage, () => measuring.forget()),
    route(deleteBackups, () => removing(() => removeBackups(dataDir))),
    route(deleteOrphans, () => removing(() => contents.removeOrphans())),
  ];
}
