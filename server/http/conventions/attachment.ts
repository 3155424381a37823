import type { ServerResponse } from "node:http";
import { basename } from "node:path";
import { create as contentDisposition } from "content-disposition";

/** Makes a browser save the answer as a file of this name, in any language. */
export function attachAs(res: ServerResponse, fileName: string): void {
  res.setHeader("Content-Disposition", contentDisposition(basename(fileName)));
}
