import type { Upload } from "../../../server/contract/app/uploads.ts";

/** The image types that every browser draws. */
const drawn = ["image/png", "image/jpeg", "image/gif", "image/webp"];
/** Those of which the server makes a small picture. */
const shrunk = [...drawn, "image/tiff"];

/** Where a picture of the file is; undefined where there is none. */
export function previewOf({ id, media_type }: Upload): string | undefined {
  if (drawn.includes(media_type)) return `/console/api/uploads/${id}/content`;
  return thumbnailOf({ id, media_type });
}

/** Where a small picture of the file is; undefined where there is none. */
export function thumbnailOf({ id, media_type }: Pick<Upload, "id" | "media_type">): string | undefined {
  return shrunk.includes(media_type) ? `/console/api/uploads/${id}/thumbnail` : undefined;
}
