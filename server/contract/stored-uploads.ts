/** More about everybody's uploaded files, for the console. */
import { z } from "zod";
import { endpoint } from "./endpoint.ts";
import { idParams } from "./resources.ts";
import { archiveEntrySchema } from "./uploads.ts";

const one = { tag: "files", method: "GET", access: "console", status: 200, params: idParams, errors: [404] } as const;

/** Answers a small picture of an uploaded image: at most 256 by 256 pixels, WebP. */
export const getStoredUploadThumbnail = endpoint({
  ...one,
  id: "getStoredUploadThumbnail",
  path: "/console/api/uploads/{id}/thumbnail",
  produces: ["image/webp"],
  replyHeaders: ["X-Content-Type-Options"],
});

/** Lists what is in an uploaded zip archive, without unpacking it: the first thousand entries. */
export const listStoredUploadEntries = endpoint({
  ...one,
  id: "listStoredUploadEntries",
  path: "/console/api/uploads/{id}/entries",
  data: z.object({
    entries: z.array(archiveEntrySchema),
    complete: z.boolean().describe("False when there are more."),
  }),
});
