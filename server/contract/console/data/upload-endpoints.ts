/** The operations on the uploads of all users. */
import { endpoint } from "../../endpoint.ts";
import { idParams } from "../../app/resources.ts";
import { uploadPageQuery, uploadPageSchema } from "./stored-uploads.ts";

/** Returns a page of all users' uploads, newest first. */
export const listStoredUploads = endpoint({
  id: "listStoredUploads",
  tag: "files",
  method: "GET",
  path: "/console/api/uploads",
  access: "console",
  status: 200,
  query: uploadPageQuery,
  data: uploadPageSchema,
});

/** Returns the content of an uploaded file. Pictures that browsers support are shown; other files are downloaded. */
export const getStoredUploadContent = endpoint({
  id: "getStoredUploadContent",
  tag: "files",
  method: "GET",
  path: "/console/api/uploads/{id}/content",
  access: "console",
  status: 200,
  params: idParams,
  produces: ["application/octet-stream", "image/png", "image/apng", "image/jpeg", "image/gif", "image/webp"],
  replyHeaders: ["Content-Security-Policy", "X-Content-Type-Options"],
  errors: [404],
});
