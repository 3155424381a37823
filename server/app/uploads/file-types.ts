import { message } from "../../contract/messages/message.ts";
import { extname } from "node:path";
import { avatarExtensions, uploadExtensions } from "../../contract/app/uploads.ts";
import { refuse } from "../../http/http-error.ts";

type Extension = (typeof uploadExtensions)[number];

/** The types by content that each accepted extension may have (our choice; spec: Limits 2). */
const contentOf: Record<Extension, readonly string[]> = {
  zip: ["application/zip"],
  rar: ["application/x-rar-compressed"],
  "7z": ["application/x-7z-compressed"],
  psd: ["image/vnd.adobe.photoshop"],
  ai: ["application/pdf", "application/postscript", "application/eps"],
  cdr: ["application/zip", "application/vnd.corel-draw"],
  jpg: ["image/jpeg"],
  png: ["image/png", "image/apng"],
  gif: ["image/gif"],
  tif: ["image/tiff"],
  webp: ["image/webp"],
};

/**
 * Types by the first bytes alone. The library reads further: it finds no type where the rest lies behind the head (the
 * directory of a TIFF), and often a narrower type (an office document, an apk, a camera's picture).
 */
const beginnings: readonly (readonly [RegExp, string])[] = [
  [/^PK/, "application/zip"],
  [/^RIF[FX].{4}CDR/is, "application/vnd.corel-draw"],
  [/^(?:II[*+]\0|MM\0[*+])/, "image/tiff"],
];

/** The extension of a file name. @throws HttpError 400 listing the accepted extensions. */
export function acceptedExtension(fileName: string, kind: "upload" | "avatar"): Extension {
  const accepted = kind === "avatar" ? avatarExtensions : uploadExtensions;
  const written = extname(fileName).slice(1).toLowerCase();
  const extension = written === "jpeg" ? "jpg" : written === "tiff" ? "tif" : written;
  const found = accepted.find((one) => one === extension);
  if (!found) throw refuse("upload.type", { fileName, accepted: accepted.join(", ") }, { field: "file" });
  return found;
}

/**
 * The media type of a file whose content matches its extension.
 * @throws HttpError 400 when it does not, for example for a web page named .png
 */
export async function checkedMediaType(head: Buffer, extension: Extension, fileName: string): Promise<string> {
  const { fileTypeFromBuffer } = await import("file-type"); // not at the start, which it would make longer
  const found = (await fileTypeFromBuffer(head))?.mime;
  const start = head.toString("latin1", 0, 16);
  const begun = beginnings.find(([beginning]) => beginning.test(start))?.[1];
  const type = [found, begun].find((one) => one !== undefined && contentOf[extension].includes(one));
  if (type !== undefined) return type;
  throw refuse(
    "upload.content",
    { fileName, found: found ?? begun ?? message("upload.contentOther"), extension },
    { field: "file" },
  );
}
