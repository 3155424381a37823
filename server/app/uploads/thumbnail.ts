import { buffer } from "node:stream/consumers";
import type { Upload } from "../../contract/app/uploads.ts";
import { refuse } from "../../http/http-error.ts";
import { createTurns } from "../../process/create-turns.ts";
import { isMissingPackage, toAdd } from "../../process/installation/optional-packages.ts";
import type { OpenBlob } from "../../store/blobs/blob-store.ts";

const edge = 256;
/** A small file may unpack to a picture of gigabytes. */
const maxPixels = 100_000_000;
/** Each holds a whole file, and one of Node's four threads, which serve files, too. */
const most = 2;

export function createThumbnails(open: (upload: Upload) => Promise<OpenBlob>) {
  const inTurn = createTurns(most);
  const pending = new Map<string, { readonly by: AbortSignal[]; readonly made: Promise<Buffer> }>();

  /**
   * Makes a WebP of at most 256 by 256 pixels. Few are made at a time, each once for all who wait for it, and none for
   * clients who have `left`. The image library is loaded on the first call, because most runs need none.
   * @throws HttpError 404 when it is no picture, 400 for a damaged one, 501 without the library; as `open` and reading do;
   * the reason of `left`
   */
  return async (upload: Upload, left: AbortSignal): Promise<Buffer> => {
    if (!upload.media_type.startsWith("image/") || upload.media_type === "image/vnd.adobe.photoshop")
      throw refuse("upload.noPicture", { id: upload.id });
    const key = `${String(upload.id)} ${upload.sha256}`; // a reset gives ids away again
    const known = pending.get(key);
    known?.by.push(left);
    if (known) return known.made;
    const by = [left];
    const made = inTurn(async () => {
      try {
        if (by.every(({ aborted }) => aborted)) left.throwIfAborted();
        await using content = await open(upload);
        return await thumbnailOf(content);
      } finally {
        pending.delete(key);
      }
    });
    pending.set(key, { by, made });
    return made;
  };
}

async function thumbnailOf(content: OpenBlob): Promise<Buffer> {
  const { default: sharp } = await import("sharp").catch((error: unknown) => {
    if (!isMissingPackage(error)) throw error;
    throw refuse("upload.noSharp", { toAdd: toAdd.sharp });
  });
  // Read first, so that a failure of the store does not count as a damaged picture. Sharp would gather the bytes, too.
  const bytes = await buffer(content.read());
  return sharp(bytes, { limitInputPixels: maxPixels })
    .rotate()
    .resize(edge, edge, { fit: "inside", withoutEnlargement: true })
    .webp()
    .toBuffer()
    .catch((error: unknown) => {
      throw refuse("upload.picture", { problem: (error as Error).message });
    });
}
