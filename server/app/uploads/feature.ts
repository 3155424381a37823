import type { EventKernel, Feature } from "../../kernel/feature.ts";
import type { BlobStore } from "../../store/blobs/blob-store.ts";
import { avatarPages } from "./avatar-pages.ts";
import { checkInBackground } from "./check-in-background.ts";
import { createHeldContents } from "./held-contents.ts";
import { openBlobs, openBucket } from "./open-blobs.ts";
import { reconcileUploads, reportReconciled } from "./reconcile-uploads.ts";
import { storedFilesRoutes } from "./stored-files-routes.ts";
import { UploadContents } from "./upload-contents.ts";
import { uploadsConsoleRoutes } from "./uploads-console-routes.ts";
import { uploadsRoutes } from "./uploads-routes.ts";
import { createUploads, type Uploads } from "./uploads-service.ts";
import type { UploadsTables } from "./uploads-table.ts";

interface Port {
  readonly uploads: Uploads;
  readonly contents: UploadContents;
  readonly blobs: BlobStore;
}

/** Files that clients send, and the pages of avatars. */
export const uploadsFeature: Feature<EventKernel<UploadsTables>, unknown, Port> = {
  name: "uploads",
  stateParts: { uploads: { tables: ["uploads"], blobColumn: "sha256" } },
  startChecks: { uploads_: openBucket, MaxSize: openBucket },
  tags: { uploads: "Files that clients send as multipart/form-data, and the pages of avatars." },
  consoleTags: { files: "Uploads of all clients." },
  async open({ settings, database, bus, clock: { now }, log, atClose }) {
    const { db, instances } = database;
    const blobs = await openBlobs(settings);
    const reconciled = blobs.isRemote ? undefined : await reconcileUploads(db, blobs, createHeldContents(instances));
    if (reconciled) reportReconciled(reconciled, blobs.place, log);
    const contents = new UploadContents({ database, blobs, bus, log, reconciled });
    if (!reconciled) atClose(checkInBackground(contents, log));
    const uploads = createUploads({ database, blobs, contents, now });
    return {
      routes: [
        ...storedFilesRoutes(uploads),
        ...uploadsRoutes({ uploads, bus, maxBytes: settings.MaxSizeOfSigleFile_MB * 1_048_576 }),
        ...avatarPages(uploads),
      ],
      consoleRoutes: uploadsConsoleRoutes(uploads, contents),
      port: { uploads, contents, blobs },
    };
  },
};
