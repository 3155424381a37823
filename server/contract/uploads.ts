import { z } from "zod";
import { endpoint } from "./endpoint.ts";
import { statusPackageSchema } from "./status-package.ts";

/** Accepted extensions (spec: Limits). */
export const uploadExtensions = ["zip", "rar", "7z", "psd", "ai", "cdr", "jpg", "png", "gif", "tif", "webp"] as const;

/** Upload result (spec: Upload result), success and failure alike. */
export const uploadResultSchema = z.object({
  success: z.boolean(),
  id: z.number().int().optional().describe("Identifies the uploaded file; present on success."),
  err_msg: z.string().optional().describe("Why it failed, for the user; present on failure."),
  status: statusPackageSchema.optional(),
});

/** Stores one file sent by the upload component: the part `[]` and the field `type`. */
export const createUpload = endpoint({
  id: "createUpload",
  tag: "uploads",
  method: "POST",
  path: "/api/uploads",
  access: "login",
  status: 201,
  bodyType: "multipart",
  data: uploadResultSchema,
});
/** Stores the part `Avatar` and redirects to a page that shows it. */
export const createAvatar = endpoint({
  id: "createAvatar",
  tag: "uploads",
  method: "POST",
  path: "/api/avatars",
  access: "login",
  status: 302,
  bodyType: "multipart",
});

/** A stored file as lists and the console show it. */
export const uploadSchema = z.object({
  id: z.number().int(),
  kind: z.enum(["upload", "avatar"]),
  type: z.string().describe("The category word that the client sent."),
  file_name: z.string(),
  media_type: z.string(),
  size: z.number().int().describe("Bytes."),
  sha256: z.string(),
  created_at: z.string(),
});
export type Upload = z.infer<typeof uploadSchema>;
