/** The settings for the place of the uploads' contents. */
import { z } from "zod";
import { baseUrl, number } from "./setting-values.ts";

function isBucket(place: string): boolean {
  const [name = "", ...prefix] = place.split("/");
  return /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/.test(name) && prefix.every((folder) => /^[\w.-]+$/.test(folder));
}

export const uploadSettings = {
  uploads_bucket: z
    .string()
    .refine(isBucket, "a bucket's name is required, with or without a prefix")
    .optional()
    .describe(
      "Bucket of an S3-compatible store for uploads, as name or name/prefix. Default: the folder uploads in the data directory.",
    ),
  uploads_endpoint: baseUrl
    .optional()
    .describe(
      "Base URL of a store other than Amazon S3, such as MinIO or Garage. Default: Amazon S3 in the region of the AWS environment or profile.",
    ),
  uploads_key_id: z
    .string()
    .min(1)
    .optional()
    .describe("Access key id of the bucket. Default: the AWS SDK searches environment, profiles and roles."),
  uploads_secret_key: z
    .string()
    .min(1)
    .optional()
    .describe("Secret access key of the bucket. It is never shown again."),
  uploads_link_seconds: number
    .pipe(z.number().int().min(0).max(604_800))
    .default(0)
    .describe(
      "Validity of links for downloads directly from the store, in seconds. 0: no links; downloads pass through Hearth.",
    ),
};
