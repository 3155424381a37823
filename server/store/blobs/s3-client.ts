/** The client of an S3-compatible store, and its errors in words for people. */
import type { S3 } from "@aws-sdk/client-s3";
import { StoreProblem, type BucketProblemCode } from "../../contract/process/store-problem.ts";

/** A bucket and its address. Missing values come from the AWS SDK's own chain: environment, profiles, roles. */
export interface BucketAddress {
  /** `name`, or `name/prefix`. */
  readonly bucket: string;
  /** Base URL of a store other than Amazon's. */
  readonly endpoint?: string | undefined;
  readonly credentials?: { readonly accessKeyId: string; readonly secretAccessKey: string } | undefined;
}

/**
 * Runs calls of a client. @throws StoreProblem for a problem that an operator can solve; the SDK's error for any other
 */
export type CallStore = <Value>(work: (s3: S3) => Promise<Value>) => Promise<Value>;

/** The status of an answer; undefined where none came. */
const statusOf = (error: unknown) => (error as { $metadata?: { httpStatusCode?: number } }).$metadata?.httpStatusCode;
const nameOf = (error: unknown) => String((error as { name?: unknown }).name);

/** Whether the store says that there is no such object or multipart upload. */
export const isAbsent = (error: unknown): boolean => ["NoSuchKey", "NotFound", "NoSuchUpload"].includes(nameOf(error));

const isOfNetwork = (error: unknown) =>
  nameOf(error) === "TimeoutError" || typeof (error as { code?: unknown }).code === "string";

const notImplemented = 501;

function problemCode(error: unknown): BucketProblemCode | undefined {
  const [name, status] = [nameOf(error), statusOf(error)];
  if (name === "NoSuchBucket") return "store_missing";
  if (status === 507 || /quota|full$|insufficient/i.test(name)) return "store_full";
  if (status === 401 || status === 403 || /credential|region|redirect/i.test(name)) return "store_forbidden";
  const isDown = status === undefined ? isOfNetwork(error) : status >= 500 && status !== notImplemented;
  return isDown ? "store_unreachable" : undefined;
}

/** The SDK's errors hold requests and answers, which no log needs. */
const withoutDetails = (error: unknown) =>
  new Error([statusOf(error), `${nameOf(error)}: ${(error as Error).message}`].filter(Boolean).join(" "));

/** @param cause the store's answer */
export const missingBucket = (cause: unknown) => new StoreProblem("store_missing", withoutDetails(cause));

/** Returns a StoreProblem for a problem that an operator can solve, and any other error unchanged. */
export function explained(error: unknown): unknown {
  const code = problemCode(error);
  return code === undefined ? error : new StoreProblem(code, withoutDetails(error));
}

/** The timeouts of an idle store and of a connection. */
const idleMs = 30_000;
const connectMs = 5_000;

/** @throws the error of a failed import where the SDK is not installed, or one that says that a region is missing */
export async function openS3Client({ endpoint, credentials }: BucketAddress) {
  const [sdk, { getSignedUrl }] = await Promise.all([
    import("@aws-sdk/client-s3"),
    import("@aws-sdk/s3-request-presigner"),
  ]);
  // Other stores support neither regions nor buckets as host names.
  const own = endpoint !== undefined && {
    endpoint,
    forcePathStyle: true,
    region: process.env["AWS_REGION"] ?? "us-east-1",
  };
  const s3 = new sdk.S3({
    ...own,
    ...(credentials && { credentials }),
    requestHandler: { connectionTimeout: connectMs, socketTimeout: idleMs },
    // Other stores refuse the checksums that the SDK would add.
    requestChecksumCalculation: "WHEN_REQUIRED",
    responseChecksumValidation: "WHEN_REQUIRED",
  });
  await s3.config.region();
  const call: CallStore = async (work) => {
    try {
      return await work(s3);
    } catch (error) {
      throw explained(error);
    }
  };
  return { sdk, call, getSignedUrl };
}
