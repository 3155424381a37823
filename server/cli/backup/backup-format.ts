/** The content of a backup, with the names of the data directory. */
import { z } from "zod";
import { journalPattern } from "../../contract/process/backup-names.ts";

/** The last file of the archive, which describes the others. */
export const manifestPath = "manifest.json";

const bytes = z.number().int().nonnegative();

export const manifestSchema = z.strictObject({
  format: z.literal("hearth-backup/1"),
  /** The version of the Hearth that wrote it. */
  hearth: z.string(),
  made_at: z.iso.datetime(),
  /** The newest migration of each database. */
  schemas: z.record(z.string(), z.string()),
  /** All files except the contents of uploads, whose names are their digests. */
  files: z.record(z.string(), z.strictObject({ bytes, sha256: z.string() })),
  contents: z.strictObject({ count: bytes, bytes }),
  /** The bucket with the contents of uploads, if they are not in the backup: `s3://bucket/prefix`. */
  contents_in: z.string().optional(),
  /** Digests of contents of uploads that were already lost or damaged. */
  lost: z.array(z.string()),
});
export type BackupManifest = z.infer<typeof manifestSchema>;

export const databases = ["hearth.db", "provider.db"] as const;

/** Single files in addition to the databases: the settings, the users' files, and keys that others know. */
export const singleFiles = ["hearth.config.json", "routes.json", "platform-certificate.pem"] as const;

/** Folders of users' files. */
export const wholeFolders = ["collections", "fixtures"] as const;

export const contentPath = (sha256: string): string => `uploads/${sha256.slice(0, 2)}/${sha256}`;

const contentPattern = /^uploads\/([0-9a-f]{2})\/(\1[0-9a-f]{62})$/;

/** The digest in the path of a content; undefined for any other file. */
export const digestIn = (path: string): string | undefined => contentPattern.exec(path)?.[2];

/** A name that is valid for a file on any system, and not hidden. */
// oxlint-disable-next-line no-control-regex -- these characters are forbidden
const plainName = /^(?!\.)[^\0-\x1f\x7f/\\:*?"<>|]{1,255}$/;
export const isPlainName = (name: string): boolean => plainName.test(name);

/**
 * Whether a file of this path belongs in a backup. No such path leads out of the data directory, or to other files in
 * it.
 */
export function belongs(path: string): boolean {
  if ([...databases, ...singleFiles, manifestPath].some((one) => one === path)) return true;
  if (digestIn(path) !== undefined) return true;
  const [folder = "", ...rest] = path.split("/");
  if (folder === "watch") return rest.length === 1 && journalPattern.test(rest[0] ?? "");
  const isWhole = wholeFolders.some((one) => one === folder);
  return isWhole && rest.length > 0 && rest.length < 20 && rest.every(isPlainName);
}
