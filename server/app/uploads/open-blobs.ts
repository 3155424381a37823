/** Opens the store of the uploads' contents that the settings name. */
import { join } from "node:path";
import { message } from "../../contract/messages/message.ts";
import type { Settings } from "../../contract/process/settings.ts";
import { isMissingPackage, toAdd } from "../../process/installation/optional-packages.ts";
import { SettingsError } from "../../process/settings/read-settings.ts";
import type { BlobStore } from "../../store/blobs/blob-store.ts";
import { openDiskBlobStore } from "../../store/blobs/disk-blob-store.ts";
import { noteBucket } from "../../store/blobs/notes.ts";
import { openS3BlobStore } from "../../store/blobs/s3-blob-store.ts";
import type { BucketAddress } from "../../store/blobs/s3-client.ts";

export type BlobSettings = Pick<
  Settings,
  | "data_dir"
  | "database_url"
  | "MaxSizeOfSigleFile_MB"
  | "uploads_bucket"
  | "uploads_endpoint"
  | "uploads_key_id"
  | "uploads_secret_key"
  | "uploads_link_seconds"
>;

/** The largest object that a store copies at once. */
const mostMegabytes = 5 * 1024;

export const uploadsFolder = (dataDir: string): string => join(dataDir, "uploads");

/** Id and secret, if both are set. @throws SettingsError where one is missing */
function credentialsOf({
  uploads_key_id: accessKeyId,
  uploads_secret_key: secretAccessKey,
}: BlobSettings): BucketAddress["credentials"] {
  if (accessKeyId !== undefined && secretAccessKey !== undefined) return { accessKeyId, secretAccessKey };
  if (accessKeyId === secretAccessKey) return undefined;
  const [missing, other] =
    accessKeyId === undefined ? ["uploads_key_id", "uploads_secret_key"] : ["uploads_secret_key", "uploads_key_id"];
  throw new SettingsError(message("start.useless", { missing, other }));
}

/**
 * Opens the bucket of the settings without a request to it; undefined where they name none.
 * @throws SettingsError for settings that do not fit together, or without the packages that a bucket needs
 */
export async function openBucket(settings: BlobSettings): Promise<BlobStore | undefined> {
  const { uploads_bucket: bucket, MaxSizeOfSigleFile_MB: maxMegabytes } = settings;
  if (bucket === undefined) return undefined;
  if (maxMegabytes > mostMegabytes) throw new SettingsError(message("start.bucketSize", { most: mostMegabytes }));
  try {
    return await openS3BlobStore({
      bucket,
      endpoint: settings.uploads_endpoint,
      credentials: credentialsOf(settings),
      folder: uploadsFolder(settings.data_dir),
      linkSeconds: settings.uploads_link_seconds,
    });
  } catch (error) {
    if (isMissingPackage(error))
      throw new SettingsError(message("start.bucketPackages", { toAdd: toAdd["@aws-sdk/client-s3"] }));
    if (/region is missing/i.test((error as Error).message)) throw new SettingsError(message("start.region"));
    throw error;
  }
}

/** Opens the store for a start, which does not wait for a bucket. @throws SettingsError as `openBucket` */
export async function openBlobs(settings: BlobSettings): Promise<BlobStore> {
  const folder = uploadsFolder(settings.data_dir);
  const bucket = await openBucket(settings);
  if (!bucket) return openDiskBlobStore(folder, { isShared: settings.database_url !== undefined });
  await noteBucket(folder, bucket.place);
  return bucket;
}
