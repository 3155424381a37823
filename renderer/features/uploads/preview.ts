import type { Upload } from "../../../server/contract/app/uploads.ts";

/** The image types that every browser can show. */
const drawn = ["image/png", "image/jpeg", "image/gif", "image/webp"];
/** Those for which the server makes thumbnails. */
const shrunk = [...drawn, "image/tiff"];

/** The address of a picture of the file; undefined for other types. */
export function previewOf({ id, media_type }: Upload): string | undefined {
  if (drawn.includes(media_type)) return `/console/api/uploads/${id}/content`;
  return thumbnailOf({ id, media_type });
}

/** The address of a thumbnail; undefined for other types. */
export function thumbnailOf({ id, media_type }: Pick<Upload, "id" | "media_type">): string | undefined {
  return shrunk.includes(media_type) ? `/console/api/uploads/${id}/thumbnail` : undefined;
}
