/** Reads the body of an upload: a file, and `meta`, the JSON text that is signed in place of the body. */
import type { IncomingMessage } from "node:http";
import { readPlainBytes } from "../../../http/formats/read-body.ts";

/** Bytes of a form beyond its file. */
const frameBytes = 64 * 1024;

export interface UploadedFile {
  readonly name: string;
  readonly bytes: Buffer;
}

/** A body as it is signed. A form that cannot be read has an empty text and no file. */
export interface ReadBody {
  readonly text: string;
  readonly file?: UploadedFile;
}

/** @param maxFileBytes of the file of an upload; undefined: the call takes JSON */
export async function readBodyOf(req: IncomingMessage, maxFileBytes: number | undefined): Promise<ReadBody> {
  if (req.method === "GET") return { text: "" };
  if (maxFileBytes === undefined) return { text: (await readPlainBytes(req)).toString("utf8") };
  const bytes = await readPlainBytes(req, maxFileBytes + frameBytes);
  const headers = { "Content-Type": req.headers["content-type"] ?? "" };
  const form = await new Response(new Uint8Array(bytes), { headers }).formData().catch(() => undefined);
  const [meta, file] = [form?.get("meta"), form?.get("file")];
  if (meta === null || meta === undefined || !(file instanceof File)) return { text: "" };
  return {
    text: typeof meta === "string" ? meta : await meta.text(),
    file: { name: file.name, bytes: Buffer.from(await file.arrayBuffer()) },
  };
}
