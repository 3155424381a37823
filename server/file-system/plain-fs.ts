/**
 * The file system without Electron's archives: in its processes `node:fs` shows an .asar file as a folder, with another
 * inode at each call.
 */
import * as fs from "node:fs";
import { createRequire } from "node:module";

export const plainFs: Pick<typeof fs, "lstatSync" | "readdirSync"> =
  process.versions["electron"] === undefined ? fs : (createRequire(import.meta.url)("original-fs") as typeof fs);
