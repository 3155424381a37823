/** The body of an upload: fields, then the file. */
import { randomBytes } from "node:crypto";
import { basename, extname } from "node:path";

/** The types that the platform's clients name, by extension. */
const types: Readonly<Record<string, string>> = {
  ".gif": "image/gif",
  ".jpeg": "image/jpeg",
  ".jpg": "image/jpeg",
  ".json": "application/json",
  ".mp3": "audio/mpeg",
  ".mp4": "video/mp4",
  ".pdf": "application/pdf",
  ".png": "image/png",
  ".txt": "text/plain",
  ".webp": "image/webp",
};

/** As a browser writes names in a form. */
const quoted = (text: string) => `"${text.replaceAll('"', "%22").replaceAll("\r", "%0D").replaceAll("\n", "%0A")}"`;

export interface FilePart {
  /** The name of its field. */
  readonly name: string;
  readonly path: string;
  readonly content: Uint8Array;
}

export function multipartBody(
  fields: Readonly<Record<string, unknown>>,
  { name, path, content }: FilePart,
): { readonly body: Uint8Array; readonly type: string } {
  const boundary = `----hearth${randomBytes(12).toString("hex")}`;
  const part = (about: string) => Buffer.from(`--${boundary}\r\nContent-Disposition: form-data; ${about}\r\n\r\n`);
  const file = quoted(basename(path.replace(/^\w+:\/\//, "")));
  const type = types[extname(path).toLowerCase()] ?? "application/octet-stream";
  const parts = Object.entries(fields).flatMap(([field, value]) => [
    part(`name=${quoted(field)}`),
    Buffer.from(`${String(value)}\r\n`),
  ]);
  const body = Buffer.concat([
    ...parts,
    part(`name=${quoted(name)}; filename=${file}\r\nContent-Type: ${type}`),
    content,
    Buffer.from(`\r\n--${boundary}--\r\n`),
  ]);
  return { body, type: `multipart/form-data; boundary=${boundary}` };
}
