import { extname } from "node:path";
import { uploadExtensions } from "../../contract/app/uploads.ts";
import { badRequest } from "../../http/http-error.ts";

type Extension = (typeof uploadExtensions)[number];

/** The types by content that each accepted extension may have (our choice; spec: Limits 2). */
const contentOf: Record<Extension, readonly string[]> = {
  zip: ["application/zip"],
  rar: ["application/x-rar-compressed", "application/vnd.rar"],
  "7z": ["application/x-7z-compressed"],
  psd: ["image/vnd.adobe.photoshop"],
  ai: ["application/pdf", "application/postscript", "application/illustrator"],
  cdr: ["application/zip", "application/vnd.corel-draw", "application/x-riff"],
  jpg: ["image/jpeg"],
  png: ["image/png", "image/apng"],
  gif: ["image/gif"],
  tif: ["image/tiff"],
  webp: ["image/webp"],
};
const images: readonly Extension[] = ["jpg", "png", "gif", "webp"];

/** The extension of a file name. @throws HttpError 400 listing the accepted extensions. */
export function acceptedExtension(fileName: string, kind: "upload" | "avatar"): Extension {
  const accepted = kind === "avatar" ? images : uploadExtensions;
  const written = extname(fileName).slice(1).toLowerCase();
  const extension = written === "jpeg" ? "jpg" : written === "tiff" ? "tif" : written;
  const found = accepted.find((one) => one === extension);
  if (!found)
    throw badRequest("extension_refused", `"${fileName}" is not taken: send one of ${accepted.join(", ")}.`, "file");
  return found;
}

/**
 * The media type of a file whose content fits its extension.
 * @throws HttpError 400 when it does not, for example for a web page named .png
 */
export async function checkedMediaType(head: Buffer, extension: Extension, fileName: string): Promise<string> {
  const riff = head.subarray(0, 4).toString("latin1") === "RIFF" ? "application/x-riff" : undefined;
  const { fileTypeFromBuffer } = await import("file-type"); // not at the start, which it would make longer
  const found = (await fileTypeFromBuffer(head))?.mime ?? riff;
  const fits = contentOf[extension];
  // Some zip files are recognised by their members (an office document, an apk). They are accepted as zip files.
  const isZip = head.subarray(0, 2).toString("latin1") === "PK";
  if (found !== undefined && fits.includes(found)) return found;
  if (isZip && fits.includes("application/zip")) return "application/zip";
  throw badRequest(
    "content_refused",
    `"${fileName}" does not hold what its name says: it looks like ${found ?? "none of the accepted types"}, not like .${extension}.`,
    "file",
  );
}
