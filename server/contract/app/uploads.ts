import { z } from "zod";
import { endpoint } from "../endpoint.ts";
import { errorBodySchema } from "../error-body.ts";
import { idParams, maxPageSize, pageQuery } from "./resources.ts";
import { statusPackageSchema } from "./status-package.ts";

/** Accepted extensions (spec: Limits 2). */
export const uploadExtensions = ["zip", "rar", "7z", "psd", "ai", "cdr", "jpg", "png", "gif", "tif", "webp"] as const;
/** Those of avatars: pictures that browsers show. */
export const avatarExtensions = ["jpg", "png", "gif", "webp"] as const satisfies (typeof uploadExtensions)[number][];

/** Upload result (spec: Upload result), success and failure alike. */
export const uploadResultSchema = z
  .object({
    success: z.boolean().meta({ examples: [true] }),
    id: z
      .number()
      .int()
      .optional()
      .describe("Id of the upload. Present on success.")
      .meta({ examples: [1] }),
    err_msg: z.string().optional().describe("Reason for the user. Present on failure."),
    status: statusPackageSchema.optional(),
  })
  .meta({ title: "UploadResult" });

/** A 401 of an upload: a failed upload, and the error that every operation answers without a login. */
export const uploadLoginErrorSchema = errorBodySchema
  .extend({ success: z.literal(false), err_msg: z.string().describe("`Message`, for the user.") })
  .meta({ title: "UploadLoginError" });

/**
 * Stores one file from the upload component. The file is the part `[]`; the field `type` names its category in one
 * word. The content must match the file extension. To send several files, pack them into one archive. A refused upload
 * returns `{success: false, err_msg}`, and nothing is kept.
 */
export const createUpload = endpoint({
  id: "createUpload",
  tag: "uploads",
  method: "POST",
  path: "/api/uploads",
  access: "login",
  status: 201,
  bodyType: "multipart",
  parts: {
    file: "[]",
    extensions: uploadExtensions,
    fields: z.object({
      type: z
        .string()
        .optional()
        .describe("A short category word, for example `project`.")
        .meta({ examples: ["project"] }),
    }),
  },
  data: uploadResultSchema,
  flat: true,
  replyHeaders: ["Location"],
});

/**
 * Stores a picture and redirects to a page that shows it. The picture is the part `Avatar`. The page has a random
 * address, and everybody who knows the address can open it. A refused upload returns `{success: false, err_msg}`.
 */
export const createAvatar = endpoint({
  id: "createAvatar",
  tag: "uploads",
  method: "POST",
  path: "/api/avatars",
  access: "login",
  status: 302,
  bodyType: "multipart",
  parts: { file: "Avatar", extensions: avatarExtensions },
  data: uploadResultSchema,
  flat: true,
  replyHeaders: ["Location"],
});

const avatarParams = z.object({
  publicId: z
    .string()
    .describe("Random part of the address.")
    .meta({ examples: ["0b8d1cf6-7b5e-4a0e-9f0c-3c1b8f3f6a52"] }),
});

/** Returns the page that shows an avatar. An avatar upload redirects to it. */
export const getAvatarPage = endpoint({
  id: "getAvatarPage",
  tag: "uploads",
  method: "GET",
  path: "/avatars/{publicId}",
  access: "none",
  status: 200,
  params: avatarParams,
  produces: ["text/html"],
  replyHeaders: ["Content-Security-Policy"],
  errors: [404],
});

/** Returns the avatar picture itself. */
export const getAvatarImage = endpoint({
  id: "getAvatarImage",
  tag: "uploads",
  method: "GET",
  path: "/avatars/{publicId}/image",
  access: "none",
  status: 200,
  params: avatarParams,
  produces: ["image/png", "image/apng", "image/jpeg", "image/gif", "image/webp"],
  replyHeaders: ["X-Content-Type-Options"],
  errors: [404],
});

/** A stored file in lists and in the console. */
export const uploadSchema = z
  .object({
    id: z
      .number()
      .int()
      .meta({ examples: [1] }),
    kind: z.enum(["upload", "avatar"]),
    type: z
      .string()
      .describe("Category word from the client.")
      .meta({ examples: ["project"] }),
    file_name: z
      .string()
      .describe("File name from the client.")
      .meta({ examples: ["plan.zip"] }),
    media_type: z
      .string()
      .describe("Media type of the file's content.")
      .meta({ examples: ["application/zip"] }),
    size: z
      .number()
      .int()
      .describe("Bytes.")
      .meta({ examples: [1234] }),
    sha256: z.string().meta({ examples: ["e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"] }),
    created_at: z.string().meta({ format: "date-time", examples: ["2026-11-20T08:30:00.000Z"] }),
  })
  .meta({ title: "Upload" });
export type Upload = z.infer<typeof uploadSchema>;

const item = {
  tag: "uploads",
  method: "GET",
  access: "login",
  status: 200,
  params: idParams,
  errors: [403, 404],
} as const;

/** Lists the caller's uploads, newest first. */
export const listUploads = endpoint({
  id: "listUploads",
  tag: "uploads",
  method: "GET",
  path: "/api/uploads",
  access: "login",
  status: 200,
  query: pageQuery(maxPageSize),
  data: z.array(uploadSchema),
  replyHeaders: ["X-Total-Count", "Link"],
});

/** Returns the details of one of the caller's uploads. */
export const getUpload = endpoint({ ...item, id: "getUpload", path: "/api/uploads/{id}", data: uploadSchema });

/** Returns the file as an attachment. With Range, it returns that part of the file. */
export const getUploadContent = endpoint({
  ...item,
  id: "getUploadContent",
  path: "/api/uploads/{id}/content",
  produces: ["application/octet-stream"],
  requestHeaders: ["If-Match", "If-None-Match", "Range"],
  replyHeaders: ["Accept-Ranges", "Content-Disposition", "ETag", "X-Content-Type-Options"],
  alsoAnswers: [206, 304, 307],
  errors: [403, 404, 412, 416],
});

/**
 * Returns a thumbnail of an image. Thumbnails are WebP, at most 256 × 256 pixels. If Hearth was installed without
 * `sharp`, the answer is 501.
 */
export const getUploadThumbnail = endpoint({
  ...item,
  id: "getUploadThumbnail",
  path: "/api/uploads/{id}/thumbnail",
  produces: ["image/webp"],
  replyHeaders: ["X-Content-Type-Options"],
  errors: [403, 404, 501],
});

/** A member of an archive. */
export const archiveEntrySchema = z
  .object({
    name: z.string().meta({ examples: ["plan/first-floor.png"] }),
    size: z
      .number()
      .int()
      .describe("Unpacked size according to the archive, in bytes.")
      .meta({ examples: [1234] }),
    directory: z.boolean().meta({ examples: [false] }),
  })
  .meta({ title: "ArchiveEntry" });

/** Lists the content of a zip archive without unpacking it. The list has at most 1,000 entries. */
export const listUploadEntries = endpoint({
  ...item,
  id: "listUploadEntries",
  path: "/api/uploads/{id}/entries",
  data: z.object({
    entries: z.array(archiveEntrySchema),
    complete: z.boolean().describe("False if there are more."),
  }),
});
