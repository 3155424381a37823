import type { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import type { Upload } from "../../contract/app/uploads.ts";
import { badRequest, HttpError, notFound } from "../../http/http-error.ts";
import { isMissing, toAdd } from "../../process/installation/optional-packages.ts";

const edge = 256;
/** A small file may unpack to a picture of gigabytes. */
const maxPixels = 100_000_000;

/**
 * A WebP of at most 256 by 256 pixels. The image library is loaded on the first call, because most runs need none.
 * @throws HttpError 404 when it is no picture, 400 for a damaged one, 501 without the library; as `read` does
 */
export async function makeThumbnail(upload: Upload, read: () => Readable): Promise<Buffer> {
  if (!upload.media_type.startsWith("image/") || upload.media_type === "image/vnd.adobe.photoshop")
    throw notFound(`Upload ${String(upload.id)} is no picture that a thumbnail can be made of.`);
  const { default: sharp } = await import("sharp").catch((error: unknown) => {
    if (!isMissing(error)) throw error;
    throw new HttpError(501, "no_thumbnails", `There are no thumbnails without the package sharp: ${toAdd.sharp}.`);
  });
  // Apart from the picture's own failures: a store that fails is none of the picture's. Sharp would gather the bytes, too.
  const bytes = await buffer(read());
  return sharp(bytes, { limitInputPixels: maxPixels })
    .rotate()
    .resize(edge, edge, { fit: "inside", withoutEnlargement: true })
    .webp()
    .toBuffer()
    .catch((error: unknown) => {
      throw badRequest("image_damaged", `The picture cannot be read: ${(error as Error).message}.`);
    });
}
