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
    .refine(isBucket, "a bucket's name is needed, with or without a prefix")
    .optional()
    .describe(
      "Bucket of an S3-compatible store for the contents of uploads, as name or name/prefix. Default: the folder uploads in the data directory.",
    ),
  uploads_endpoint: baseUrl
    .optional()
    .describe(
      "Base URL of a store other than Amazon's, such as MinIO or Garage. Default: Amazon's of the region that the environment or profile of AWS names.",
    ),
  uploads_key_id: z
    .string()
    .min(1)
    .optional()
    .describe("Id of the access key of the bucket. Default: the AWS SDK looks in environment, profiles and roles."),
  uploads_secret_key: z.string().min(1).optional().describe("Secret of that access key; it is never shown again."),
  uploads_link_seconds: number
    .pipe(z.number().int().min(0).max(604_800))
    .default(0)
    .describe(
      "How long a link is valid by which a client downloads an upload from the store itself, in seconds; 0 makes no links: downloads pass through Hearth.",
    ),
};
