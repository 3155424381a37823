/** The English guides and references. In bundles, the build puts their text in place of this file. */
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";

const docs = join(import.meta.dirname, "../../../docs");

/** The folders, and the pages that are no text to read: a table of a thousand operations is a resource of its own. */
const folders = ["guides", "reference"];
const isPage = (file: string) => file.endsWith(".md") && !file.startsWith("fidelity");

/** @returns Markdown by path, as `guides/payments` */
export async function readGuides(): Promise<Readonly<Record<string, string>>> {
  const pages: Record<string, string> = {};
  for (const folder of folders)
    for (const file of (await readdir(join(docs, folder))).filter(isPage).sort())
      pages[`${folder}/${file.slice(0, -".md".length)}`] = await readFile(join(docs, folder, file), "utf8");
  return pages;
}
